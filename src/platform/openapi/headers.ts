import { MAX_KEY_BYTES } from '../http/idempotency-header.js';
import type { Header, Parameter } from './operation.js';

/** Headers that many requests take and many answers have. */

export const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'Names the request in the answer, the logs and the events. One that is not 1 to 128 plain characters, or is one long number, is replaced by one of ours.',
  schema: { type: 'string' },
  example: 'web-7f3a91',
};

export const TRACEPARENT: Parameter = {
  name: 'traceparent',
  in: 'header',
  description: "The caller's span (W3C Trace Context). Where requests are traced, their spans are part of that trace.",
  schema: { type: 'string' },
  example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

const KEY_SCHEMA = { type: 'string', minLength: 1, maxLength: MAX_KEY_BYTES };

export const IDEMPOTENCY_KEY: readonly Parameter[] = [
  {
    name: 'X-Idempotency-Key',
    in: 'header',
    description: `Makes the write happen once, however often it is sent: a retry with the same key and content gets the first answer. Any text of 1 to ${MAX_KEY_BYTES} bytes, best a new UUID for each write. Spaces around it do not count.`,
    schema: KEY_SCHEMA,
    example: '4be0c1a2-6d0f-4a57-9b7e-0c5f1c1f4c11',
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same as X-Idempotency-Key. Where both are sent they have to be equal.',
    schema: KEY_SCHEMA,
  },
];

export const ANSWERED_REQUEST_ID: Header = {
  description: "The caller's X-Request-Id, or one of ours. Quote it when you ask about the request.",
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: 'web-7f3a91',
};

export const CACHE_CONTROL: Header = {
  description: 'No cache may keep the answer.',
  required: true,
  schema: { type: 'string', enum: ['no-store'] },
};

export const RATE_LIMIT: Readonly<Record<string, Header>> = {
  'RateLimit-Policy': {
    description:
      'What the client may use: so many units (q) in each window of so many seconds (w). A read is 1 unit, a write 5, a document 10.',
    schema: { type: 'string', pattern: String.raw`^"client";q=\d+;w=\d+$` },
    example: '"client";q=5000;w=5',
  },
  RateLimit: {
    description: 'What is left (r), and in how many seconds (t) all of it is there again.',
    schema: { type: 'string', pattern: String.raw`^"client";r=\d+;t=\d+$` },
    example: '"client";r=4995;t=5',
  },
};

export const REPLAYED: Header = {
  description: 'There where the answer, be it a refusal, is the recorded one of the first request with this key.',
  schema: { type: 'string', enum: ['true'] },
};

export const RETRY_AFTER: Header = {
  description: 'Seconds after which trying again makes sense.',
  schema: { type: 'string', pattern: String.raw`^\d+$` },
  example: '1',
};

export const CHALLENGE: Header = {
  description: 'What an access token has to be like (RFC 6750).',
  required: true,
  schema: { type: 'string', pattern: '^Bearer realm="tillgate"' },
  example: 'Bearer realm="tillgate"',
};

/** Where what was made can be found. */
export function location(example: string): Header {
  return {
    description: 'The path of what was made.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example,
  };
}
