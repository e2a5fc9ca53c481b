import {
  Kind,
  getNamedType,
  isObjectType,
  parse,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { NOUNS } from '../../src/app/nouns.js';
import { buildGraphqlSchema } from '../../src/app/schema.js';
import { operationOf } from '../../src/platform/graphql/performs.js';
import { APOLLO_PROBLEMS } from '../../src/shared/graphql-problems.js';
import { CODES_OF_EVERY_FIELD, CODES_OF_EVERY_MUTATION, codesOf } from '../../src/shared/operation.js';
import { restCode } from './answers.js';
import type { Answer, HttpRequest } from './http.js';

interface GraphqlError {
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

const schemas = new Map<typeof NOUNS, GraphQLSchema>();

function schemaWith(nouns: typeof NOUNS): GraphQLSchema {
  const schema = schemas.get(nouns) ?? buildGraphqlSchema(undefined, true, nouns);
  schemas.set(nouns, schema);
  return schema;
}

/** Throws where a field of GraphQL refuses with a code that its operation does not declare. */
export function checkRefusals({ path, body }: HttpRequest, answer: Answer, nouns = NOUNS): void {
  if (!path.startsWith('/graphql')) return;
  const { errors } = Object(answer.body) as { errors?: unknown };
  const sent = Object(typeof body === 'string' ? readJson(body) : body) as { query?: unknown };
  if (!Array.isArray(errors) || typeof sent.query !== 'string') return;
  const document = readDocument(sent.query);
  if (!document) return;
  const undeclared = (errors as GraphqlError[]).flatMap(({ path: at, extensions = {} }) => {
    const field = at && fieldAt(schemaWith(nouns), document, at);
    const code = restCode(extensions.code);
    return !field || code === undefined || declared(field).has(code)
      ? []
      : `${field.parent}.${field.field.name}: ${code}`;
  });
  if (undeclared.length > 0) {
    throw new Error(`not declared among the refusals of the operation: ${undeclared.join(', ')}`);
  }
}

interface FoundField {
  readonly parent: string;
  readonly field: GraphQLField<unknown, unknown>;
}

function declared({ parent, field }: FoundField): ReadonlySet<string> {
  const operation = operationOf(field);
  return new Set<string>([
    ...CODES_OF_EVERY_FIELD,
    ...(parent === 'Mutation' ? CODES_OF_EVERY_MUTATION : []),
    ...Object.keys(APOLLO_PROBLEMS),
    ...(operation ? codesOf(operation) : []),
  ]);
}

/** The field that a path of response names leads to; null where the document has several operations. */
function fieldAt(schema: GraphQLSchema, document: DocumentNode, path: readonly (string | number)[]): FoundField | null {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operations.length > 1) return null;
  const root = schema.getRootType(operation.operation);
  let types = root ? [root.name] : [];
  let sets: readonly SelectionSetNode[] = [operation.selectionSet];
  let found: FoundField | null = null;
  for (const name of path.filter(part => typeof part === 'string')) {
    const nodes = sets.flatMap(set => fieldsOf(document, set)).filter(({ node }) => responseName(node) === name);
    const [first] = nodes;
    if (!first) return null;
    const parents = [...(first.on === null ? [] : [first.on]), ...types];
    found = parents.map(parent => fieldOf(schema, parent, first.node.name.value)).find(one => one !== null) ?? null;
    if (!found) return null;
    types = [getNamedType(found.field.type).name];
    sets = nodes.flatMap(({ node }) => node.selectionSet ?? []);
  }
  return found;
}

function fieldOf(schema: GraphQLSchema, parent: string, name: string): FoundField | null {
  const type = schema.getType(parent);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field ? { parent, field } : null;
}

/** The fields of a selection, each with the type of the fragment that it stands in. */
function fieldsOf(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  on: string | null = null,
): { readonly node: FieldNode; readonly on: string | null }[] {
  return selections.flatMap(selection => {
    if (selection.kind === Kind.FIELD) return { node: selection, on };
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsOf(document, selection.selectionSet, selection.typeCondition?.name.value ?? on);
    }
    const fragment = document.definitions.find(
      definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    );
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) return [];
    return fieldsOf(document, fragment.selectionSet, fragment.typeCondition.name.value);
  });
}

function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readDocument(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
