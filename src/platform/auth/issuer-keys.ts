import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Unavailable } from '../../shared/errors.js';

/** After this long the keys are fetched anew in the background, so a key that the issuer withdraws does not stay. */
const REFRESH_MS = 10 * 60_000;
/** How soon to try again when that fails. */
const RETRY_MS = 60_000;
/** Present keys serve this long while the issuer's host is away: callers with good tokens do not feel a short outage. */
const USABLE_MS = 60 * 60_000;

export interface IssuerKeysOptions {
  /** Longest wait for one fetch of the keys. */
  timeoutMs?: number;
  /** Least time between a fetch and the next one for an unknown key id, so that made-up ids cannot flood the issuer. */
  cooldownMs?: number;
}

/**
 * Finds the key of a token at the issuer's JWKS address (RFC 7517). Throws `Unavailable` where the keys cannot be had, which is
 * never the caller's fault; an error of jose where they can and the token's key is not among them.
 */
export function issuerKeys(
  jwksUrl: string,
  { timeoutMs = 5000, cooldownMs = 60_000 }: IssuerKeysOptions = {},
): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: USABLE_MS,
  });
  let refreshAtMs = Infinity;
  const refresh = () => {
    refreshAtMs = Date.now() + RETRY_MS;
    // A failure needs no word here: the next try is scheduled, and once the present keys are too old the callers' waits fail.
    remote.reload().then(
      () => (refreshAtMs = Date.now() + REFRESH_MS),
      () => undefined,
    );
  };
  return async (header, token) => {
    if (Date.now() >= refreshAtMs && remote.fresh) refresh();
    try {
      const key = await remote(header, token);
      if (refreshAtMs === Infinity) refreshAtMs = Date.now() + REFRESH_MS;
      return key;
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      throw new Unavailable('The keys that access tokens are checked with cannot be had at the moment: try again.', {
        cause,
      });
    }
  };
}
