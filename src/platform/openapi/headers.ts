import { MAX_KEY_BYTES } from '../command/idempotency-header.js';
import type { Header, Parameter } from './operation.js';

/** Headers that many requests take and many answers have. */

export const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'The id of the request in the response, the logs and the events. An id that is not 1 to 128 plain characters, or that is one long number, is replaced by an id of the gateway.',
  schema: { type: 'string' },
  example: 'web-7f3a91',
};

export const TRACEPARENT: Parameter = {
  name: 'traceparent',
  in: 'header',
  description:
    'The span of the caller (W3C Trace Context). If the gateway traces requests, their spans are part of that trace.',
  schema: { type: 'string' },
  example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

const KEY_SCHEMA = { type: 'string', minLength: 1, maxLength: MAX_KEY_BYTES };

export const IDEMPOTENCY_KEY: readonly Parameter[] = [
  {
    name: 'X-Idempotency-Key',
    in: 'header',
    description: `Makes the write happen once: a retry with the same key and content gets the first response. The key is any text of 1 to ${MAX_KEY_BYTES} bytes; use a new UUID for each write. Spaces around it are ignored.`,
    schema: KEY_SCHEMA,
    example: '4be0c1a2-6d0f-4a57-9b7e-0c5f1c1f4c11',
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same as X-Idempotency-Key. If both are sent, they must be equal.',
    schema: KEY_SCHEMA,
  },
];

export const ANSWERED_REQUEST_ID: Header = {
  description: 'The X-Request-Id of the caller, or an id of the gateway. Quote it when you report a problem.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: 'web-7f3a91',
};

export const CACHE_CONTROL: Header = {
  description: 'No cache may store the response.',
  required: true,
  schema: { type: 'string', enum: ['no-store'] },
};

export const RATE_LIMIT: Readonly<Record<string, Header>> = {
  'RateLimit-Policy': {
    description:
      'The rate limit of the client: the number of units (q) in each window of seconds (w). A read costs 1 unit, a write 5, a document 10.',
    schema: { type: 'string', pattern: String.raw`^"client";q=\d+;w=\d+$` },
    example: '"client";q=5000;w=5',
  },
  RateLimit: {
    description: 'The number of units that are left (r), and the seconds until all units are available again (t).',
    schema: { type: 'string', pattern: String.raw`^"client";r=\d+;t=\d+$` },
    example: '"client";r=4995;t=5',
  },
};

export const REPLAYED: Header = {
  description: 'Present if the response is the recorded response, or refusal, of the first request with this key.',
  schema: { type: 'string', enum: ['true'] },
};

export const RETRY_AFTER: Header = {
  description: 'The number of seconds to wait before the next attempt.',
  schema: { type: 'string', pattern: String.raw`^\d+$` },
  example: '1',
};

export const CHALLENGE: Header = {
  description: 'The requirements for an access token (RFC 6750).',
  required: true,
  schema: { type: 'string', pattern: '^Bearer realm="tillgate"' },
  example: 'Bearer realm="tillgate"',
};

/** Where what was made can be found. */
export function location(example: string): Header {
  return {
    description: 'The path of the new record.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example,
  };
}
