import type { Tokens } from './client.js';

/** So long before it expires a token is no longer used, so that no request is on its way with it by then. */
const EARLY_S = 30;

interface Client {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whose tokens they are; without it those of the whole program. A parameter of the development issuer. */
  readonly customerId?: string;
}

/** Tokens by the client credentials grant (RFC 6749, 4.4). An app whose users log in gives theirs instead. */
export function clientCredentials({ tokenUrl, clientId, clientSecret, customerId }: Client): Tokens {
  let held: Promise<{ token: string; freshUntil: number }> | null = null;

  async function ask(): Promise<{ token: string; freshUntil: number }> {
    const askedAt = Date.now();
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(customerId && { customer_id: customerId }) }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`The issuer gives no token: it answered with ${response.status}.`);
    const { access_token: token, expires_in: seconds } = (await response.json()) as {
      access_token: string;
      expires_in: number;
    };
    return { token, freshUntil: askedAt + Math.max(seconds - EARLY_S, seconds / 2) * 1000 };
  }

  return async refused => {
    const now = await held?.catch(() => null);
    // Requests that want a token meanwhile wait for this one.
    if (!now || now.freshUntil <= Date.now() || now.token === refused) held = ask();
    return (await (held as NonNullable<typeof held>)).token;
  };
}
