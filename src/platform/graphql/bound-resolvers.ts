import {
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { readCoerced } from '../input/read-input.js';
import { ruledFields } from '../input/rules.js';
import type { Context } from './context.js';

type Field = GraphQLField<unknown, Context, Record<string, unknown>>;
type Resolve = NonNullable<Field['resolve']>;
type Handler = ReturnType<typeof getMetadataStorage>['queries' | 'fieldResolvers'][number];
type Parameter = NonNullable<Handler['params']>[number];
type Methods = Readonly<Record<string, (...given: unknown[]) => unknown>>;

/**
 * Makes the fields of a schema call their methods directly. Type-GraphQL finds out in each call what the method gets,
 * and waits for a promise for each argument, which takes longer than most reads (docs/adr/0008). Throws for what only
 * Type-GraphQL can do: roles, middleware, and rules of the fields of `@ArgsType` classes.
 */
export function bindResolvers(schema: GraphQLSchema, instanceOf: (resolver: unknown) => object): void {
  const { queries, mutations, subscriptions, fieldResolvers, objectTypes } = getMetadataStorage();
  const fieldOf = (typeName: string | undefined, handler: Handler): Field | undefined => {
    const type = typeName === undefined ? undefined : schema.getType(typeName);
    return isObjectType(type) ? (type.getFields()[handler.schemaName] as Field | undefined) : undefined;
  };
  const bind = (typeName: string | undefined, handler: Handler): void => {
    const field = fieldOf(typeName, handler);
    if (!field) return;
    // The method of an internal handler belongs to the object whose field it is.
    const isInternal = 'kind' in handler && handler.kind === 'internal';
    field.resolve = resolverOf(field, handler, isInternal ? null : instanceOf(handler.target));
  };
  // The storage also has what other schemas of the process use.
  for (const handler of queries) bind(schema.getQueryType()?.name, handler);
  for (const handler of mutations) bind(schema.getMutationType()?.name, handler);
  for (const handler of subscriptions) {
    const field = fieldOf(schema.getSubscriptionType()?.name, handler);
    if (!field) continue;
    // The method gives the items, and an item is what the field shows.
    field.subscribe = resolverOf(field, handler, instanceOf(handler.target));
    field.resolve = item => item;
  }
  for (const handler of fieldResolvers) {
    const owner = handler.getObjectType?.();
    bind(objectTypes.find(({ target }) => target === owner)?.name, handler);
  }
}

function resolverOf(
  field: Field,
  { methodName, schemaName, params = [], roles = [], middlewares = [] }: Handler,
  instance: object | null,
): Resolve {
  const inputs = new Map(field.args.filter(isInput).map(({ name, type }) => [name, type]));
  const isRead = (name: string) => params.some(parameter => parameter.kind === 'arg' && parameter.name === name);
  if (roles.length > 0 || middlewares.length > 0 || ![...inputs.keys()].every(isRead)) {
    throw new Error(`${schemaName} has roles, middleware or an input object in an @ArgsType class`);
  }
  const readers = params
    .toSorted((a, b) => a.index - b.index)
    .map(parameter => readerOf(schemaName, inputs, parameter));
  return (root, args, context, info) => {
    const self = (instance ?? root) as Methods;
    return self[methodName]?.apply(
      self,
      readers.map(read => read(root, args, context, info)),
    );
  };
}

function isInput({ type }: { readonly type: GraphQLInputType }): boolean {
  return isInputObjectType(getNamedType(type));
}

/** Gives a parameter of a method. `inputs`: arguments of input types. */
function readerOf(schemaName: string, inputs: ReadonlyMap<string, GraphQLInputType>, parameter: Parameter): Resolve {
  switch (parameter.kind) {
    case 'root':
      return root => root;
    case 'context':
      return (_root, _args, context) => context;
    case 'info':
      return (_root, _args, _context, info) => info;
    case 'arg': {
      const { name } = parameter;
      const type = inputs.get(name);
      return type ? (_root, args) => readCoerced(type, args[name], `/${name}`) : (_root, args) => args[name];
    }
    case 'args': {
      const { prototype } = parameter.getType() as { prototype: object };
      if ([...ruledFields(prototype)].length > 0) break;
      return (_root, args) => args;
    }
    case 'custom':
      return (root, args, context, info) => parameter.resolver({ root, args, context, info }) as unknown;
    default:
  }
  throw new Error(`A parameter of ${schemaName} cannot be bound: ${parameter.kind}`);
}
