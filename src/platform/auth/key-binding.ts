import type { JWTPayload } from 'jose';
import type { KeyBinding } from '../../shared/caller.js';
import { invalidToken } from './token-profile.js';

const JWK_THUMBPRINT = 'jkt';
const CERTIFICATE_THUMBPRINT = 'x5t#S256';
/** SHA-256 in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * The keys to which a token is bound by its claim `cnf` (RFC 9449, 6.1 and RFC 8705, 3.1); null for none. Throws
 * `Unauthenticated` for a binding that this gateway cannot check: such a token must not pass as one without it.
 */
export function bindingOf(claims: JWTPayload): KeyBinding | null {
  if (!Object.hasOwn(claims, 'cnf')) return null;
  const { cnf } = claims;
  const members: unknown = cnf;
  if (typeof members !== 'object' || members === null || Array.isArray(members)) throw unknownBinding();
  const {
    [JWK_THUMBPRINT]: jwkThumbprint = null,
    [CERTIFICATE_THUMBPRINT]: certificateThumbprint = null,
    ...others
  } = members as Record<string, unknown>;
  const isEmpty = jwkThumbprint === null && certificateThumbprint === null;
  if (isEmpty || Object.keys(others).length > 0) throw unknownBinding();
  if (!isThumbprint(jwkThumbprint) || !isThumbprint(certificateThumbprint)) throw unknownBinding();
  return Object.freeze({ jwkThumbprint, certificateThumbprint });
}

function isThumbprint(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && THUMBPRINT.test(value));
}

function unknownBinding() {
  return invalidToken(
    'The access token is bound in a way that this gateway cannot check.',
    `The claim cnf of the token must have ${JWK_THUMBPRINT} or ${CERTIFICATE_THUMBPRINT}, or both, and nothing else.`,
  );
}
