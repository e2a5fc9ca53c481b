import type { JWTPayload, JWTHeaderParameters } from 'jose';
import { AGENT_SCOPE, asAgent, isScope, type Identity, type TokenFacts } from '../../shared/caller.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';
import {
  findClaim,
  kindOf,
  type ClaimPath,
  type FoundClaim,
  invalidToken,
  type TokenProfile,
  type TokenType,
} from './token-profile.js';
import { bindingOf } from './key-binding.js';
import { isUuid } from './token-endpoint.js';

/** Without control characters and lone surrogates, which the database cannot store. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const NAME_FORM = 'a text of 1 to 255 characters without control characters';

/** True for a text that may be the id of a client. */
export function isClientId(text: string): boolean {
  return NAME.test(text);
}

/**
 * The identity in a verified token. Throws `Unauthenticated` where it is missing or has another form than the profile.
 */
export function identityOf(claims: JWTPayload, profile: TokenProfile): Identity {
  const clientId = nameAt(claims, profile.client, 'The access token names no valid client.');
  const subject = nameAt(claims, profile.subject, 'The access token names no valid subject.');
  const person = personIn(claims, profile.person);
  const actor = actorIn(claims);
  const program = programOf(claims, profile, clientId);
  const customerId = customerOf(claims, profile, clientId);
  const expiresAtMs = (claims.exp ?? 0) * 1000;
  const names = scopesOf(claims, profile);
  const identity: Identity = {
    program,
    clientId,
    subject,
    ...(person !== undefined && { person }),
    ...(actor !== null && { actor }),
    customerId,
    scopes: new Set(names.filter(isScope)),
    expiresAtMs,
    token: factsOf(claims),
  };
  return Object.freeze(names.includes(AGENT_SCOPE) ? asAgent(identity) : identity);
}

/** Reads the facts of a token. A claim that is not in the form of RFC 7519 counts as absent. */
function factsOf(claims: JWTPayload): TokenFacts {
  const { jti, iat } = claims as Record<string, unknown>;
  return Object.freeze({
    tokenId: typeof jti === 'string' && NAME.test(jti) ? jti : null,
    issuedAtMs: typeof iat === 'number' && Number.isFinite(iat) ? iat * 1000 : null,
    binding: bindingOf(claims),
  });
}

/**
 * The person that claims tell, in an access token as in the claims of a sign-in. Undefined where no setting names a
 * claim, null where the claims have none: a system has no person. Throws `Unauthenticated` where it has another form.
 */
export function personIn(claims: JWTPayload, paths: readonly ClaimPath[] | null): string | null | undefined {
  if (paths === null) return undefined;
  return findClaim(claims, paths) === null ? null : nameAt(claims, paths, 'The access token names no valid person.');
}

const ACTOR: ClaimPath = { text: 'act.sub', names: ['act', 'sub'] };

/**
 * Finds the actor who acts for the subject now; those before are for information only (RFC 8693, 4.1). Throws
 * `Unauthenticated`.
 */
function actorIn(claims: JWTPayload): string | null {
  return (claims['act'] ?? null) === null ? null : nameAt(claims, [ACTOR], 'The access token names no valid actor.');
}

/**
 * Throws `Unauthenticated` unless the token is for one of the audiences. The `aud` of a token always counts; the
 * profile's claims stand in where it is missing.
 */
export function checkAudience(claims: JWTPayload, audiences: readonly string[], profile: TokenProfile): void {
  const paths = [AUD, ...profile.audience];
  const found = findClaim(claims, paths);
  if (found === null) throw notForUs(`The token has no claim ${namesOf(paths)}.`);
  const values: unknown = typeof found.value === 'string' ? [found.value] : found.value;
  if (!isTexts(values)) throw notForUs(`${claimIs(found)}, and must be a text or a list of texts.`);
  if (!values.some(value => audiences.includes(value))) {
    throw notForUs(`The claim ${found.path.text} of the token contains no value of AUTH_AUDIENCE.`);
  }
}

const AUD: ClaimPath = { text: 'aud', names: ['aud'] };

function notForUs(reason: string) {
  return invalidToken('The access token fails the check of aud: it is for another audience.', reason);
}

/** The program in a claim must not differ from the one in the settings. */
function programOf(claims: JWTPayload, profile: TokenProfile, clientId: string): string {
  const found = findClaim(claims, profile.program);
  const ofClient = profile.clientPrograms.get(clientId);
  if (found === null) {
    if (ofClient !== undefined) return ofClient;
    const more = profile.clientPrograms.size > 0 ? ', and AUTH_CLIENT_PROGRAMS does not name its client' : '';
    throw invalidToken(NO_PROGRAM, `The token has no claim ${namesOf(profile.program)}${more}.`);
  }
  const { value } = found;
  if (typeof value !== 'string' || !BANK_ID.test(value)) {
    throw invalidToken(NO_PROGRAM, `${claimIs(found)}, and must be a text of ${BANK_ID_FORM}.`);
  }
  if (ofClient !== undefined && ofClient !== value) {
    throw invalidToken(
      NO_PROGRAM,
      `The claim ${found.path.text} of the token differs from what AUTH_CLIENT_PROGRAMS says of its client.`,
    );
  }
  return value;
}

const NO_PROGRAM = 'The access token names no valid program.';

function customerOf(claims: JWTPayload, profile: TokenProfile, clientId: string): string | null {
  const found = findClaim(claims, profile.customer);
  if (found === null) {
    if (profile.programWideClients === null || profile.programWideClients.has(clientId)) return null;
    throw invalidToken(
      'The access token names no customer.',
      `The token has no claim ${namesOf(profile.customer)}, and AUTH_PROGRAM_WIDE_CLIENTS does not name its client.`,
    );
  }
  const { value } = found;
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw invalidToken('The customer of the access token is not a UUID.', `${claimIs(found)}, and must be a UUID.`);
}

function scopesOf(claims: JWTPayload, { scope, scopeLists, scopePrefix }: TokenProfile): readonly string[] {
  const found = findClaim(claims, scope);
  const value = found === null ? '' : found.value;
  const names: unknown = typeof value === 'string' ? value.split(' ') : scopeLists ? value : null;
  if (!isTexts(names)) {
    const form = scopeLists ? 'a text or a list of texts' : 'a text (with AUTH_SCOPE_CLAIM it may be a list of texts)';
    throw invalidToken('The scope of the access token cannot be read.', `${claimIs(found)}, and must be ${form}.`);
  }
  return names.filter(name => name.startsWith(scopePrefix)).map(name => name.slice(scopePrefix.length));
}

function nameAt(claims: JWTPayload, paths: readonly ClaimPath[], description: string): string {
  const found = findClaim(claims, paths);
  if (found === null) throw invalidToken(description, `The token has no claim ${namesOf(paths)}.`);
  if (typeof found.value === 'string' && NAME.test(found.value)) return found.value;
  throw invalidToken(description, `${claimIs(found)}, and must be ${NAME_FORM}.`);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

function namesOf(paths: readonly ClaimPath[]): string {
  return paths.map(({ text }) => text).join(' or ');
}

function claimIs(found: FoundClaim | null): string {
  return `The claim ${found?.path.text} of the token is ${kindOf(found?.value)}`;
}

/** Claims that only ID tokens (OpenID Connect Core, 2 and 3.3.2.11), logout tokens and events (RFC 8417) have. */
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/**
 * Throws `Unauthenticated` unless the token is an access token. The typ `at+jwt` is a proof. With `JWT` or no typ the
 * claims must not be those of another kind of token (RFC 8725, 3.11 and 3.12): the same keys sign ID tokens.
 */
export function checkKind(header: Pick<JWTHeaderParameters, 'typ'>, claims: JWTPayload, { types }: TokenProfile): void {
  const type = typeOf(header);
  if (type === undefined || !types.has(type)) {
    throw notAnAccessToken(`The header of the token has ${REASONS[String(type)]}.`);
  }
  if (type === 'at+jwt') return;
  // Amazon Cognito writes `access`, `id`; Keycloak `Bearer`, `ID`, `Refresh`, and `DPoP` for a token bound to a key.
  if (Object.hasOwn(claims, 'token_use') && claims['token_use'] !== 'access') {
    throw notAnAccessToken('The claim token_use of the token is not access. Send the access token, not the ID token.');
  }
  const kinds = Object.hasOwn(claims, 'cnf') ? ['Bearer', 'DPoP'] : ['Bearer'];
  if (Object.hasOwn(claims, 'typ') && !kinds.includes(claims['typ'] as string)) {
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

/** Undefined for other types. Media types ignore case, and `application/` may be left out (RFC 7515, 4.1.9). */
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
