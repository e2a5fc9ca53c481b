import type { IncomingMessage } from 'node:http';
import { Caller, type Idempotency } from '../../shared/caller.js';
import { MalformedRequest } from '../../shared/errors.js';
import type { Bearer } from '../auth/bearer.js';

const callers = new WeakMap<IncomingMessage, Caller>();

/** Verifies the access token and remembers who calls. Throws `Unauthenticated`, or `MalformedRequest` for a bad idempotency key. */
export async function authenticate(request: IncomingMessage, bearer: Bearer, requestId: string): Promise<Caller> {
  const identity = await bearer.verify(request.headers.authorization);
  const caller = new Caller(identity, requestId, idempotencyOf(request));
  callers.set(request, caller);
  return caller;
}

/** Who calls. Only routes behind `authenticate` may ask. */
export function callerOf(request: IncomingMessage): Caller {
  const caller = callers.get(request);
  if (!caller) throw new Error('callerOf() on a request that was not authenticated');
  return caller;
}

/** As `callerOf`, for what runs whether or not the caller is known, like the log. */
export function callerIfKnown(request: IncomingMessage): Caller | undefined {
  return callers.get(request);
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
