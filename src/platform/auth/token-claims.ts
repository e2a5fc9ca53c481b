import { SCOPES, type Scope } from '../../shared/caller.js';

/** What an access token says of its caller; the issuer signs it and the gateway reads it back. */
export interface TokenClaims {
  program: string;
  clientId: string;
  subject: string;
  /** Space separated; an empty one allows nothing. */
  scope: string;
  /** A UUID; binds the token to one customer. */
  customerId?: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const KNOWN_SCOPES: ReadonlySet<string> = new Set(SCOPES);

export function isScope(name: string): name is Scope {
  return KNOWN_SCOPES.has(name);
}
