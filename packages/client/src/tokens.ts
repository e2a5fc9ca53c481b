import { TillgateError } from './errors.js';
import { limited } from './waiting.js';

/** A token, or what gets one: it is asked at first, before a token expires, and after one was refused. */
export type TokenSource = string | (() => string | Promise<string>);

/** The time before a token expires at which another one is asked for. */
const EARLY_MS = 30_000;
const TIMEOUT_MS = 10_000;

/** Holds one token for all requests. However many want a new one at once, the source is asked once. */
export class Tokens {
  private held: { readonly token: string; readonly freshUntil: number } | undefined;
  private asking: Promise<string> | undefined;

  constructor(private readonly source: TokenSource) {}

  get(): Promise<string> {
    if (this.held && Date.now() < this.held.freshUntil) return Promise.resolve(this.held.token);
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  /** Tells that a token was refused, and gives whether there may be another one. */
  refused(token: string): boolean {
    if (typeof this.source === 'string') return false;
    // Another request may have got a new one meanwhile.
    if (this.held?.token === token) this.held = undefined;
    return true;
  }

  private async ask(): Promise<string> {
    const token = typeof this.source === 'string' ? this.source : await this.source();
    this.held = { token, freshUntil: typeof this.source === 'string' ? Infinity : freshUntil(token) };
    return token;
  }
}

/** A token that is no JWT is used until it is refused. */
function freshUntil(token: string): number {
  try {
    const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { exp } = JSON.parse(claims) as { readonly exp?: unknown };
    const leftMs = Number(exp) * 1000 - Date.now();
    return Number.isNaN(leftMs) ? Infinity : Date.now() + Math.max(leftMs - EARLY_MS, leftMs / 2);
  } catch {
    return Infinity;
  }
}

export interface ClientCredentials {
  /** Where the issuer gives tokens, such as `https://login.example.com/oauth/token`. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

/** Gets tokens by the client credentials grant (RFC 6749, 4.4). For servers: a page or an app cannot keep a secret. */
export function clientCredentials({
  tokenUrl,
  clientId,
  clientSecret,
  scope,
}: ClientCredentials): () => Promise<string> {
  return async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
    const limit = limited(TIMEOUT_MS);
    try {
      const response = await fetch(tokenUrl, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: form.toString(),
        redirect: 'manual',
        signal: limit.signal,
      });
      if (!response.ok) {
        const message = `The issuer gives no token: it answered with status ${response.status}.`;
        throw new TillgateError({ status: response.status, code: 'no_token', message });
      }
      return ((await response.json()) as { readonly access_token: string }).access_token;
    } finally {
      limit.done();
    }
  };
}
