import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { STATUS_OF, type Refusal } from '../../shared/errors.js';
import { endsConnection } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { refusalHeaders } from '../http/problem.js';
import { isCurrent, revalidated } from '../http/entity-tags.js';
import { sendText, sendWhole, usualHeaders } from '../http/send.js';
import { shownRefusal } from './format-error.js';
import { PersistedQueryNotFound } from './persisted-operations.js';

/** The media types of responses (GraphQL over HTTP). */
const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'];
const MAX_CACHED_CHARACTERS = 200;

// Clients send one of a few headers, and parsing one takes as long as much else of a request.
const mediaTypes = new LRUCache<string, { readonly type: string | null }>({ max: 100 });

/** The media type that the client prefers; null if it accepts none. */
export function mediaTypeOf({ headers: { accept } }: IncomingMessage): string | null {
  if (accept === undefined || accept === '*/*') return 'application/json';
  const cached = mediaTypes.get(accept);
  if (cached) return cached.type;
  const type = new Negotiator({ headers: { accept } }).mediaType(MEDIA_TYPES) ?? null;
  if (accept.length <= MAX_CACHED_CHARACTERS) mediaTypes.set(accept, { type });
  return type;
}

export function contentType(type: string): { readonly 'Content-Type': string } {
  return { 'Content-Type': `${type}; charset=utf-8` };
}

/** Apollo calls no plugin if it refuses a request before there is an operation, so the errors lack their request id. */
export function withRequestId(body: string, requestId: string): string {
  const answer = JSON.parse(body) as { errors?: { extensions?: object }[] };
  const errors = answer.errors?.map(error => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return JSON.stringify({ ...answer, errors });
}

/** The status, the headers and the body of an answer. */
export type WholeAnswer = readonly [status: number, headers: Record<string, string>, body: string | Buffer];

/** Sends the answer to a GET. Its client may keep one without errors, and gets 304 while that is still the answer. */
export async function sendRevalidated(exchange: Exchange, ...[status, headers, body]: WholeAnswer): Promise<void> {
  const { request, response, refusals } = exchange;
  const others = response.getHeader('Vary');
  const varying = { ...headers, Vary: others === undefined ? 'Accept' : `${String(others)}, Accept` };
  if (status !== 200 || refusals) return sendText(exchange, status, varying, body);
  const validators = revalidated(body);
  if (!isCurrent(request, validators)) return sendText(exchange, status, { ...varying, ...validators }, body);
  const all = { ...usualHeaders(exchange), ...validators, Vary: `${varying.Vary}, Accept-Encoding` };
  response.writeHead(304, all).end();
}

/** Sends a refusal that was thrown outside of Apollo. */
export function sendRefusal(exchange: Exchange, refusal: Refusal): void {
  const { request, requestId } = exchange;
  exchange.refused(refusal.code, refusal.errors);
  const body = JSON.stringify({ errors: [shownRefusal(refusal, requestId)] });
  const headers = {
    ...refusalHeaders(exchange, refusal),
    ...contentType(mediaTypeOf(request) ?? 'application/json'),
    ...(endsConnection(request) && { connection: 'close' }),
  };
  // Apollo's clients expect this code with the status 200, and send the text of the operation then.
  const status = refusal instanceof PersistedQueryNotFound ? 200 : STATUS_OF[refusal.kind].status;
  sendWhole(exchange, status, headers, body);
}
