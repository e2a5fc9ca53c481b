import type { ApolloServerPlugin } from '@apollo/server';
import {
  GraphQLError,
  Kind,
  TypeInfo,
  getNamedType,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
} from 'graphql';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { REQUIRED, formOf, unknownField } from '../input/shape.js';
import { placeOf, placesOfVariables, type Way } from './argument-uses.js';
import type { Context } from './context.js';

/** The name of a field or an argument that graphql-js misses: no node of the document stands for it. */
const MISSING = /^Field "(?:\w+\.(\w+)" of required type|\w+" argument "(\w+)" of type .* is required)/;

const refusals = new WeakMap<Error, InvalidInput>();

/** An argument that got null from a variable, which only its default lets stand there. graphql-js finds it when the field runs. */
const NULL_ARGUMENT = /^Argument "(\w+)" (?:of non-null type .* must not be null\.|has invalid value )/s;

/** What a client is told of the literal, or of the null, that an error of graphql-js is about, if it is about one. */
export function refusalOfLiteral(error: GraphQLError): InvalidInput | undefined {
  if (refusals.has(error)) return refusals.get(error);
  const isOurs = error.originalError && !(error.originalError instanceof GraphQLError);
  const [, argument] = isOurs ? [] : (NULL_ARGUMENT.exec(error.message) ?? []);
  return argument === undefined ? undefined : new InvalidInput('malformed', [{ pointer: `/${argument}`, ...REQUIRED }]);
}

/** Tells of each literal that does not fit its type what is told of a variable: where it is, and what it has to be. */
export function literalProblemsPlugin(): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({ errors, document, schema }) => {
        if (document) findProblems(schema, document, errors);
      },
    }),
  };
}

function findProblems(schema: GraphQLSchema, document: DocumentNode, errors: readonly GraphQLError[]): void {
  const ofLiterals = errors.filter(isOfLiteral);
  if (ofLiterals.length === 0) return;
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    enter(node, _key, parent, path, ancestors) {
      const found = ofLiterals.filter(({ nodes }) => nodes?.[0] === node);
      if (found.length === 0) return;
      const way = { parent, path, ancestors };
      const place = placeOfDefault(document, way) + placeOf(way);
      for (const error of found) {
        refusals.set(error, new InvalidInput('malformed', [problemAt(place, node, error, types)]));
      }
    },
  });
  visit(document, visitor);
}

/** The default of a variable stands where the variable is used. Nothing for what is in no default. */
function placeOfDefault(document: DocumentNode, { ancestors, parent }: Way): string {
  const nodes = [...ancestors, parent].filter(of => of !== undefined && 'kind' in of);
  const definition = nodes.find(of => of.kind === Kind.VARIABLE_DEFINITION);
  const operation = nodes.find(of => of.kind === Kind.OPERATION_DEFINITION);
  if (!definition || !operation) return '';
  const { value: name } = definition.variable.name;
  return placesOfVariables(document, operation).get(name) ?? `/${name}`;
}

/** Of all that validation finds: values, fields that an input does not have, and arguments that are missing. */
function isOfLiteral({ nodes: [node] = [], message, extensions }: GraphQLError): boolean {
  if (!node || extensions['code'] !== 'GRAPHQL_VALIDATION_FAILED') return false;
  return node.kind.endsWith('Value') || node.kind === Kind.OBJECT_FIELD || MISSING.test(message);
}

function problemAt(place: string, node: ASTNode, { message }: GraphQLError, types: TypeInfo): FieldProblem {
  const [, field, argument] = MISSING.exec(message) ?? [];
  const missing = field ?? argument;
  if (missing !== undefined) return { pointer: `${place}/${missing}`, ...REQUIRED };
  if (node.kind === Kind.NULL) return { pointer: place, ...REQUIRED };
  if (node.kind === Kind.OBJECT_FIELD) {
    const type = getNamedType(types.getParentInputType()) as GraphQLInputObjectType;
    return unknownField(type, place, node.name.value);
  }
  // Validation says nothing of a value that is somewhere where no type is.
  const type = getNamedType(types.getInputType()) as GraphQLNamedInputType;
  return { pointer: place, code: 'wrong_type', detail: formOf(type) };
}
