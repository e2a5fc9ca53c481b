import {
  GraphQLError,
  Kind,
  TypeInfo,
  getNamedType,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLInputObjectType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
} from 'graphql';
import { pointerTo, variablePointers, type NodePosition } from '../../../lib/graphql-compiler/arguments.js';
import { ApprovalRequired, InvalidInput, type FieldProblem, type Refusal } from '../../shared/errors.js';
import { APOLLO_PROBLEMS } from '../../shared/graphql-problems.js';
import { graphqlCode } from '../../shared/problems.js';
import { refusalOf } from '../database/retry.js';
import { REQUIRED, formOf, unknownField } from '../input/shape.js';
import { BeyondLimit } from './limits.js';

/** Codes of mistakes in the document or the variables, which are found before a resolver runs. */
const CLIENT_CODES: ReadonlySet<string> = new Set(Object.keys(APOLLO_PROBLEMS));

/** The name of a missing field or argument: the document has no node for it. */
const MISSING = /^Field "(?:\w+\.(\w+)" of required type|\w+" argument "(\w+)" of type .* is required)/;

/** A null from a variable in an argument, valid because of a default. graphql-js finds it when the field runs. */
const NULL_ARGUMENT = /^Argument "(\w+)" (?:of non-null type .* must not be null\.|has invalid value )/s;

const refusals = new WeakMap<Error, InvalidInput>();

/** The refusal behind a GraphQL error, if there is one. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof GraphQLError)) return refusalOf(error);
  return refusalOfLiteral(error) ?? refusalOf(error.originalError ?? error);
}

/** True for an error that is neither a refusal nor a mistake in the document. */
export function isInternal(error: unknown): boolean {
  if (refusalIn(error)) return false;
  if (!(error instanceof GraphQLError)) return true;
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return !isOfValue(error);
  // Errors of a compiled operation may have no extensions.
  const code = (error.extensions as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && !CLIENT_CODES.has(code);
}

/** True for a mistake in the document or its variables, in contrast to limits and a missing document. */
export function isOfDocument(error: GraphQLError): boolean {
  const refusal = refusalIn(error);
  const code = String(error.extensions['code']);
  return refusal ? refusal instanceof InvalidInput : CLIENT_CODES.has(code) && code !== 'BAD_REQUEST';
}

/** Shapes an error for a client: a refusal, its own mistake without its values, or nothing of an internal error. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { locations, path } = formatted;
  const where = { ...(locations && { locations }), ...(path && { path }) };
  const refusal = refusalIn(error);
  if (refusal) return { message: refusal.message, ...where, extensions: refusalExtensions(refusal) };
  if (isInternal(error)) {
    return {
      message:
        'The gateway failed to answer this request. Try again with the same idempotency key, or report the request id.',
      ...where,
      extensions: { code: graphqlCode('internal_error') },
    };
  }
  const apolloCode = String(formatted.extensions?.['code']);
  // Mistakes that only the execution finds have no code, and Apollo takes them for internal errors.
  const code = CLIENT_CODES.has(apolloCode) ? apolloCode : 'BAD_USER_INPUT';
  return { message: withoutValues(error as GraphQLError, apolloCode), ...where, extensions: { code } };
}

function refusalExtensions(refusal: Refusal): Record<string, unknown> {
  return {
    code: graphqlCode(refusal.code),
    ...(refusal.errors && { errors: refusal.errors }),
    ...(refusal instanceof ApprovalRequired && { approvalId: refusal.approval.approvalId }),
    ...(refusal instanceof BeyondLimit && refusal.figures),
  };
}

/** A refusal that was thrown outside of graphql-js. */
export function shownRefusal(refusal: Refusal, requestId: string): GraphQLFormattedError {
  return { message: refusal.message, extensions: { ...refusalExtensions(refusal), requestId } };
}

// graphql-js repeats literals and tokens in its messages. A card number in the wrong place must not come back.
function withoutValues(error: GraphQLError, code: string): string {
  if (code === 'GRAPHQL_PARSE_FAILED') {
    const [, tokens] = /more that (\d+) tokens/.exec(error.message) ?? [];
    if (tokens) return `The document has more than ${tokens} tokens. Send a shorter document.`;
    const [at] = error.locations ?? [];
    return at ? `Syntax error at line ${at.line}, column ${at.column}.` : 'The document cannot be parsed.';
  }
  if (code === 'OPERATION_RESOLUTION_FAILURE') {
    return 'The document does not contain the operation. `operationName` must name one operation, and is required if the document has several.';
  }
  // graphql-js stops comparing fields that are repeated too often.
  if (error.message === 'Validation aborted.') return 'The document repeats fields too often. Repeat fewer fields.';
  if (code === 'BAD_USER_INPUT') return 'A variable does not match its type.';
  // An error without a location is from a scalar, and may say anything.
  if (code === 'GRAPHQL_VALIDATION_FAILED' && !error.nodes) return 'A literal does not match its type.';
  // No name in the schema has four digits in a row, so they may be a number in the wrong place.
  if (!isOfValue(error)) return error.message.replaceAll(/\d{4,}/g, '****');
  const [head = ''] = error.message.split(/, found |: |; /, 1);
  return /^Value "|cannot represent|has invalid value/.test(head) ? 'A literal does not match its type.' : head;
}

function isOfValue(error: GraphQLError): boolean {
  return (error.nodes ?? []).some(node => node.kind.endsWith('Value'));
}

/** The refusal for an error of graphql-js about a literal or a null argument. */
function refusalOfLiteral(error: GraphQLError): InvalidInput | undefined {
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
    return unknownField(Object.keys(type.getFields()), pointer, node.name.value);
  }
  // Validation finds nothing wrong with a value where there is no type.
  const type = getNamedType(types.getInputType()) as GraphQLNamedInputType;
  return { pointer, code: 'wrong_type', detail: formOf(type) };
}
