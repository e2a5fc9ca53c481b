import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Caller, type Identity } from '../../shared/caller.js';
import type { FieldProblem } from '../../shared/errors.js';
import { BEARER_ONLY, type ChallengePolicy } from '../auth/challenge.js';
import type { ReplicaSession } from '../database/reading.js';
import type { RequestTurn } from '../overload/overload.js';
import { isNumber } from './shown-path.js';

const EXCHANGE = Symbol('exchange');

/** Clients choose the names of their GraphQL operations, and a number in a name may be personal data. */
const NUMBER = /\d{4}/;

interface RequestWithExchange {
  [EXCHANGE]?: Exchange;
}

/** The facts that Express writes on a request once it has found a route. */
interface RoutedRequest {
  readonly route?: { readonly path?: unknown };
  /** The address as it was sent: routes may be mounted below a path, and see the rest of it. */
  readonly originalUrl?: string;
}

/** The spans of a request, where requests are traced. */
export interface Trace {
  /** The caller is known, and the operation begins. */
  beginOperation(): void;
  /** The request is over. */
  end(): void;
}

/** Charges requests for their cost. */
export interface CostCharger {
  /** See `Exchange.charge`. */
  charge(exchange: Exchange, total: number): Promise<void>;
}

/** Says who calls where a page of the gateway's own does, with the cookie of its user in place of an access token. */
export interface OwnPage {
  /** Throws a `Refusal`. */
  identify(exchange: Exchange): Promise<Identity>;
}

/** A request and its answer, and what the parts of the server learn about it. Its line in the log says all of it. */
export class Exchange {
  readonly requestId: string;
  readonly startedMs = performance.now();
  /** The header, or what stands for it where a browser cannot send one. */
  authorization: string | undefined;
  /** The proof of the token's key (RFC 9449), from the header `DPoP` or from what stands for it. */
  proof: string | undefined;
  /** The way in which refusals of this request ask for a token. */
  challengePolicy: ChallengePolicy = BEARER_ONLY;
  /** Where the metadata of the endpoint is, for one that has its own. */
  metadataUrl: string | null = null;
  /** The nonce for the client's next proofs; null where it needs none. */
  dpopNonce: string | null = null;
  /** Null until the access token is verified. */
  caller: Caller | null = null;
  api: 'rest' | 'graphql' = 'rest';
  /** Null for clients with an access token. */
  page: OwnPage | null = null;
  /** True if a page of ours shows the answer in a frame. */
  isFramed = false;
  /** True where the operator's manifest has the operation. Names that clients choose are no labels of metrics. */
  isOfManifest = false;
  /** The greatest cost of a GraphQL operation, in the units of its limit. */
  cost: number | null = null;
  /** Units that the caller was charged so far, and the headers that tell the rest. */
  charged = 0;
  private operationUnits = 0;
  private bodyUnits = 0;
  rateHeaders: Readonly<Record<string, string>> | null = null;
  /** Charges the request; null until it is authenticated, when nothing is due. */
  till: CostCharger | null = null;
  /** Codes of the refusals in the answer, with the fields that they are about; null where there are none. */
  refusals: Map<string, FieldProblem[]> | null = null;
  /** True for a GraphQL operation that writes. */
  isMutation = false;
  /** The names of the fields at the root of a GraphQL operation, each once. */
  rootFields: readonly string[] = [];
  /** The length of the body of the answer; null for one that was sent in parts. */
  answerBytes: number | null = null;
  trace: Trace | null = null;
  /** The position that its reads have to see, and what they saw; null where there are no replicas. */
  reading: ReplicaSession | null = null;
  /** True if the answer is a stream, which lasts as long as its client likes. */
  isStream = false;
  /** Called by the server when the answer becomes a stream. */
  onStream: (() => void) | null = null;
  /** Called by the server when the caller is known. Throws `Overloaded`. */
  onCaller: ((identity: Identity) => void) | null = null;
  /** Waits until the work for the request may begin; null where nothing waits. Throws `Overloaded`. */
  takeTurn: (() => Promise<void>) | null = null;
  /** Begins the request, while it waits for its turn. */
  turn: RequestTurn | null = null;
  private operationName: string | null = null;
  private interaction: string | null = null;
  /** Its place in the list of open exchanges. */
  place = 0;
  /** True if it was admitted, so that it counts towards overload. */
  isInside = false;
  /** The keys of those whose places it takes while it is inside. */
  sharers: readonly string[] = [];
  /** True while it waits for something that need not come soon, such as an event: that is no sign of overload. */
  isWaiting = false;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    /**
     * The address of the client itself, also behind trusted proxies; empty where the connection ended before it was
     * read.
     */
    readonly clientAddress: string,
  ) {
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request);
    this.authorization = request.headers.authorization;
    // Several headers are joined with commas, and then are no proof.
    this.proof = request.headers['dpop'] as string | undefined;
    (request as RequestWithExchange)[EXCHANGE] = this;
  }

  get url(): string {
    return (this.request as RoutedRequest).originalUrl ?? this.request.url ?? '';
  }

  /** See `interactionIdOf`. */
  get interactionId(): string {
    return (this.interaction ??= interactionIdOf(this.request, this.requestId));
  }

  /** The name of a GraphQL operation, or the pattern of a REST route, or null. */
  get operation(): string | null {
    if (this.operationName !== null) return this.operationName;
    const path = (this.request as RoutedRequest).route?.path;
    return typeof path === 'string' ? `${this.request.method} ${path}` : null;
  }

  set operation(name: string | null) {
    this.operationName = name === null || NUMBER.test(name) ? null : name;
  }

  /**
   * Charges the caller until the request has paid `total` units. Throws `RateLimited`. Costs nothing before
   * authentication.
   */
  async charge(total: number): Promise<void> {
    this.operationUnits = total;
    await this.till?.charge(this, total + this.bodyUnits);
  }

  /** Charges the caller for the length of the body, besides what the operation costs. Throws `RateLimited`. */
  async chargeBody(units: number): Promise<void> {
    this.bodyUnits = units;
    if (units > 0) await this.charge(this.operationUnits);
  }

  /** Notes that the answer has a refusal with this code, and the fields that it is about. */
  refused(code: string, errors: readonly FieldProblem[] = []): void {
    const refusals = (this.refusals ??= new Map<string, FieldProblem[]>());
    const others = refusals.get(code);
    if (others) others.push(...errors);
    else refusals.set(code, [...errors]);
  }

  /** The answer begins and has no end yet: from now on it is no request that others wait for. */
  beginStream(): void {
    this.isStream = true;
    this.onStream?.();
  }

  /** Notes who calls. Throws `Overloaded` where this client has its part of the places. */
  authenticated(identity: Identity): Caller {
    this.onCaller?.(identity);
    this.caller = new Caller(identity, this.requestId);
    this.trace?.beginOperation();
    return this.caller;
  }
}

/** The exchange of a request. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = (request as RequestWithExchange)[EXCHANGE];
  if (!exchange) throw new Error('exchangeOf() on a request that the server has not begun');
  return exchange;
}

/** The caller. Only for routes behind authentication. */
export function callerOf(request: IncomingMessage): Caller {
  const { caller } = exchangeOf(request);
  if (!caller) throw new Error('callerOf() on a request that was not authenticated');
  return caller;
}

const REQUEST_ID = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/**
 * The caller's `X-Request-Id` if it is short, plain and not one long number (which may be a tax id or a card number),
 * else a new one. It is written into logs, events and answers.
 */
function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && REQUEST_ID.test(header) && !isNumber(header) ? header : randomUUID();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The client's `x-fapi-interaction-id` if it is a UUID, else the id of the request if that is one, else a new one. It
 * is written into the log and the answer (FAPI 2.0 Implementation and Deployment Advice, 5.2.1).
 */
function interactionIdOf({ headers }: IncomingMessage, requestId: string): string {
  const header = headers['x-fapi-interaction-id'];
  if (typeof header === 'string' && UUID.test(header)) return header;
  return UUID.test(requestId) ? requestId : randomUUID();
}
