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
import { pointerTo, variablePointers, type NodePosition } from '../../../lib/graphql-compiler/arguments.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { REQUIRED, formOf, unknownField } from '../input/shape.js';

/** The name of a missing field or argument: the document has no node for it. */
const MISSING = /^Field "(?:\w+\.(\w+)" of required type|\w+" argument "(\w+)" of type .* is required)/;

/** A null in an argument from a variable, which is valid because of a default. graphql-js finds it when the field runs. */
const NULL_ARGUMENT = /^Argument "(\w+)" (?:of non-null type .* must not be null\.|has invalid value )/s;

const refusals = new WeakMap<Error, InvalidInput>();

/** The refusal for an error of graphql-js about a literal or a null argument. */
export function refusalOfLiteral(error: GraphQLError): InvalidInput | undefined {
  if (refusals.has(error)) return refusals.get(error);
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return undefined;
  const [, argument] = NULL_ARGUMENT.exec(error.message) ?? [];
  return argument === undefined ? undefined : new InvalidInput('malformed', [{ pointer: `/${argument}`, ...REQUIRED }]);
}

/** Finds the refusals for errors about literals, which tell the same as for the value of a variable. */
export function findLiterals(schema: GraphQLSchema, document: DocumentNode, errors: readonly GraphQLError[]): void {
  const ofLiterals = errors.filter(isOfLiteral);
  if (ofLiterals.length === 0) return;
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    enter(node, _key, parent, path, ancestors) {
      for (const error of ofLiterals) {
        if (error.nodes?.[0] !== node) continue;
        const position = { parent, path, ancestors };
        const pointer = pointerOfDefault(document, position) + pointerTo(position);
        refusals.set(error, new InvalidInput('malformed', [problemAt(pointer, node, error, types)]));
      }
    },
  });
  visit(document, visitor);
}

/** The pointer to the first use of a variable, for a node in its default; empty for other nodes. */
function pointerOfDefault(document: DocumentNode, { ancestors, parent }: NodePosition): string {
  const nodes = [...ancestors, parent].filter(node => node !== undefined && 'kind' in node);
  const definition = nodes.find(node => node.kind === Kind.VARIABLE_DEFINITION);
  const operation = nodes.find(node => node.kind === Kind.OPERATION_DEFINITION);
  if (!definition || !operation) return '';
  const { value: name } = definition.variable.name;
  return variablePointers(document, operation).get(name) ?? `/${name}`;
}

/** Validation errors about values, about unknown fields of an input, and about missing arguments. */
function isOfLiteral({ nodes: [node] = [], message, extensions }: GraphQLError): boolean {
  if (!node || extensions['code'] !== 'GRAPHQL_VALIDATION_FAILED') return false;
  return node.kind.endsWith('Value') || node.kind === Kind.OBJECT_FIELD || MISSING.test(message);
}

function problemAt(pointer: string, node: ASTNode, { message }: GraphQLError, types: TypeInfo): FieldProblem {
  const [, field, argument] = MISSING.exec(message) ?? [];
  const missing = field ?? argument;
  if (missing !== undefined) return { pointer: `${pointer}/${missing}`, ...REQUIRED };
  if (node.kind === Kind.NULL) return { pointer, ...REQUIRED };
  if (node.kind === Kind.OBJECT_FIELD) {
    const type = getNamedType(types.getParentInputType()) as GraphQLInputObjectType;
    return unknownField(type, pointer, node.name.value);
  }
  // Validation finds nothing wrong with a value where there is no type.
  const type = getNamedType(types.getInputType()) as GraphQLNamedInputType;
  return { pointer, code: 'wrong_type', detail: formOf(type) };
}
