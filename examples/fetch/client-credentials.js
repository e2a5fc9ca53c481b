// Access tokens by the client credentials grant (RFC 6749, 4.4): got once, used until shortly before they expire,
// renewed once for all who wait.
import { isPassing, retryAfterMs, sleep, waitMs } from './retries.js';

/**
 * Renewed so long before it expires that no request is on its way with it by then; a short one after half of its life.
 */
const EARLY_S = 30;
const TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 4;

export class ClientCredentials {
  #tokenUrl;
  #credentials;
  #form;
  /** @type {{ token: string, freshUntil: number } | null} */
  #held = null;
  /** @type {Promise<string> | null} */
  #asking = null;

  /** @param {{ tokenUrl: string, clientId: string, clientSecret: string, scope?: string }} options */
  constructor({ tokenUrl, clientId, clientSecret, scope }) {
    this.#tokenUrl = tokenUrl;
    this.#credentials = btoa([clientId, clientSecret].map(encodeURIComponent).join(':'));
    this.#form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  }

  /** A token that still holds. */
  async get() {
    if (this.#held && Date.now() < this.#held.freshUntil) return this.#held.token;
    return this.#ask();
  }

  /** A token in place of one that was refused. Somebody else may have got it meanwhile. */
  async renew(bad) {
    if (this.#held?.token === bad) this.#held = null;
    return this.get();
  }

  /** However many want a token at once, one request gets it. */
  #ask() {
    this.#asking ??= this.#request().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #request() {
    for (let attempt = 1; ; attempt++) {
      const { error, askedMs } = await this.#attempt();
      if (!error) return this.#held.token;
      if (!isPassing(error) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(waitMs(attempt, askedMs));
    }
  }

  async #attempt() {
    const askedAt = Date.now();
    try {
      const response = await fetch(this.#tokenUrl, {
        method: 'POST',
        headers: { authorization: `Basic ${this.#credentials}`, accept: 'application/json' },
        body: this.#form,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      if (!response.ok) {
        const error = Object.assign(new Error(`The issuer gives no token: it answered with ${response.status}.`), {
          status: response.status,
          code: 'no_token',
        });
        return { error, askedMs: retryAfterMs(response.headers) };
      }
      const { access_token: token, expires_in: seconds = 0 } = JSON.parse(text);
      this.#held = { token, freshUntil: askedAt + Math.max(seconds - EARLY_S, seconds / 2) * 1000 };
      return {};
    } catch (error) {
      return { error };
    }
  }
}
