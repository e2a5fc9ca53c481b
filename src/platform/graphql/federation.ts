import {
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  print,
  visit,
  type ConstDirectiveNode,
  type GraphQLFieldConfig,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import { InvalidInput } from '../../shared/errors.js';
import type { Context } from './context.js';
import { AUTHORIZATION_DIRECTIVES, IMPORTED_DIRECTIVES, directive, documentOf, isImported } from './directives.js';
import { nodeId, nodeKeyOf } from './node-id.js';
import { nodeKeys, typeOfNode } from './node.js';
import { NodeResolver, type LoadNode } from './node.resolver.js';
import { operation } from '../../shared/operation.js';

/** The schema as composition wants it, where introspection is off. */
const READ_SDL = operation('schema.read', { scope: 'operations.read' });

/** A router asks for all entities of a page at once, and pages may be nested. Their cost is limited besides. */
const MAX_ENTITIES = 1000;

/** The first version with costs. */
const FEDERATION = 'https://specs.apollo.dev/federation/v2.9';

/** The stand-in for an entity: its type and the fields of one of its keys. */
interface Representation {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

type Field = GraphQLFieldConfig<unknown, Context, { readonly representations: readonly Representation[] }>;

/**
 * The schema as a subgraph of Apollo Federation 2. Every type of records is an entity by its `id` and, where all of
 * them are fields, by the ids that make its key. Entities are read like `node`, with the same rules.
 */
export function asSubgraph(
  schema: GraphQLSchema,
  loaders: Readonly<Record<string, LoadNode>>,
  { introspection, authorization }: { readonly introspection: boolean; readonly authorization: boolean },
): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  if (!query) throw new Error('the schema has no queries');
  const keys = nodeKeys(schema);
  const sdl = subgraphSdl(schema, keys, authorization);
  const nodes = new NodeResolver(loaders);
  const entity = new GraphQLUnionType({
    name: '_Entity',
    types: [...keys.keys()].map(name => schema.getType(name)).filter(isObjectType),
    resolveType: typeOfNode,
  });
  const entities: Field = {
    type: new GraphQLNonNull(new GraphQLList(entity)),
    args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ANY))) } },
    resolve: (_source, { representations }, { caller }) => {
      if (representations.length > MAX_ENTITIES) throw new TooManyEntities();
      return representations.map(async representation => {
        const id = idOf(representation, keys);
        return id === null ? null : nodes.load(caller, id, keys);
      });
    },
  };
  const service = new GraphQLObjectType({ name: '_Service', fields: { sdl: { type: GraphQLString } } });
  const root = query.toConfig();
  const fields = {
    ...root.fields,
    _service: {
      type: new GraphQLNonNull(service),
      resolve: (_source: unknown, _args: object, { caller }: Context) => {
        // It is the schema, which is shown to all where introspection is on.
        if (!introspection) caller.require(READ_SDL);
        return { sdl };
      },
    },
    _entities: entities,
  };
  const others = types.filter(type => type !== query);
  return new GraphQLSchema({ ...config, types: others, query: new GraphQLObjectType({ ...root, fields }) });
}

const ANY = new GraphQLScalarType<Representation>({
  name: '_Any',
  description: 'An entity: its `__typename` and the fields of one of its keys.',
  parseValue(value) {
    const { __typename: type } = Object(value) as { __typename?: unknown };
    if (typeof type !== 'string') throw new GraphQLError('_Any cannot represent an object without __typename.');
    return value as Representation;
  },
});

class TooManyEntities extends InvalidInput {
  constructor() {
    const detail = `Must have at most ${MAX_ENTITIES} elements.`;
    super('rule_broken', [{ pointer: '/representations', code: 'size', detail }]);
  }
}

/**
 * The id of the record that a representation stands for; null where it has neither an id of its type nor a whole key.
 */
function idOf(representation: Representation, keys: ReadonlyMap<string, readonly string[]>): string | null {
  const { __typename: type, id } = representation;
  if (typeof id === 'string') return keys.has(type) && nodeKeyOf(id)?.type === type ? id : null;
  const parts = keys.get(type)?.map(property => representation[property]);
  return parts?.every(part => typeof part === 'string' && part !== '') ? nodeId(type, parts as string[]) : null;
}

/** The schema as composition wants it: without what only the router asks for, and with the directives of federation. */
function subgraphSdl(
  schema: GraphQLSchema,
  keys: ReadonlyMap<string, readonly string[]>,
  authorization: boolean,
): string {
  const isLeftOut = (name: string): boolean => !authorization && AUTHORIZATION_DIRECTIVES.has(name);
  const marked = visit(documentOf(schema), {
    // An imported directive must not be defined.
    DirectiveDefinition: ({ name }) => (isImported(name.value) ? null : undefined),
    ScalarTypeDefinition: ({ name }) => (isImported(name.value) ? null : undefined),
    Directive: ({ name }) => (isLeftOut(name.value) ? null : undefined),
    ObjectTypeDefinition: (definition): ObjectTypeDefinitionNode => ({
      ...definition,
      directives: [
        ...keysOf(definition, keys.get(definition.name.value)),
        ...(isShareable(schema, definition.name.value) ? [directive('shareable')] : []),
        ...(definition.directives ?? []),
      ],
    }),
  });
  const imported = ['key', 'shareable', ...IMPORTED_DIRECTIVES.filter(name => !isLeftOut(name))].map(
    name => `"@${name}"`,
  );
  return `extend schema @link(url: "${FEDERATION}", import: [${imported.join(', ')}])\n\n${print(marked)}`;
}

function isShareable(schema: GraphQLSchema, name: string): boolean {
  return schema.getType(name)?.extensions['shareable'] === true;
}

function keysOf({ fields = [] }: ObjectTypeDefinitionNode, key: readonly string[] | undefined): ConstDirectiveNode[] {
  if (!key) return [];
  const names = new Set(fields.map(({ name }) => name.value));
  const natural = key.every(property => names.has(property)) ? [directive('key', { fields: key.join(' ') })] : [];
  return [directive('key', { fields: 'id' }), ...natural];
}
