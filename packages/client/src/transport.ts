import type { TillgateError } from './errors.js';
import { readJson } from './exact-json.js';
import { foreign, outcomeOf, refusalIn } from './refusals.js';
import { isPassing, leavesDoubt, pauseMs, retryAfterMs } from './retries.js';
import { Tokens, type TokenSource } from './tokens.js';
import { limited, requireTime, sleep, throwIfAborted, unlessAborted } from './waiting.js';

export interface Settings {
  /** Where the gateway is, such as `https://bank.example.com`. */
  readonly url: string;
  readonly token: TokenSource;
  /** The time that a call may take with all its attempts; a minute unless this says otherwise, at most 24 days. */
  readonly timeoutMs?: number;
  /** The time that one attempt may take, its answer read to the end; 15 seconds unless this says otherwise. */
  readonly attemptTimeoutMs?: number;
  /** In place of the global `fetch`: in React Native one that can read streams, for subscriptions. */
  readonly fetch?: typeof fetch;
}

/** The options of any call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time that this call may take with all its attempts. */
  readonly timeoutMs?: number | undefined;
}

/** The options of a write. */
export interface WriteOptions extends CallOptions {
  /**
   * The idempotency key. One is made for the call if there is none; give your own to send a write again after a crash.
   */
  readonly key?: string | undefined;
}

export interface ApiRequest extends WriteOptions {
  readonly method: string;
  /** Path and query, from `/` on. */
  readonly path: string;
  readonly body?: string | Blob | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The time beyond the usual that the gateway may take to answer. */
  readonly waitMs?: number | undefined;
  /** The answer is a document, whose bytes are wanted. */
  readonly isDocument?: boolean | undefined;
}

export interface Answer {
  readonly headers: Headers;
  readonly body: unknown;
}

interface FailedAttempt {
  readonly error: TillgateError;
  readonly askedMs?: number;
}

const TIMEOUT_MS = 60_000;
const ATTEMPT_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 8;
const POSITION = 'tillgate-position';

/** Sends requests, and sends them again where that may help: a write with the key of its first attempt. */
export class Transport {
  private readonly url: string;
  private readonly tokens: Tokens;
  /** The latest of what was read and written, so that no replica answers from before it. */
  private position = '';

  /** Throws a `TypeError` for a time that is none. */
  constructor(private readonly settings: Settings) {
    requireTime('timeoutMs', settings.timeoutMs);
    requireTime('attemptTimeoutMs', settings.attemptTimeoutMs);
    this.url = settings.url.replace(/\/+$/, '');
    this.tokens = new Tokens(settings.token);
  }

  async send(asked: ApiRequest): Promise<Answer> {
    requireTime('timeoutMs', asked.timeoutMs);
    const timeoutMs = (asked.timeoutMs ?? this.settings.timeoutMs ?? TIMEOUT_MS) + (asked.waitMs ?? 0);
    const deadline = Date.now() + timeoutMs;
    const limit = limited(timeoutMs, asked.signal);
    let wasInDoubt = false;
    let isRenewed = false;
    try {
      for (let attempt = 1; ; attempt++) {
        const token = await unlessAborted(this.tokens.get(), limit.signal);
        const outcome = await this.attempt(asked, token, limit.signal);
        if (!('error' in outcome)) return outcome;
        const { error, askedMs } = outcome;
        throwIfAborted(asked.signal);
        if (error.status === 401 && !isRenewed && this.tokens.refused(token)) {
          isRenewed = true;
          continue;
        }
        wasInDoubt ||= leavesDoubt(error);
        const pause = pauseMs(attempt, askedMs);
        const isLast = attempt >= MAX_ATTEMPTS || Date.now() + pause >= deadline;
        if (isLast || !isPassing(error)) throw outcomeOf(error, wasInDoubt);
        await sleep(pause, asked.signal);
      }
    } finally {
      limit.done();
    }
  }

  /** Sends once, and gives what streams. A new token is got for one that was refused. */
  async open(asked: ApiRequest, signal: AbortSignal): Promise<Response> {
    for (let isRenewed = false; ; isRenewed = true) {
      const token = await unlessAborted(this.tokens.get(), signal);
      const response = await this.request(asked, token, signal);
      if (response.status !== 401 || isRenewed || !this.tokens.refused(token)) return response;
    }
  }

  /** The token that is used now, as the gateway says, is no longer good. */
  async renew(): Promise<boolean> {
    return this.tokens.refused(await this.tokens.get());
  }

  private async attempt(asked: ApiRequest, token: string, signal: AbortSignal): Promise<Answer | FailedAttempt> {
    const attemptMs = (this.settings.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS) + (asked.waitMs ?? 0);
    const limit = limited(attemptMs, signal);
    try {
      const response = await this.request(asked, token, limit.signal);
      // The answer counts when all of it is here: a connection may break in the middle of it.
      const { headers, ok, status } = response;
      if (asked.isDocument && ok) return { headers, body: await response.arrayBuffer() };
      const text = await response.text();
      const isJson = isOfGateway(headers);
      const body = isJson ? readJson(text) : undefined;
      const error = isJson ? refusalIn(status, body, asked.key) : foreign(status, asked.key);
      return error ? { error, askedMs: retryAfterMs(headers) } : { headers, body };
    } catch (cause) {
      // Refused, reset, cut off, too late: nothing says whether the gateway did what was asked.
      return { error: foreign(0, asked.key, cause) };
    } finally {
      limit.done();
    }
  }

  private async request(asked: ApiRequest, token: string, signal: AbortSignal): Promise<Response> {
    const { method, path, body, key } = asked;
    // A link of another form could lead elsewhere, with the token.
    if (!path.startsWith('/')) throw new TypeError('A path begins with /.');
    const ask = this.settings.fetch ?? fetch;
    const request = {
      method,
      headers: {
        accept: 'application/json',
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...asked.headers,
        ...(key !== undefined && { 'x-idempotency-key': key }),
        ...(this.position !== '' && { [POSITION]: this.position }),
        authorization: `Bearer ${token}`,
      },
      ...(body !== undefined && { body }),
      cache: 'no-store',
      credentials: 'omit',
      // A redirect would take the token and the data to another place.
      redirect: 'manual',
      signal,
    } as const;
    const response = await ask(`${this.url}${path}`, request);
    const position = response.headers.get(POSITION) ?? '';
    if (position > this.position) this.position = position;
    return response;
  }
}

export function isOfGateway(headers: Headers): boolean {
  return /[/+]json\b/.test(headers.get('content-type') ?? '');
}
