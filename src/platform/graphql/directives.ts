import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLEnumType,
  GraphQLInt,
  GraphQLBoolean,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  printSchema,
  specifiedDirectives,
  visit,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import {
  ASSUMED_LIST_SIZE,
  isConnection,
  isRecord,
  statedCost,
  statedSize,
} from '../../../lib/graphql-compiler/width.js';
import { INCLUDING_SCOPES, type Scope } from '../../shared/caller.js';
import type { Problems } from '../../shared/errors.js';
import { WAITING_CODES, codesOf, type DeclaredOperation } from '../../shared/operation.js';
import { DEFAULT_PAGE_SIZE } from '../../shared/page.js';
import { graphqlCode } from '../../shared/problems.js';
import { errorCodeType } from './error-code.js';
import { operationOf } from './performs.js';

type Field = GraphQLField<unknown, unknown>;

const { ARGUMENT_DEFINITION, ENUM, FIELD_DEFINITION, INPUT_FIELD_DEFINITION, INTERFACE, OBJECT, SCALAR } =
  DirectiveLocation;

const FEDERATION_SCOPE = new GraphQLScalarType({
  name: 'federation__Scope',
  description: 'A scope of an access token, such as `accounts.read` (Apollo Federation).',
  specifiedByURL: 'https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/directives',
});

function listOf<Type extends GraphQLEnumType | GraphQLScalarType | GraphQLList<GraphQLInputType>>(
  type: Type,
): GraphQLNonNull<GraphQLList<GraphQLNonNull<Type>>> {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}

function refuses(problems: Problems): GraphQLDirective {
  return new GraphQLDirective({
    name: 'refuses',
    description: 'The codes with which a field may refuse besides.',
    locations: [FIELD_DEFINITION],
    args: {
      codes: { type: listOf(errorCodeType(problems)), description: 'The values that `extensions.code` can have.' },
      mayWait: {
        type: GraphQLBoolean,
        defaultValue: false,
        description: `True if the field may wait for an approval, with ${WAITING_CODES.map(graphqlCode).join(', ')} besides.`,
      },
    },
  });
}

/** https://specs.apollo.dev/nullability/v0.4, which relay-compiler and the generators of Apollo read. */
const SEMANTIC_NON_NULL = new GraphQLDirective({
  name: 'semanticNonNull',
  description: 'Is null only where there is an error for it, such as a missing scope.',
  locations: [FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLList(new GraphQLNonNull(GraphQLInt)),
      defaultValue: [0],
      description: 'The levels of lists at which that holds.',
    },
  },
});

/** Directives of others, which a router of Apollo Federation reads: a subgraph imports their definitions. */
const OF_FEDERATION = [
  new GraphQLDirective({
    name: 'authenticated',
    description: 'Needs an access token, and no scope (Apollo Federation).',
    locations: [ENUM, FIELD_DEFINITION, INTERFACE, OBJECT, SCALAR],
  }),
  new GraphQLDirective({
    name: 'requiresScopes',
    description: 'Needs a token with all scopes of one list (Apollo Federation).',
    locations: [ENUM, FIELD_DEFINITION, INTERFACE, OBJECT, SCALAR],
    args: {
      scopes: {
        type: listOf(listOf(FEDERATION_SCOPE).ofType),
        description: 'Lists of scopes, such as `[["operations.read"], ["operations"]]`.',
      },
    },
  }),
  new GraphQLDirective({
    name: 'cost',
    description: 'The cost of a value in the estimate; 1 for an object, 0 for others.',
    locations: [ARGUMENT_DEFINITION, ENUM, FIELD_DEFINITION, INPUT_FIELD_DEFINITION, OBJECT, SCALAR],
    args: { weight: { type: new GraphQLNonNull(GraphQLInt), description: 'The cost of one.' } },
  }),
  new GraphQLDirective({
    name: 'listSize',
    description: 'The number of elements that the estimate assumes.',
    locations: [FIELD_DEFINITION],
    args: {
      assumedSize: { type: GraphQLInt, description: 'The number without slicing arguments.' },
      slicingArguments: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: 'Arguments that give the number.',
      },
      sizedFields: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: 'The fields of the object that have the list, if it is not the field itself.',
      },
      requireOneSlicingArgument: {
        type: GraphQLBoolean,
        defaultValue: true,
        description: 'True if exactly one slicing argument must be there.',
      },
    },
  }),
];

/** All directives of a schema whose fields refuse with these problems. */
export function directivesOf(problems: Problems): GraphQLDirective[] {
  return [...specifiedDirectives, refuses(problems), SEMANTIC_NON_NULL, ...OF_FEDERATION];
}

/** Directives that a subgraph imports from the specification of federation. */
export const IMPORTED_DIRECTIVES: readonly string[] = OF_FEDERATION.map(({ name }) => name);

/** Those among them that a router enforces by the scopes of a token that it has verified. */
export const AUTHORIZATION_DIRECTIVES: ReadonlySet<string> = new Set(['authenticated', 'requiresScopes']);

/** The names that a document of the schema defines and a subgraph imports. */
const IMPORTED_NAMES: ReadonlySet<string> = new Set([...IMPORTED_DIRECTIVES, FEDERATION_SCOPE.name]);

/** True for a definition that a subgraph imports, and must not make itself. */
export function isImported(name: string): boolean {
  return IMPORTED_NAMES.has(name);
}

/**
 * The schema as a document, with the directives that say which scopes its fields take, with which codes they refuse,
 * and what they cost. graphql-js prints definitions of directives, and not where they are applied.
 */
export function documentOf(schema: GraphQLSchema): DocumentNode {
  const pages = new Set(objectTypesOf(schema).flatMap(type => pagesOf(type)));
  const fieldsOf = <Definition extends ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode>(
    definition: Definition,
  ): FieldDefinitionNode[] | undefined => {
    const type = schema.getType(definition.name.value) as GraphQLObjectType;
    return definition.fields?.map(node => {
      const field = type.getFields()[node.name.value] as Field;
      // The size of a page is that of the field which gives it.
      const costs = pages.has(type) && isCompositeType(getNamedType(field.type)) ? [] : costsOf(field);
      const isSemantic = isNullOnlyWithError(field, type === schema.getMutationType());
      const nullness = isSemantic ? [directive(SEMANTIC_NON_NULL.name)] : [];
      return { ...node, directives: [...(node.directives ?? []), ...nullness, ...termsOf(field), ...costs] };
    });
  };
  return visit(parse(printSchema(schema), { noLocation: true }), {
    ObjectTypeDefinition: definition => {
      const type = schema.getType(definition.name.value) as GraphQLObjectType;
      const fields = fieldsOf(definition);
      const isPart = !isRoot(schema, type) && !isRecord(type) && !pages.has(type);
      const directives = [...(definition.directives ?? []), ...(isPart ? [directive('cost', { weight: 0 })] : [])];
      return { ...definition, directives, ...(fields && { fields }) };
    },
    InterfaceTypeDefinition: definition => {
      const fields = fieldsOf(definition);
      return { ...definition, ...(fields && { fields }) };
    },
  });
}

/** A list is empty where there is nothing, and a mutation gives its payload: both are null only if they are refused. */
function isNullOnlyWithError(field: Field, isMutation: boolean): boolean {
  if (!operationOf(field) || isNonNullType(field.type)) return false;
  return isMutation || isConnection(field) || isListType(field.type);
}

function termsOf(field: Field): ConstDirectiveNode[] {
  const operation = operationOf(field);
  return operation ? [permissionOf(operation), ...refusalsOf(operation)] : [];
}

function permissionOf({ scopes }: DeclaredOperation): ConstDirectiveNode {
  return scopes.length === 0
    ? directive('authenticated')
    : directive('requiresScopes', { scopes: alternatives(scopes) });
}

function refusalsOf(operation: DeclaredOperation): ConstDirectiveNode[] {
  const codes = codesOf({ ...operation, mayWait: false });
  if (codes.length === 0 && !operation.mayWait) return [];
  const values = codes.map(code => ({ kind: Kind.ENUM, value: graphqlCode(code) }) as const);
  return [directive('refuses', { codes: { kind: Kind.LIST, values }, ...(operation.mayWait && { mayWait: true }) })];
}

/** Which lists of scopes will do: a scope stands for those that it includes. */
function alternatives(scopes: readonly Scope[]): readonly (readonly Scope[])[] {
  return scopes.reduce<readonly (readonly Scope[])[]>(
    (lists, scope) => {
      const sufficient: readonly Scope[] = [scope, ...(INCLUDING_SCOPES.get(scope) ?? [])];
      return sufficient.flatMap(one => lists.map(list => [...list, one]));
    },
    [[]],
  );
}

/** Writes what `costOf` counts, as routers count it. */
function costsOf(field: Field): ConstDirectiveNode[] {
  const weight = statedCost(field);
  const type = getNamedType(field.type);
  const cost = weight === null ? [] : [directive('cost', { weight })];
  if (isConnection(field)) {
    const sized = {
      assumedSize: DEFAULT_PAGE_SIZE,
      slicingArguments: ['first', 'last'],
      sizedFields: ['edges', 'nodes'],
    };
    return [...cost, directive('listSize', { ...sized, requireOneSlicingArgument: false })];
  }
  const size = statedSize(field) ?? (isCompositeType(type) && isRecord(type) ? ASSUMED_LIST_SIZE : null);
  const isList = isListType(getNullableType(field.type));
  return [...cost, ...(isList && size !== null ? [directive('listSize', { assumedSize: size })] : [])];
}

function objectTypesOf(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap()).filter(isObjectType);
}

/** The types of the pages that the fields of a type give: reading one costs as much as a record. */
function pagesOf(type: GraphQLObjectType): unknown[] {
  return Object.values(type.getFields())
    .filter(isConnection)
    .map(field => getNamedType(field.type));
}

function isRoot(schema: GraphQLSchema, type: GraphQLObjectType): boolean {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);
}

type ArgumentValue = number | boolean | string | readonly ArgumentValue[] | ConstValueNode;

/** A directive as it is applied. */
export function directive(name: string, args: Readonly<Record<string, ArgumentValue>> = {}): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: Object.entries(args).map(([argument, value]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: argument },
      value: valueNode(value),
    })),
  };
}

function valueNode(value: ArgumentValue): ConstValueNode {
  if (typeof value === 'number') return { kind: Kind.INT, value: String(value) };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  if (typeof value === 'string') return { kind: Kind.STRING, value };
  return 'kind' in value ? value : { kind: Kind.LIST, values: value.map(valueNode) };
}
