import type { Bearer } from '../platform/auth/bearer.js';
import { DpopNonces } from '../platform/auth/dpop-nonces.js';
import { Introspection } from '../platform/auth/introspection.js';
import { NO_POSSESSION } from '../platform/auth/possession-settings.js';
import { TokenStanding } from '../platform/auth/token-standing.js';
import type { ProxyTrust } from '../platform/http/client-address.js';
import { Gate } from '../platform/http/gate.js';
import { ProofOfPossession } from '../platform/http/proof-of-possession.js';
import type { ProtectedResource } from '../platform/http/protected-resource.js';
import { PublicAddress } from '../platform/http/public-address.js';
import type { Logger } from '../platform/logging/logger.js';
import type { PacedRefusals } from '../platform/overload/overload.js';
import { ClientRate } from '../platform/rate/client-rate.js';
import { BY_ADDRESS, FailedAuthentications } from '../platform/rate/failed-authentications.js';
import type { ProcessGroup } from '../platform/workers/process-group.js';
import type { Scope } from '../shared/caller.js';
import type { Config } from './config.js';
import type { Container } from './container.js';

/** Clients whose units are counted for several processes. */
const MAX_CLIENTS = 50_000;

export interface GateParts {
  readonly config: Config;
  readonly container: Container;
  readonly bearer: Bearer;
  readonly resource: ProtectedResource;
  readonly trust: ProxyTrust | null;
  readonly refusals: PacedRefusals;
  readonly together: ProcessGroup;
  readonly log: Logger;
}

/** Opens what authenticates the callers of a gateway, and charges them for their requests. */
export function openGate({ config, container, bearer, resource, trust, refusals, together, log }: GateParts): Gate {
  const { usedProofs, revocationWatch, keys } = container;
  const { address, possession: settings } = resource;
  return new Gate({
    bearer,
    possession: new ProofOfPossession({ settings, address, trust, nonces: new DpopNonces(keys), use: usedProofs.use }),
    standing: new TokenStanding(revocationWatch.revoked, introspectionOf(config, log)),
    refusals,
    rate: new ClientRate({
      perSecond: config.ratePerSecond,
      burst: config.rateBurst,
      store: rateStoreOf(config, container, together),
    }),
    failures: new FailedAuthentications(config.failedAuthPerMinute, together.tally('failed credentials', BY_ADDRESS)),
    logClientAddress: config.logClientAddress,
    log,
  });
}

/** Describes the gateway to those who need a token for it. */
export function resourceOf({ auth, publicUrl, tls }: Config, scopes: readonly Scope[]): ProtectedResource {
  return {
    address: new PublicAddress(publicUrl, tls ? 'https' : 'http'),
    issuer: auth?.issuer ?? null,
    scopes,
    scopePrefix: auth?.profile?.scopePrefix ?? '',
    possession: auth?.possession ?? NO_POSSESSION,
  };
}

/** Null where the issuer is not asked about tokens. */
function introspectionOf({ auth }: Config, log: Logger): Introspection | null {
  return auth?.introspection ? new Introspection(auth.issuer, auth.introspection, log) : null;
}

/** Null: this process counts alone. */
function rateStoreOf({ rateStore, rateBurst, ratePerSecond }: Config, { database }: Container, together: ProcessGroup) {
  if (rateStore === 'database') return database.pool;
  if (!together.shared) return null;
  return together.tally('rates', { windowMs: (rateBurst / ratePerSecond) * 1000, maxKeys: MAX_CLIENTS });
}
