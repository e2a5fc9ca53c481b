import { InsufficientScope, type Unauthenticated } from '../../shared/errors.js';
import type { TokenScheme } from './authorization-header.js';
import { PROOF_ALGORITHMS } from './dpop-proof.js';

/** The form in which a gateway wants tokens to be sent. */
export interface ChallengePolicy {
  /** In the order in which a challenge names them. */
  readonly schemes: readonly [TokenScheme, ...TokenScheme[]];
  /** Where the metadata of the protected resource is (RFC 9728, 5.1); null if the gateway does not know its address. */
  readonly metadataUrl: string | null;
}

export const BEARER_ONLY: ChallengePolicy = { schemes: ['Bearer'], metadataUrl: null };

/**
 * The `WWW-Authenticate` header of a 401 or 403 (RFC 6750, 3 and RFC 9449, 7.1): a challenge for each scheme, and what
 * is wrong at the one by which the token was sent. A caller who sent no token gets bare challenges.
 */
export function wwwAuthenticate(
  refusal: Unauthenticated | InsufficientScope,
  { schemes, metadataUrl }: ChallengePolicy = BEARER_ONLY,
  sentBy: TokenScheme | null = null,
): string {
  const isOfProof =
    !(refusal instanceof InsufficientScope) &&
    refusal.tokenError !== undefined &&
    refusal.tokenError !== 'invalid_token';
  const schemeInUse = isOfProof ? 'DPoP' : (schemes.find(scheme => scheme === sentBy) ?? schemes[0]);
  return schemes
    .map(scheme => {
      const parameters: (readonly [name: string, value: string])[] = [
        ['realm', 'tillgate'],
        ...(scheme === schemeInUse ? errorIn(refusal) : []),
        ...(scheme === 'DPoP' ? [['algs', PROOF_ALGORITHMS.join(' ')] as const] : []),
        ...(metadataUrl === null ? [] : [['resource_metadata', metadataUrl] as const]),
      ];
      return `${scheme} ${parameters.map(([name, value]) => `${name}="${plain(value)}"`).join(', ')}`;
    })
    .join(', ');
}

function errorIn(refusal: Unauthenticated | InsufficientScope): (readonly [name: string, value: string])[] {
  if (refusal instanceof InsufficientScope) {
    return [
      ['error', 'insufficient_scope'],
      ['error_description', refusal.message],
      ['scope', refusal.scope],
    ];
  }
  if (refusal.tokenError === undefined) return [];
  return [
    ['error', refusal.tokenError],
    ['error_description', refusal.message],
  ];
}

/** RFC 6750, 3 leaves `"`, `\` and everything outside visible ASCII out of a description. */
function plain(value: string): string {
  return value.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
