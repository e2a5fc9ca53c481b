import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../shared/caller.js';
import { requestIdOf } from './request-id.js';

const EXCHANGE = Symbol('exchange');

/** Clients choose the names of their GraphQL operations, and a number in one may belong to somebody. */
const NUMBER = /\d{4}/;

interface Marked {
  [EXCHANGE]?: Exchange;
}

/** What Express writes on a request once a route took it. */
interface Routed {
  readonly route?: { readonly path?: unknown };
}

/** The spans of a request, where requests are traced. */
export interface Trace {
  /** Who calls is known, and what was asked for begins. */
  beginOperation(): void;
  /** The request is over. */
  end(): void;
}

/** Where requests pay. */
export interface Till {
  /** See `Exchange.charge`. */
  charge(exchange: Exchange, total: number): Promise<void>;
}

/** A request and its answer, with what the parts of the server learn about it on the way. Its line in the log says all of it. */
export class Exchange {
  readonly requestId: string;
  readonly startedMs = performance.now();
  /** Null until the access token is verified. */
  caller: Caller | null = null;
  door: 'rest' | 'graphql' = 'rest';
  /** True where the operator's manifest has the operation. Names that clients choose are no labels of metrics. */
  isOfManifest = false;
  /** What a GraphQL operation costs at most, in the units of its limit. */
  cost: number | null = null;
  /** Units that the caller's rate was charged for so far, and what the answer says of the rest. */
  charged = 0;
  rateHeaders: Readonly<Record<string, string>> | null = null;
  /** Where the request pays; null before it was let in, when nothing is due. */
  till: Till | null = null;
  /** Codes of the refusals that the answer tells, each once; null where it tells none. */
  refusals: Set<string> | null = null;
  trace: Trace | null = null;
  private operationName: string | null = null;
  /** Where it stands among those that are open. */
  place = 0;
  /** Whether it was let in, so that it counts among those that are worked on. */
  isInside = false;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    /** Of the client itself, also where it comes through proxies of ours; empty where the connection ended before it was looked at. */
    readonly clientAddress: string,
  ) {
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request);
    (request as Marked)[EXCHANGE] = this;
  }

  /** What is asked for: the name of a GraphQL operation, or the pattern of a REST route, or null. */
  get operation(): string | null {
    if (this.operationName !== null) return this.operationName;
    const path = (this.request as Routed).route?.path;
    return typeof path === 'string' ? `${this.request.method} ${path}` : null;
  }

  set operation(name: string | null) {
    this.operationName = name === null || NUMBER.test(name) ? null : name;
  }

  /** Charges the caller until this request has paid so many units in all. Throws `RateLimited`. Nothing is due before the gate. */
  async charge(total: number): Promise<void> {
    await this.till?.charge(this, total);
  }

  /** The answer tells a refusal with this code. */
  refused(code: string): void {
    (this.refusals ??= new Set()).add(code);
  }
}

/** The exchange that a request began. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = (request as Marked)[EXCHANGE];
  if (!exchange) throw new Error('exchangeOf() on a request that the server has not begun');
  return exchange;
}
