import { GRAPHQL_PROBLEMS } from './graphql-problems.js';

/**
 * The one table of the codes that refusals have: the kind, which decides the HTTP status (`STATUS_OF`), what the code means, and what to do.
 * The classes of refusals take their kind from here. The page at /problems, the OpenAPI document and docs/problems.md tell what is here.
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
    'Ask for a token with this scope.',
  ],
  program_wide_only: [
    'forbidden',
    'The access token belongs to one customer, and the request is about the whole program.',
    'Use a token of the program without a customer.',
  ],
  account_not_found: [
    'not_found',
    'There is no such account, or this caller may not see it.',
    'Check the account id, and the program and customer of the token.',
  ],
  beneficiary_not_found: [
    'not_found',
    'The account has no such beneficiary.',
    'List the beneficiaries of the account and use an id of that list.',
  ],
  card_not_found: [
    'not_found',
    'The account has no such card.',
    'List the cards of the account and use an id of that list.',
  ],
  statement_not_found: [
    'not_found',
    'The account has no such document of this type.',
    'List the statements of the account and use an id and the document type of that list.',
  ],
  method_not_allowed: [
    'method_not_allowed',
    'Something is served at this path, but not for this method.',
    'Use a method that `Allow` names.',
  ],
  card_exists: [
    'conflict',
    'A card with this id or this number exists.',
    'Use another `cardId`, or leave it out; a card number can be added once.',
  ],
  too_many_beneficiaries: [
    'conflict',
    'The account has as many beneficiaries as an account may have.',
    'Delete a beneficiary before you add another.',
  ],
  too_many_cards: [
    'conflict',
    'The account has as many cards as an account may have.',
    'Use a card that the account has. Cards cannot be deleted.',
  ],
  idempotency_in_progress: [
    'conflict',
    'The first request with this idempotency key is still running.',
    'Send the same request with the same key again after the seconds of `Retry-After`.',
  ],
  precondition_failed: [
    'precondition_failed',
    'The record or document is not the one that the condition of the request names.',
    'Read it again, and repeat the request with the tag that it has now.',
  ],
  too_large: ['too_large', 'The body has more bytes than are accepted.', 'Send less at once.'],
  uri_too_long: ['uri_too_long', 'The path and query have more characters than are accepted.', 'Shorten the address.'],
  unsupported_media_type: [
    'unsupported_media',
    'The content type or content coding of the body is not accepted.',
    'Send the body uncompressed, with the `Content-Type` that `detail` names.',
  ],
  misdirected: [
    'misdirected',
    'In development, what holds or gives a token is not served at this host name.',
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
    'The client has sent more requests than it may. Nothing was done.',
    'Try again after the seconds of `Retry-After`.',
  ],
  internal_error: [
    'internal',
    'Something failed inside the gateway.',
    'Try again with the same idempotency key. If it stays, report the request id.',
  ],
  unavailable: [
    'unavailable',
    'The database is busy or cannot be reached.',
    'Try again after the seconds of `Retry-After`, with the same idempotency key.',
  ],
  overloaded: [
    'unavailable',
    'The gateway has too much to do. Nothing was done.',
    'Try again after the seconds of `Retry-After`.',
  ],
} as const;

/** Codes that come over REST alone. */
const REST_PROBLEMS = {
  route_not_found: [
    'not_found',
    'Nothing is served at this path.',
    'Check the path; it is exact in case and slashes. `/docs` lists all of them.',
  ],
  not_acceptable: [
    'not_acceptable',
    'The document does not exist in any form that `Accept` takes.',
    'Ask for one of the content types that `detail` names.',
  ],
  range_not_satisfiable: [
    'range_not_satisfiable',
    'The document has no such bytes.',
    'Ask for a range within the length that `Content-Range` gives.',
  ],
  stopping: ['unavailable', 'This process is stopping.', 'Send requests to another process.'],
} as const;

/** Codes of lines of a file that is imported, in `FILE.rejected.ndjson`. */
const IMPORT_PROBLEMS = {
  line_too_long: [
    'too_large',
    'The line has more bytes than a record may have.',
    'Check that each line is one record.',
  ],
  not_json: ['malformed', 'The line is not a JSON object in UTF-8.', 'Write one JSON object per line.'],
  not_storable: ['rule_broken', 'The database does not take a value of the record.', 'Correct the record.'],
  different_beneficiary: [
    'conflict',
    'The beneficiary is on record with different content.',
    'Change it over REST or GraphQL; an import overwrites no beneficiary.',
  ],
} as const;

export const PROBLEMS = { ...PROBLEMS_OF_BOTH, ...REST_PROBLEMS, ...GRAPHQL_PROBLEMS, ...IMPORT_PROBLEMS } as const;

export type ProblemCode = keyof typeof PROBLEMS;
export type Door = 'REST' | 'GraphQL' | 'Import';

/** Where a code is answered. */
export function doorsOf(code: ProblemCode): readonly Door[] {
  if (code in PROBLEMS_OF_BOTH) return ['REST', 'GraphQL'];
  if (code in REST_PROBLEMS) return ['REST'];
  return [code in GRAPHQL_PROBLEMS ? 'GraphQL' : 'Import'];
}

/** The address at which a code is explained (RFC 9457, 3.1.1), relative to the gateway. */
export function problemType(code: string): string {
  return `/problems#${code}`;
}
