import type { Caller } from '../../shared/caller.js';
import type { FieldProblem } from '../../shared/errors.js';
import type { Exchange } from './exchange.js';
import { shownAgent } from './shown-path.js';

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Facts about a request whose answer is over, or has become a stream: never its content. Each is looked up when it is
 * asked for, so that who needs only some pays for these alone. Copy what is needed: an object of this class keeps the
 * whole request in memory.
 */
export class AnsweredRequest {
  readonly durationMs: number;

  constructor(
    private readonly exchange: Exchange,
    private readonly showsAddress: boolean,
  ) {
    this.durationMs = performance.now() - exchange.startedMs;
  }

  /** The `X-Request-Id`. Clients choose it, so several requests may have the same. */
  get requestId(): string {
    return this.exchange.requestId;
  }

  /** The caller, with the idempotency key of the request; null without a valid access token. */
  get caller(): Caller | null {
    return this.exchange.caller;
  }

  get api(): 'rest' | 'graphql' {
    return this.exchange.api;
  }

  get method(): string {
    return this.exchange.request.method ?? '';
  }

  /**
   * The method and the pattern of a REST route, such as `POST /accounts/:accountId/close`, or the name that the client
   * gave its GraphQL operation; null for none.
   */
  get operation(): string | null {
    return this.exchange.operation;
  }

  /** The names of the fields at the root of a GraphQL operation; none for one that was refused before. */
  get rootFields(): readonly string[] {
    return this.exchange.rootFields;
  }

  /** True for a request that may have changed something. */
  get isWrite(): boolean {
    return this.api === 'graphql' ? this.exchange.isMutation : !READING_METHODS.has(this.method);
  }

  /** The codes of the refusals in the answer, with the fields that each is about; null where nothing was refused. */
  get refusals(): ReadonlyMap<string, readonly FieldProblem[]> | null {
    return this.exchange.refusals;
  }

  /** The status of HTTP, which is 200 for a GraphQL operation of which single fields were refused. */
  get status(): number {
    return this.exchange.response.statusCode;
  }

  /** True if the client was gone before the answer was sent. */
  get isAborted(): boolean {
    return !this.exchange.response.writableFinished && !this.exchange.isStream;
  }

  /** The length of the body as the client declared it; null where it did not. */
  get requestBytes(): number | null {
    const { 'content-length': length } = this.exchange.request.headers;
    return length === undefined ? null : Number(length);
  }

  /** The length of the body of the answer; null for one that was sent in parts. */
  get answerBytes(): number | null {
    return this.exchange.answerBytes;
  }

  /** The product that the client names in `User-Agent`, without what may be personal data; null for none. */
  get userAgent(): string | null {
    const { 'user-agent': agent } = this.exchange.request.headers;
    return agent === undefined ? null : shownAgent(agent);
  }

  /** The address of the client; null where the setting `LOG_CLIENT_ADDRESS` hides it. */
  get clientAddress(): string | null {
    return this.showsAddress ? this.exchange.clientAddress || null : null;
  }
}

/** Gets each request once it is over, on the way of the next ones: it must be quick, and must not throw. */
export type RequestWatch = (request: AnsweredRequest) => void;
