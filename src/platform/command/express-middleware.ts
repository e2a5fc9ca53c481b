import type { RequestHandler } from 'express';
import { callerOf, exchangeOf } from '../http/exchange.js';
import { callerWithKey } from './idempotency-header.js';

/** Gives the caller of a REST request its idempotency key. It must run behind the gate. Throws `MalformedRequest`. */
export function idempotencyMiddleware(): RequestHandler {
  return (request, _response, next) => {
    const exchange = exchangeOf(request);
    exchange.caller = callerWithKey(callerOf(request), exchange);
    next();
  };
}
