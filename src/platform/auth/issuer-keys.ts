import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { Unavailable } from '../../shared/errors.js';

/** After this long the keys are fetched again in the background, so that a withdrawn key does not stay. */
const REFRESH_MS = 10 * 60_000;
/** The pause before the next try when that fails. */
const RETRY_MS = 60_000;
/**
 * The time for which present keys serve while the issuer's host is away, so that callers do not notice a short outage.
 */
const USABLE_MS = 60 * 60_000;

export interface IssuerKeysOptions {
  /** Longest wait for one fetch of the keys. */
  timeoutMs?: number;
  /**
   * Least time between two fetches for unknown key ids, also after a failure: invented ids must not flood the issuer.
   */
  cooldownMs?: number;
}

/**
 * Finds the key of a token at the issuer's JWKS address (RFC 7517). Throws `Unavailable` where the keys cannot be
 * loaded, which is never the caller's fault, and an error of jose where the token's key is not among them.
 */
export function issuerKeys(
  jwksUrl: string,
  { timeoutMs = 5000, cooldownMs = 60_000 }: IssuerKeysOptions = {},
): JWTVerifyGetKey {
  let fetches = 0;
  let lookedAtMs = -Infinity;
  let lastFetchFailed = false;
  const remote = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    // `find` decides when an unknown key id is worth a fetch: jose would forget the fetches that failed.
    cooldownDuration: Infinity,
    cacheMaxAge: USABLE_MS,
    [customFetch]: async (...request) => {
      fetches += 1;
      lastFetchFailed = true;
      const response = await fetch(...request);
      lastFetchFailed = response.status !== 200;
      return response;
    },
  });
  let refreshAtMs = Infinity;
  const refresh = () => {
    refreshAtMs = Date.now() + RETRY_MS;
    // A failure is no error yet: the next attempt is scheduled, and callers fail only once the present keys are too
    // old.
    remote.reload().then(
      () => (refreshAtMs = Date.now() + REFRESH_MS),
      () => undefined,
    );
  };

  const find: JWTVerifyGetKey = async (header, token) => {
    const before = fetches;
    try {
      return await remote(header, token);
    } catch (error) {
      // Keys that were fetched since this call began are the newest.
      if (!(error instanceof errors.JWKSNoMatchingKey) || fetches > before) throw error;
      if (remote.reloading) {
        await remote.reload();
      } else if (Date.now() >= lookedAtMs + cooldownMs) {
        lookedAtMs = Date.now();
        await remote.reload();
      } else if (lastFetchFailed) {
        // The issuer may have this key.
        throw new Error('The last request for the keys of the issuer failed a moment ago.', { cause: error });
      }
      return remote(header, token);
    }
  };

  return async (header, token) => {
    if (Date.now() >= refreshAtMs && remote.fresh) refresh();
    try {
      const key = await find(header, token);
      if (refreshAtMs === Infinity) refreshAtMs = Date.now() + REFRESH_MS;
      return key;
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      throw new Unavailable('The keys of the issuer cannot be loaded at the moment. Try again.', {
        cause,
      });
    }
  };
}
