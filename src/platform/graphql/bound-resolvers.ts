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

type Field = GraphQLField<unknown, Context>;
type Resolve = NonNullable<Field['resolve']>;
type Handler = ReturnType<typeof getMetadataStorage>['queries' | 'fieldResolvers'][number];
type Parameter = NonNullable<Handler['params']>[number];
type Method = (...given: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;

/**
 * Makes the fields of a schema call their methods directly. Type-GraphQL finds out for each call anew what the method is given, and waits
 * for a promise for each argument to be validated, which takes longer than most reads. But what it is given is known beforehand, and the
 * rules of input classes are ours.
 */
export function bindResolvers(schema: GraphQLSchema, instanceOf: (resolver: unknown) => object): void {
  const { queries, mutations, fieldResolvers, objectTypes } = getMetadataStorage();
  const bind = (typeName: string | undefined, handler: Handler): void => {
    const type = typeName === undefined ? undefined : schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[handler.schemaName] : undefined;
    if (!field) return;
    const isOwn = 'kind' in handler && handler.kind === 'internal';
    field.resolve = bound(field, handler, isOwn ? null : instanceOf(handler.target));
  };
  // What other schemas of the process have is in the same lists.
  for (const handler of queries) bind(schema.getQueryType()?.name, handler);
  for (const handler of mutations) bind(schema.getMutationType()?.name, handler);
  for (const handler of fieldResolvers) {
    const owner = handler.getObjectType?.();
    bind(objectTypes.find(({ target }) => target === owner)?.name, handler);
  }
}

/** `instance` is null where the method is the object's own whose field it is. */
function bound(
  field: Field,
  { methodName, params = [], roles = [], middlewares = [] }: Handler,
  instance: object | null,
): Resolve | undefined {
  const { resolve } = field;
  const named = params.map(parameter => (parameter.kind === 'arg' ? parameter.name : null));
  const isInputOfArgs = ({ name, type }: Field['args'][number]) => isInput(type) && !named.includes(name);
  const readers = params.toSorted((a, b) => a.index - b.index).map(parameter => readerOf(field, parameter));
  // Whatever else there is to do stays with Type-GraphQL: who may, what comes before, parameters of other kinds.
  if (!resolve || roles.length > 0 || middlewares.length > 0 || field.args.some(isInputOfArgs)) return resolve;
  if (!readers.every(read => read !== null)) return resolve;
  return (root, args: Record<string, unknown>, context, info) => {
    const self = (instance ?? root) as Methods;
    const method = self[methodName] as Method;
    return method.apply(
      self,
      readers.map(read => read(root, args, context, info)),
    );
  };
}

/** Objects of input classes have rules. */
function isInput(type: GraphQLInputType): boolean {
  return isInputObjectType(getNamedType(type));
}

/** What a parameter of a method is, of all that a resolver is given; null where Type-GraphQL has to find out. */
function readerOf({ args: declared }: Field, parameter: Parameter): Resolve | null {
  switch (parameter.kind) {
    case 'root':
      return parameter.propertyName === undefined ? root => root : null;
    case 'context':
      return parameter.propertyName === undefined ? (_root, _args, context) => context : null;
    case 'info':
      return (_root, _args, _context, info) => info;
    case 'arg': {
      const { name } = parameter;
      const type = declared.find(argument => argument.name === name)?.type;
      if (!type) return null;
      if (!isInput(type)) return (_root, args: Record<string, unknown>) => args[name];
      return (_root, args: Record<string, unknown>) => readCoerced(type, args[name], `/${name}`);
    }
    case 'args': {
      const { prototype } = parameter.getType() as { prototype: object };
      return [...ruledFields(prototype)].length === 0 ? (_root, args: unknown) => args : null;
    }
    case 'custom':
      return parameter.options.arg
        ? null
        : (root, args: Record<string, unknown>, context, info) =>
            parameter.resolver({ root, args, context, info }) as unknown;
    default:
      return null;
  }
}
