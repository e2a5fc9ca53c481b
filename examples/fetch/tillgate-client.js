// Calls Tillgate with `fetch` and nothing else. Copy this file: it runs in Node.js from 20.3, in Deno, in Bun and in
// browsers.
import { isPassing, leavesDoubt, retryAfterMs, sleep, waitMs } from './retries.js';

/** How long one attempt may take, its answer read to the end. The gateway gives up a statement after 10 s. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** How often a request is sent at most, and how long all of that may take. */
const MAX_ATTEMPTS = 6;
const DEADLINE_MS = 60_000;

/** The gateway answered, and the answer is no. */
export class TillgateError extends Error {
  name = 'TillgateError';

  /** @param {{ status: number, code: string, message: string, errors?: object[], requestId?: string }} said */
  constructor({ status, code, message, errors = [], requestId }) {
    super(message);
    this.status = status;
    /** What to decide by. It never changes, as words may. */
    this.code = code;
    /** Every bad field: `{ pointer, code, detail }`. */
    this.errors = errors;
    /** What to quote when you ask about it. */
    this.requestId = requestId;
  }

  /** Whether this was decided: the same request with the same key would be refused again. */
  get isFinal() {
    return !isPassing(this) && !isAboutTheToken(this);
  }
}

/**
 * No answer came that says what became of the request. A write may have been done or not: send it again with the same
 * key, be it in an hour, and it is done once. A new key would risk to do it twice.
 */
export class OutcomeUnknown extends Error {
  name = 'OutcomeUnknown';

  constructor(options) {
    super('The write may have been done: send it again with the same key.', options);
  }
}

/**
 * @typedef {object} Answer
 * @property {any} body what was answered, parsed
 * @property {Headers} headers
 * @property {boolean} replayed whether this is the answer to an earlier request with the same key
 */

export class Tillgate {
  #url;
  #tokens;
  #attemptTimeoutMs;

  /**
   * @param {object} options
   * @param {string} options.url where the gateway is, for example `https://bank.example.com`
   * @param {{ get(): Promise<string>, renew(bad: string): Promise<string> }} options.tokens see `ClientCredentials`
   * @param {number} [options.attemptTimeoutMs]
   */
  constructor({ url, tokens, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }) {
    this.#url = new URL(url).href.replace(/\/+$/, '');
    this.#tokens = tokens;
    this.#attemptTimeoutMs = attemptTimeoutMs;
  }

  /** Reads. What is read may be read again, so it is retried without a key. */
  async get(path, { signal } = {}) {
    return (await this.#send({ method: 'GET', path, signal })).body;
  }

  /**
   * All elements of a list, page by page: `for await (const item of bank.list('/accounts/a/transactions',
   * 'transactions'))`.
   */
  async *list(path, name, { signal } = {}) {
    for (let next = path; next;) {
      const page = await this.get(next, { signal });
      yield* page[name];
      next = page.links?.next?.href;
    }
  }

  /**
   * Writes. The key is a part of what you do, not of an attempt: make it once (`crypto.randomUUID()`), keep it with the
   * order that the write belongs to before you send, and send it again whenever you are not sure. Another order has
   * another key.
   *
   * @param {'POST' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {{ key: string, body?: unknown, signal?: AbortSignal }} options
   * @returns {Promise<Answer>}
   */
  async write(method, path, { key, body, signal }) {
    if (!key) throw new TypeError('A write needs an idempotency key.');
    return this.#send({ method, path, key, body, signal });
  }

  /** A GraphQL query. Throws where any part of it failed. */
  async query(query, variables = {}, { signal } = {}) {
    return (await this.#send({ method: 'POST', path: '/graphql', body: { query, variables }, signal })).body.data;
  }

  /** A GraphQL mutation: the key counts for each of its fields, together with the field's name in the answer. */
  async mutate(query, variables, { key, signal }) {
    return this.write('POST', '/graphql', { key, body: { query, variables }, signal });
  }

  async #send({ method, path, key, body, signal }) {
    if (!path.startsWith('/')) throw new TypeError('A path begins with /.');
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const startedAt = Date.now();
    const request = {
      method,
      // Made once: the same key with another body is refused, and two texts of one object may differ.
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'x-idempotency-key': key }),
      },
      // A redirect would take the token and the data to another place.
      redirect: 'manual',
    };
    let token = await this.#tokens.get();
    let renewed = false;
    let inDoubt = false;
    for (let attempt = 1; ; attempt++) {
      const signals = [AbortSignal.timeout(this.#attemptTimeoutMs), deadline, ...(signal ? [signal] : [])];
      const { answer, error, askedMs } = await attemptOnce(`${this.#url}${path}`, request, token, signals);
      if (answer) return answer;
      signal?.throwIfAborted();
      const fail = cause => (key && inDoubt && !cause.isFinal ? new OutcomeUnknown({ cause }) : cause);
      // The token expired, or the issuer changed its keys. Once: a new token that is refused as well will not get
      // better.
      if (error.status === 401 && !renewed) {
        renewed = true;
        token = await this.#tokens.renew(token).catch(cause => {
          throw fail(cause);
        });
        attempt--;
        continue;
      }
      inDoubt ||= leavesDoubt(error);
      const pauseMs = waitMs(attempt, askedMs);
      const isLast = attempt === MAX_ATTEMPTS || Date.now() - startedAt + pauseMs >= DEADLINE_MS;
      if (isLast || !isPassing(error)) throw fail(error);
      await sleep(pauseMs, signal);
    }
  }
}

/** Gives an answer, or an error and for how long the gateway asks not to come again. */
async function attemptOnce(address, request, token, signals) {
  try {
    const response = await fetch(address, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${token}` },
      signal: AbortSignal.any(signals),
    });
    // The answer counts when all of it is here: a connection may break in the middle of it.
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    const body = isJson ? JSON.parse(text) : null;
    const error = errorOf(response, body);
    if (error) return { error, askedMs: retryAfterMs(response.headers) };
    if (!isJson) throw new Error('This is not what the gateway answers: something in between did.');
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { answer: { body, headers: response.headers, replayed } };
  } catch (error) {
    // Refused, reset, cut off, too late: nothing says whether the gateway did what was asked.
    return { error };
  }
}

/** What the answer refuses, over either API; null where it refuses nothing. */
function errorOf(response, body) {
  const { status } = response;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  // GraphQL: refused fields come with 200. One that may pass goes first, since the same key makes good all of them.
  const [refused] = (body?.errors ?? []).filter(({ extensions }) => extensions).sort((a, b) => passing(b) - passing(a));
  if (refused) {
    const { code, errors } = refused.extensions;
    return new TillgateError({ status, code, errors, requestId, message: refused.message });
  }
  if (response.ok) return null;
  const { code = 'no_problem_details', detail = `It was answered with ${status}.`, errors } = body ?? {};
  return new TillgateError({ status, code, errors, requestId, message: detail });
}

function passing({ extensions: { code } }) {
  return Number(isPassing(new TillgateError({ status: 200, code, message: '' })));
}

/** A token that is refused says nothing of what an earlier attempt did. */
function isAboutTheToken({ status }) {
  return status === 401 || status === 403;
}
