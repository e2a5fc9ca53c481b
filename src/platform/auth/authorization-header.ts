import { TokenMissing, Unauthenticated } from '../../shared/errors.js';
import { invalidToken } from './token-profile.js';

/** The way in which a token is sent: alone (RFC 6750), or with a proof of its key (RFC 9449). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** A token as it was sent. */
export interface SentToken {
  readonly scheme: TokenScheme;
  readonly token: string;
}

const MAX_HEADER_CHARACTERS = 8 * 1024;

/**
 * Reads an `Authorization` header. Throws `Unauthenticated` where it has no token; `source` says where callers get one.
 */
export function readToken(header: string | undefined, source = 'its issuer'): SentToken {
  if (header === undefined || header === '') throw new TokenMissing(source);
  if (header.length > MAX_HEADER_CHARACTERS) {
    throw invalidToken(`The Authorization header is longer than ${MAX_HEADER_CHARACTERS} characters.`);
  }
  const scheme = schemeOf(header);
  if (scheme === null) {
    throw new Unauthenticated(
      'The Authorization header must have the scheme Bearer. Send it as `Authorization: Bearer <token>`.',
    );
  }
  const [, token] = /^(?:bearer|dpop) +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header) ?? [];
  if (token === undefined) {
    throw invalidToken(
      'The Authorization header has no valid access token. Send it as `Authorization: Bearer <token>`.',
    );
  }
  return { scheme, token };
}

/** The scheme of an `Authorization` header; null for a missing one and for others. */
export function schemeOf(header: string | undefined): TokenScheme | null {
  const [, name] = /^(bearer|dpop)(?: |$)/i.exec(header ?? '') ?? [];
  if (name === undefined) return null;
  return name.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer';
}
