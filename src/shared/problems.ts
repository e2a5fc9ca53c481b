import { BANK_PROBLEMS } from './bank-problems.js';
import { GRAPHQL_PROBLEMS } from './graphql-problems.js';

/**
 * The table of the codes that refusals of the bank have: the kind, which decides the HTTP status (`STATUS_OF`), what
 * the code means, and what to do. The classes of refusals take their kind from here. A noun of a package has a table of
 * its own, `problems`. The page at /problems, the OpenAPI document and docs/problems.md tell what the tables say.
 */

/** Codes that come over REST and over GraphQL. */
const PROBLEMS_OF_BOTH = {
  malformed_request: [
    'malformed',
    'The request as a whole cannot be read: broken JSON, a header with a bad value, an incomplete body.',
    'Correct what `detail` names and send the request again.',
  ],
  invalid_input: [
    'malformed',
    'Fields or parameters are missing, unknown or of the wrong type.',
    'Correct every field that `errors` lists.',
  ],
  unauthenticated: [
    'unauthenticated',
    'The access token is missing, expired or not valid.',
    'Get a new token and send it as `Authorization: Bearer <token>`.',
  ],
  insufficient_scope: [
    'forbidden',
    'The access token lacks the scope that `detail` names.',
    'Get a token with this scope.',
  ],
  program_wide_only: [
    'forbidden',
    'The access token belongs to one customer, and the request is about the whole program.',
    'Use a token of the program without a customer.',
  ],
  not_for_agents: [
    'forbidden',
    'The request comes from an agent, and only people may make it.',
    'Let a person make it with a token of their own.',
  ],
  ...BANK_PROBLEMS,
  method_not_allowed: [
    'method_not_allowed',
    'The path exists and does not support this method.',
    'Use a method that the header `Allow` lists.',
  ],
  idempotency_in_progress: [
    'conflict',
    'The first request with this idempotency key is still running.',
    'Send the same request with the same key again after the seconds of `Retry-After`.',
  ],
  precondition_failed: [
    'precondition_failed',
    'The record or document has changed: it does not have the tag in `If-Match`, or the version in `expectedVersion`.',
    'Read it again, and repeat the request with its current tag or version.',
  ],
  too_large: ['too_large', 'The body has more bytes than are accepted.', 'Send less at once.'],
  uri_too_long: ['uri_too_long', 'The path and query have more characters than are accepted.', 'Shorten the address.'],
  unsupported_media_type: [
    'unsupported_media',
    'The content type or the content encoding of the body is not accepted.',
    'Send the body uncompressed, with the `Content-Type` that `detail` names.',
  ],
  misdirected: [
    'misdirected',
    'A page that contains a token is not served at this host name in development.',
    'Use localhost, an IP address, or the name in `HOST`.',
  ],
  rule_broken: [
    'rule_broken',
    'The fields are well formed, and at least one value breaks a rule.',
    'Correct every field that `errors` lists.',
  ],
  idempotency_key_reused: [
    'rule_broken',
    'The idempotency key was used for a different request. Nothing was done.',
    'Use a new key for each new request, and the same key only to repeat a request.',
  ],
  rate_limited: [
    'too_many_requests',
    'The client has sent more requests than its limit allows. Nothing was done.',
    'Try again after the seconds of `Retry-After`.',
  ],
  internal_error: [
    'internal',
    'Something failed inside the gateway.',
    'Try again with the same idempotency key. If it fails again, report the request id.',
  ],
  unavailable: [
    'unavailable',
    'The database is busy or cannot be reached.',
    'Try again after the seconds of `Retry-After`, with the same idempotency key.',
  ],
  overloaded: [
    'unavailable',
    'The gateway is overloaded. Nothing was done.',
    'Try again after the seconds of `Retry-After`.',
  ],
} as const;

/** Codes that come over REST alone. */
const REST_PROBLEMS = {
  route_not_found: [
    'not_found',
    'Nothing is served at this path.',
    'Check the path, including upper and lower case and slashes. `/docs` lists all paths.',
  ],
  not_acceptable: [
    'not_acceptable',
    'The document is not available in any content type that `Accept` allows, or not in the one that `format` names.',
    'Request one of the content types or formats that `detail` names.',
  ],
  too_many_transactions: [
    'rule_broken',
    'The days have more transactions than one file may have.',
    'Request fewer days at once, or let the operator export them with `tillgate export transactions`.',
  ],
  range_not_satisfiable: [
    'range_not_satisfiable',
    'The requested range is outside the document.',
    'Request a range within the length that `Content-Range` gives.',
  ],
  stopping: ['unavailable', 'The process is shutting down.', 'Send requests to another process.'],
} as const;

/** Codes that come to the page of the console alone. */
const CONSOLE_PROBLEMS = {
  sign_in_required: [
    'signed_out',
    'The console is used, and nobody is signed in, or the session has ended.',
    'Sign in at `/console`.',
  ],
  foreign_page: [
    'foreign_page',
    'A request for the console came from elsewhere than the console itself.',
    'Open `/console` in the browser. Programs use the API with an access token.',
  ],
} as const;

/** Codes of lines of a file that is imported, in `FILE.rejected.ndjson`. */
const IMPORT_PROBLEMS = {
  line_too_long: ['too_large', 'The line is longer than a record may be.', 'Check that each line is one record.'],
  not_csv: [
    'malformed',
    'The row is not CSV, such as one with a quote inside a cell.',
    'Put such cells in quotes, and double the quotes in them.',
  ],
  not_json: ['malformed', 'The line is not a JSON object in UTF-8.', 'Write one JSON object per line.'],
  not_storable: [
    'rule_broken',
    'The database rejected a value of the record.',
    'Correct the value, or report the SQLSTATE that `detail` names.',
  ],
  earlier_line_rejected: [
    'conflict',
    'An earlier line of the account was rejected, and the balances in its lines build on each other.',
    'Correct or remove the line that `detail` names, and import the file again.',
  ],
  different_beneficiary: [
    'conflict',
    'A beneficiary with this id exists and has different content.',
    'Change it over REST or GraphQL; an import does not overwrite beneficiaries.',
  ],
} as const;

export const PROBLEMS = {
  ...PROBLEMS_OF_BOTH,
  ...REST_PROBLEMS,
  ...GRAPHQL_PROBLEMS,
  ...CONSOLE_PROBLEMS,
  ...IMPORT_PROBLEMS,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;
export type ApiSurface = 'REST' | 'GraphQL' | 'Console' | 'Import';

/** Where a code is answered. Those of nouns of packages come over REST and over GraphQL. */
export function surfacesOf(code: string): readonly ApiSurface[] {
  if (code in REST_PROBLEMS) return ['REST'];
  if (code in GRAPHQL_PROBLEMS) return ['GraphQL'];
  if (code in CONSOLE_PROBLEMS) return ['Console'];
  return code in IMPORT_PROBLEMS ? ['Import'] : ['REST', 'GraphQL'];
}

/**
 * The code of a refusal as GraphQL has it in `extensions.code`: that of REST, in the case of the values of its enums.
 */
export function graphqlCode(code: string): string {
  return code.toUpperCase();
}

/** The code of the tables for one of `extensions.code`. */
export function problemCode(extensionsCode: string): string {
  return extensionsCode in GRAPHQL_PROBLEMS ? extensionsCode : extensionsCode.toLowerCase();
}

/** The address at which a code is explained (RFC 9457, 3.1.1), relative to the gateway. */
export function problemType(code: string): string {
  return `/problems#${code}`;
}
