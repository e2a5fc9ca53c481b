import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { invalidToken } from './invalid-token.js';
import type { TokenProfile, TokenType } from './token-profile.js';

/** What ID tokens have and access tokens have not (OpenID Connect Core, 2 and 3.3.2.11), and logout tokens and events (RFC 8417). */
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/**
 * Throws `Unauthenticated` unless the token is an access token. `at+jwt` says so; `JWT` or no `typ` at all says nothing, and then the claims must not
 * say that it is something else (RFC 8725, 3.11 and 3.12): an ID token is signed by the same keys.
 */
export function checkKind(header: Pick<JWTHeaderParameters, 'typ'>, claims: JWTPayload, { types }: TokenProfile): void {
  const type = typeOf(header);
  if (type === undefined || !types.has(type)) {
    throw notAnAccessToken(`The header of the token has ${REASONS[String(type)]}.`);
  }
  if (type === 'at+jwt') return;
  // Amazon Cognito says `access`, `id`; Keycloak `Bearer`, `ID`, `Refresh`, and `DPoP` where the token is bound to a key.
  if (Object.hasOwn(claims, 'token_use') && claims['token_use'] !== 'access') {
    throw notAnAccessToken('The claim token_use of the token is not access. Send the access token, not the ID token.');
  }
  if (Object.hasOwn(claims, 'typ') && claims['typ'] !== 'Bearer') {
    throw notAnAccessToken(
      'The claim typ of the token is not Bearer. Send the access token, not an ID or refresh token.',
    );
  }
  const foreign = CLAIMS_OF_OTHERS.find(name => Object.hasOwn(claims, name));
  if (foreign !== undefined) {
    throw notAnAccessToken(
      `The token has the claim ${foreign}, which ID tokens and events have. Send the access token.`,
    );
  }
}

/** Undefined: something else. Names of media types know no case, and `application/` may be left out (RFC 7515, 4.1.9). */
function typeOf({ typ }: Pick<JWTHeaderParameters, 'typ'>): TokenType | undefined {
  if (typ === undefined) return null;
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  return name === 'at+jwt' || name === 'jwt' ? name : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  'at+jwt': 'the typ at+jwt, which AUTH_TOKEN_TYPES does not name',
  jwt: 'the typ JWT, which AUTH_TOKEN_TYPES does not name',
  null: 'no typ, and AUTH_TOKEN_TYPES does not name absent',
  undefined: 'a typ that is not that of an access token',
};

function notAnAccessToken(reason: string) {
  return invalidToken('The token is not an access token of a type that this gateway accepts.', reason);
}
