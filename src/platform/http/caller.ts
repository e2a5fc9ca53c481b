import type { IncomingMessage } from 'node:http';
import { Caller, type Idempotency } from '../../shared/caller.js';
import { MalformedRequest } from '../../shared/errors.js';
import type { Bearer } from '../auth/bearer.js';
import { exchangeOf, type Exchange } from './exchange.js';

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

const KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyOf({ headers }: IncomingMessage): Idempotency | null {
  const given = [headers['x-idempotency-key'], headers['idempotency-key']].filter(key => key !== undefined);
  const [key, other = key] = given;
  if (key === undefined) return null;
  if (key !== other) throw new MalformedRequest('X-Idempotency-Key and Idempotency-Key differ: send one of them.');
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new MalformedRequest('The idempotency key must be 1 to 255 visible ASCII characters.');
  }
  return { key, outcomes: [] };
}
