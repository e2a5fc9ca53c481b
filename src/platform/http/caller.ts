import type { IncomingMessage } from 'node:http';
import { Caller } from '../../shared/caller.js';
import type { Bearer } from '../auth/bearer.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { idempotencyOf } from './idempotency-header.js';

/** Verifies the access token and remembers who calls. Throws `Unauthenticated`, or `MalformedRequest` for a bad idempotency key. */
export async function authenticate(exchange: Exchange, bearer: Bearer): Promise<Caller> {
  const { request, requestId } = exchange;
  const identity = await bearer.verify(request.headers.authorization);
  exchange.caller = new Caller(identity, requestId, idempotencyOf(request));
  exchange.trace?.beginOperation();
  return exchange.caller;
}

/** Who calls. Only routes behind `authenticate` may ask. */
export function callerOf(request: IncomingMessage): Caller {
  const { caller } = exchangeOf(request);
  if (!caller) throw new Error('callerOf() on a request that was not authenticated');
  return caller;
}
