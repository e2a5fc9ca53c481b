import { POSITION_PATTERN } from '../database/position.js';
import { MAX_REASON_CHARACTERS, REASON_HEADER } from '../command/agent-reason.js';
import { MAX_KEY_BYTES } from '../command/idempotency-header.js';
import type { JsonSchema } from '../input/json-schema.js';
import { parameter } from './operation.js';

/** Headers that many requests take and many answers have. */

const KEY = { type: 'string', minLength: 1, maxLength: MAX_KEY_BYTES };

/** The headers of writes that happen once. */
export const IDEMPOTENCY_KEY = [
  parameter(
    'header',
    'X-Idempotency-Key',
    `Makes the write happen once: a retry with the same key and content gets the first response. The key is any text of 1 to ${MAX_KEY_BYTES} bytes; use a new UUID for each write. Spaces around it are ignored.`,
    KEY,
    '4be0c1a2-6d0f-4a57-9b7e-0c5f1c1f4c11',
  ),
  parameter(
    'header',
    'Idempotency-Key',
    'In place of X-Idempotency-Key. A key in quotes, such as `"4be0c1a2"`, is what the quotes contain. If both headers are sent, their keys must be equal.',
    { type: 'string', minLength: 1 },
  ),
];

/** The header of what an agent may propose. */
export const AGENT_REASON = parameter(
  'header',
  REASON_HEADER,
  'The reason for which an agent proposes the change, one line in UTF-8, which the person who approves it reads. Ignored where no agent asks.',
  { type: 'string', minLength: 1, maxLength: MAX_REASON_CHARACTERS },
  'The customer lost the card.',
);

const INTERACTION = '93bac548-d2de-4546-b106-880a5018460d';

/** The headers of every request. */
export const USUAL_PARAMETERS = [
  parameter(
    'header',
    'X-Request-Id',
    'The id of the request in the response, the logs and the events. An id that is not 1 to 128 plain characters, or that is one long number, is replaced by an id of the gateway.',
    { type: 'string' },
    'web-7f3a91',
  ),
  parameter(
    'header',
    'x-fapi-interaction-id',
    'The id of the interaction, a UUID, in the response and the logs (FAPI 2.0). Anything else is replaced by an id of the gateway.',
    { type: 'string' },
    INTERACTION,
  ),
  parameter(
    'header',
    'traceparent',
    'The span of the caller (W3C Trace Context). If the gateway traces requests, their spans are part of that trace.',
    { type: 'string' },
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ),
  parameter(
    'header',
    'Tillgate-Position',
    'What the response must show at least: the greatest Tillgate-Position of the responses so far (they compare as texts), or several, comma-separated, or `latest` for all that is committed. It matters where the gateway reads from replicas of its database, and is ignored elsewhere.',
    { type: 'string' },
    'latest',
  ),
];

/** A header of an answer. */
export function header(description: string, form: JsonSchema, example?: string): object {
  return { description, schema: { type: 'string', ...form }, ...(example !== undefined && { example }) };
}

/** A header that no such answer comes without. */
export function always(description: string, form: JsonSchema, example?: string): object {
  return { ...header(description, form, example), required: true };
}

/** Where what was made can be found. */
export function location(example: string): object {
  return { Location: always('The path of the new record.', { format: 'uri-reference' }, example) };
}

const TAG = '"3-5dV1xq0Rz3nJp8cKfWm2Lg"';

/** The tag of one record. */
export const TAGGED = {
  ETag: always(
    'The version of the record, which every change of it counts up, and a digest of this response.',
    { pattern: String.raw`^"\d{1,10}-[A-Za-z0-9_-]{22}"$` },
    TAG,
  ),
};

/** The parameter of reads of one record. */
export const IF_NONE_MATCH = parameter(
  'header',
  'If-None-Match',
  'Answers 304 if the response would have this tag, or one of several.',
  { type: 'string' },
  TAG,
);

/** The parameter of changes of one record. */
export const IF_MATCH = parameter(
  'header',
  'If-Match',
  'Answers 412 and changes nothing if the record does not have the version of this tag, or of one of several. The digests in the tags do not count, and weak tags never match. `*` matches every version.',
  { type: 'string' },
  TAG,
);

/** The answer that a read gives in place of a record that is known. */
export const NOT_MODIFIED = { description: 'The response would have the tag in If-None-Match.', headers: TAGGED };

export const REQUEST_ID_FORM = { minLength: 1, maxLength: 128 };

/** The headers of answers to operations that count against the rate limit. */
export const RATE_LIMIT: Readonly<Record<string, object>> = {
  'RateLimit-Policy': header(
    'The rate limit of the client: the number of units (q) in each window of seconds (w). A read costs 1 unit, a write 5, a document 10.',
    { pattern: String.raw`^"client";q=\d+;w=\d+$` },
    '"client";q=5000;w=5',
  ),
  RateLimit: header(
    'The number of units that are left (r), and the seconds until all units are available again (t).',
    { pattern: String.raw`^"client";r=\d+;t=\d+$` },
    '"client";r=4995;t=5',
  ),
};

/** All headers that answers have in common, by their names. */
export const COMMON_HEADERS: Readonly<Record<string, object>> = {
  'X-Request-Id': always(
    'The X-Request-Id of the caller, or an id of the gateway. Quote it when you report a problem.',
    REQUEST_ID_FORM,
    'web-7f3a91',
  ),
  'x-fapi-interaction-id': always(
    'The x-fapi-interaction-id of the caller, or an id of the gateway.',
    { format: 'uuid' },
    INTERACTION,
  ),
  'DPoP-Nonce': header(
    'Present where DPoP proofs need a nonce of the gateway: the nonce for the next ones (RFC 9449, 8.2).',
    { minLength: 1, maxLength: 128 },
  ),
  'Cache-Control': always('No cache may store the response.', { enum: ['no-store'] }),
  ...RATE_LIMIT,
  'Idempotent-Replayed': header(
    'Present if the response is the recorded response, or refusal, of the first request with this key.',
    { enum: ['true'] },
  ),
  'Tillgate-Position': header(
    'What the response has written or shown, where the gateway reads from replicas of its database. Send it with later requests, so that they show it, too.',
    { pattern: POSITION_PATTERN },
  ),
};

export const RETRY_AFTER = header(
  'The number of seconds to wait before the next attempt.',
  { pattern: String.raw`^\d+$` },
  '1',
);

export const CHALLENGE = header(
  'The requirements for an access token (RFC 6750, RFC 9449).',
  { pattern: '^(Bearer|DPoP) realm="tillgate"' },
  'Bearer realm="tillgate"',
);
