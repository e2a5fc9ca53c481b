import type { Config } from './config.js';
import { Bearer } from '../platform/auth/bearer.js';
import { DevIssuer } from '../platform/auth/dev-issuer.js';
import { issuerKeys } from '../platform/auth/issuer-keys.js';
import { isLoopback } from '../platform/settings/safe-address.js';
import type { Logger } from '../platform/logging/logger.js';

/** Opens the issuer of access tokens, and what verifies them. `devIssuer` is null where the issuer is a real one. */
export async function openBearer(
  { auth, dataDir, host }: Config,
  log: Logger,
): Promise<{ readonly bearer: Bearer; readonly devIssuer: DevIssuer | null }> {
  if (auth) return { bearer: new Bearer({ ...auth, keys: issuerKeys(auth.jwksUrl) }), devIssuer: null };
  const devIssuer = await DevIssuer.open(dataDir);
  if (!isLoopback(host)) {
    log.warn(
      'HOST is not a loopback address, and the development issuer gives tokens to everyone who can reach it. Let nobody else reach the port (HOST=127.0.0.1; for a container, publish it on 127.0.0.1), or set AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URL.',
    );
  }
  return { bearer: new Bearer(devIssuer), devIssuer };
}
