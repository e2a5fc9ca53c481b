import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { InvalidInput, type Refusal } from '../../shared/errors.js';
import { APOLLO_PROBLEMS } from '../../shared/graphql-problems.js';
import { refusalOf } from '../database/refusal-of.js';
import { BeyondLimit } from './limits.errors.js';
import { refusalOfLiteral } from './literal-problems.js';

/** Codes of errors that a client's document or variables cause, before any resolver runs. */
const CLIENT_CODES: ReadonlySet<string> = new Set(Object.keys(APOLLO_PROBLEMS));

/** The refusal behind a GraphQL error, if it is one. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof GraphQLError) {
    const ofLiteral = refusalOfLiteral(error);
    if (ofLiteral) return ofLiteral;
  }
  return refusalOf(error instanceof GraphQLError && error.originalError ? error.originalError : error);
}

/** True when something broke inside: neither a refusal of ours nor a mistake in the client's document. */
export function isInternal(error: unknown): boolean {
  if (refusalIn(error)) return false;
  if (!(error instanceof GraphQLError)) return true;
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return !isOfValue(error);
  // Errors of a compiled query have no extensions unless somebody gave them some.
  const code = (error.extensions as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && !CLIENT_CODES.has(code);
}

/** True when GraphQL itself finds a document or its variables wrong, in contrast to limits of ours and to requests without a document. */
export function isOfDocument(error: GraphQLError): boolean {
  const refusal = refusalIn(error);
  const code = String(error.extensions['code']);
  return refusal ? refusal instanceof InvalidInput : CLIENT_CODES.has(code) && code !== 'BAD_REQUEST';
}

/** What a client sees of an error: a refusal with its code and bad fields, its own mistake without its own values, or nothing. */
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
      extensions: { code: 'internal_error' },
    };
  }
  const given = String(formatted.extensions?.['code']);
  // What only the execution finds, such as null for an argument that has a default, has no code, and Apollo calls it internal.
  const code = CLIENT_CODES.has(given) ? given : 'BAD_USER_INPUT';
  return { message: withoutValues(error as GraphQLError, given), ...where, extensions: { code } };
}

export function refusalExtensions(refusal: Refusal): Record<string, unknown> {
  return {
    code: refusal.code,
    ...(refusal.errors && { errors: refusal.errors }),
    ...(refusal instanceof BeyondLimit && refusal.figures),
  };
}

// graphql-js repeats literals and token texts in its messages. A card number typed in the wrong place must not come back.
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
  // graphql-js stops where repeated fields would have to be compared too often.
  if (error.message === 'Validation aborted.') {
    return 'The document repeats fields too often. Repeat fewer fields.';
  }
  if (code === 'BAD_USER_INPUT') return 'A variable does not match its type.';
  // An error that names no place in the document is of some scalar, and may say anything.
  if (code === 'GRAPHQL_VALIDATION_FAILED' && !error.nodes) return 'A literal does not match its type.';
  // No name in the schema has four digits in a row; one that was sent may be a number in the wrong place, too.
  if (!isOfValue(error)) return error.message.replaceAll(/\d{4,}/g, '****');
  const [head = ''] = error.message.split(/, found |: |; /, 1);
  return /^Value "|cannot represent|has invalid value/.test(head) ? 'A literal does not match its type.' : head;
}

function isOfValue(error: GraphQLError): boolean {
  return (error.nodes ?? []).some(node => node.kind.endsWith('Value'));
}
