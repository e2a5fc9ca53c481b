import type { RequestHandler } from 'express';
import type { Scope } from '../../shared/caller.js';
import { PROOF_ALGORITHMS } from '../auth/dpop-proof.js';
import type { PossessionSettings } from '../auth/possession-settings.js';
import { exchangeOf } from './exchange.js';
import type { PublicAddress } from './public-address.js';

export interface ProtectedResource {
  readonly address: PublicAddress;
  /** The authorization server; null for the development issuer, which has no metadata of its own. */
  readonly issuer: string | null;
  /** Everything that a token can allow. */
  readonly scopes: readonly Scope[];
  /** As the issuer writes it before each scope. */
  readonly scopePrefix: string;
  readonly possession: PossessionSettings;
}

/**
 * The metadata of the gateway, or of one of its endpoints, as a protected resource (RFC 9728, 2): where tokens come
 * from, and how they are sent.
 */
export function protectedResourceRoute(
  { address, issuer, scopes: all, scopePrefix, possession }: ProtectedResource,
  { path, scopes }: { readonly path: string; readonly scopes: readonly string[] } = { path: '', scopes: all },
): RequestHandler {
  const { mode, certificates } = possession;
  const takesProofs = mode !== 'off';
  return (req, res) => {
    res.json({
      resource: `${address.originOf(exchangeOf(req))}${path}`,
      ...(issuer !== null && { authorization_servers: [issuer] }),
      scopes_supported: scopes.map(scope => `${scopePrefix}${scope}`),
      bearer_methods_supported: ['header'],
      resource_name: 'Tillgate',
      tls_client_certificate_bound_access_tokens: takesProofs && certificates !== 'none',
      ...(takesProofs && { dpop_signing_alg_values_supported: PROOF_ALGORITHMS }),
      dpop_bound_access_tokens_required: mode === 'require' && certificates === 'none',
    });
  };
}
