import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../shared/caller.js';
import { requestIdOf } from './request-id.js';

const EXCHANGE = Symbol('exchange');
const free = async (): Promise<void> => undefined;

interface Marked {
  [EXCHANGE]?: Exchange;
}

/** A request and its answer, with what the parts of the server learn about it on the way. Its line in the log says all of it. */
export class Exchange {
  readonly requestId: string;
  readonly startedMs = performance.now();
  /** Null until the access token is verified. */
  caller: Caller | null = null;
  /** What is asked for, in our words and never the client's: the pattern of a REST route. For GraphQL the operation's name. */
  operation: string | null = null;
  /** What a GraphQL operation costs at most, in the units of its limit. */
  cost: number | null = null;
  /** Units that the caller's rate was charged for so far, and what the answer says of the rest. */
  charged = 0;
  rateHeaders: Readonly<Record<string, string>> | null = null;
  /** Charges the caller until this request has paid so many units in all. Throws `RateLimited`. Nothing is due before the gate. */
  charge: (units: number) => Promise<void> = free;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request);
    (request as Marked)[EXCHANGE] = this;
  }
}

/** The exchange that a request began. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = (request as Marked)[EXCHANGE];
  if (!exchange) throw new Error('exchangeOf() on a request that the server has not begun');
  return exchange;
}
