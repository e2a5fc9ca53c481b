import type { IncomingMessage } from 'node:http';
import { Caller, type Identity } from '../../shared/caller.js';
import { exchangeOf, type Exchange } from './exchange.js';

/** Remembers who calls. */
export function rememberCaller(exchange: Exchange, identity: Identity): Caller {
  exchange.caller = new Caller(identity, exchange.requestId);
  exchange.trace?.beginOperation();
  return exchange.caller;
}

/** Who calls. Only routes behind the gate may ask. */
export function callerOf(request: IncomingMessage): Caller {
  const { caller } = exchangeOf(request);
  if (!caller) throw new Error('callerOf() on a request that was not authenticated');
  return caller;
}
