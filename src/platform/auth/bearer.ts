import { hash } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Identity } from '../../shared/caller.js';
import { InsufficientScope, TokenExpired, Unauthenticated, Unavailable } from '../../shared/errors.js';
import { repeatsName } from './repeated-names.js';
import { isScope, isUuid } from './token-claims.js';
import { BANK_ID } from '../../shared/ids.js';

/** Asymmetric only: with HS256 among them, a public key would do as the secret of a forged token (RFC 8725, 3.1). */
const ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_HEADER_CHARACTERS = 8 * 1024;
/** Where a token brings a key along, or says where one is (RFC 7515, 4.1): keys come from the issuer's address alone. */
const OWN_KEY = ['jwk', 'jku', 'x5c', 'x5u'];
const MAX_CACHED_TOKENS = 10_000;
/** Bounds how long a key that the issuer withdrew still counts, whatever the lifetime of the tokens that it signed. */
const MAX_CACHED_MS = 10 * 60_000;

/** No control characters and no halves of characters: the database cannot store either. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

export interface BearerOptions {
  issuer: string;
  audience: string;
  keys: JWTVerifyGetKey;
  /** Milliseconds since the epoch; the system's clock by default. */
  nowMs?: () => number;
}

interface CachedToken {
  readonly identity: Identity;
  readonly untilMs: number;
}

/** Knows callers by their access tokens: JWTs of RFC 9068, signed by the issuer, for this audience. */
export class Bearer {
  private readonly issuer: string;
  private readonly audience: string;
  private readonly keys: JWTVerifyGetKey;
  private readonly nowMs: () => number;
  private readonly verified = new LRUCache<string, CachedToken>({ max: MAX_CACHED_TOKENS });

  constructor({ issuer, audience, keys, nowMs = Date.now }: BearerOptions) {
    this.issuer = issuer;
    this.audience = audience;
    this.keys = keys;
    this.nowMs = nowMs;
  }

  /**
   * Who an `Authorization` header speaks for. Throws `Unauthenticated` (with `invalid_token` where a token was sent), and
   * `Unavailable` where the issuer's keys cannot be had.
   */
  async verify(authorizationHeader: string | undefined): Promise<Identity> {
    // The digest stands for the header: entries stay small however long tokens are (10,000 of 8 KiB would be 80 MB), and a dump
    // of the memory holds no credentials that still work.
    const digest = hash('sha256', authorizationHeader ?? '', 'base64');
    const cached = this.verified.get(digest);
    if (cached !== undefined) {
      if (cached.untilMs > this.nowMs()) return cached.identity;
      this.verified.delete(digest);
    }
    const claims = await this.check(readToken(authorizationHeader));
    const identity = readIdentity(claims);
    // The clock tolerance is for checking alone: past its own `exp` no token is served from here.
    const untilMs = Math.min((claims.exp ?? 0) * 1000, this.nowMs() + MAX_CACHED_MS);
    if (untilMs > this.nowMs()) this.verified.set(digest, { identity, untilMs });
    return identity;
  }

  private async check(token: string): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys, {
        algorithms: ALGORITHMS,
        typ: 'at+jwt',
        issuer: this.issuer,
        audience: this.audience,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.nowMs()),
      });
      // 1e999 is JSON, and as a number it is later than every day there is.
      if (!Number.isFinite(payload.exp)) throw invalid('The access token has no usable claim exp.');
      if (OWN_KEY.some(name => name in protectedHeader)) {
        throw invalid('The access token brings a key along: only keys of the issuer count.');
      }
      if (token.split('.', 2).some(part => repeatsName(Buffer.from(part, 'base64url').toString('utf8')))) {
        throw invalid('The access token has a name twice in one object.');
      }
      return payload;
    } catch (error) {
      if (error instanceof Unavailable || error instanceof Unauthenticated) throw error;
      if (error instanceof errors.JWTExpired) throw new TokenExpired();
      throw invalid(reasonOf(error));
    }
  }
}

/**
 * The `WWW-Authenticate` header of a 401 or 403 (RFC 6750, 3). A caller who sent no token gets the bare challenge.
 */
export function wwwAuthenticate(refusal: Unauthenticated | InsufficientScope): string {
  const parameters: [name: string, value: string][] = [['realm', 'tillgate']];
  if (refusal instanceof InsufficientScope) {
    parameters.push(['error', 'insufficient_scope'], ['error_description', refusal.message], ['scope', refusal.scope]);
  } else if (refusal.tokenError !== undefined) {
    parameters.push(['error', refusal.tokenError], ['error_description', refusal.message]);
  }
  // RFC 6750, 3 leaves `"`, `\` and everything outside visible ASCII out of a description.
  return `Bearer ${parameters.map(([name, value]) => `${name}="${value.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")}"`).join(', ')}`;
}

function readToken(header: string | undefined): string {
  if (header === undefined || header === '') {
    throw new Unauthenticated('Send an access token: Authorization: Bearer <token>.');
  }
  if (header.length > MAX_HEADER_CHARACTERS) {
    throw invalid(`The Authorization header is longer than ${MAX_HEADER_CHARACTERS} characters.`);
  }
  if (!/^bearer( |$)/i.test(header)) {
    throw new Unauthenticated('The Authorization header has another scheme: send Bearer and an access token.');
  }
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header) ?? [];
  if (token === undefined) throw invalid('The Authorization header has no readable access token.');
  return token;
}

function readIdentity(claims: JWTPayload): Identity {
  const { program, client_id: clientId, sub: subject, scope = '', customer_id: customerId } = claims;
  if (!matches(BANK_ID, program)) throw invalid('The access token has no usable claim program.');
  if (!matches(NAME, clientId)) throw invalid('The access token has no usable claim client_id.');
  if (!matches(NAME, subject)) throw invalid('The access token has no usable claim sub.');
  if (typeof scope !== 'string') throw invalid('The claim scope of the access token is not a text.');
  if (customerId !== undefined && !(typeof customerId === 'string' && isUuid(customerId))) {
    throw invalid('The claim customer_id of the access token is not a UUID.');
  }
  const scopes = new Set(scope.split(' ').filter(isScope));
  return Object.freeze({ program, clientId, subject, customerId: customerId?.toLowerCase() ?? null, scopes });
}

function matches(pattern: RegExp, claim: unknown): claim is string {
  return typeof claim === 'string' && pattern.test(claim);
}

function invalid(message: string): Unauthenticated {
  return new Unauthenticated(message, 'invalid_token');
}

/** Says which check failed, in words of our own: those of a library may come to quote the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The access token fails the check of ${CLAIM_CHECKS.get(error.claim) ?? 'its claims'}.`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return 'The access token is signed with a key that the issuer does not have.';
  }
  return 'The access token cannot be verified.';
}

const CLAIM_CHECKS: ReadonlyMap<string, string> = new Map([
  ['typ', 'typ: it must be at+jwt'],
  ['iss', 'iss: another issuer made it'],
  ['aud', 'aud: it is for another audience'],
  ['exp', 'exp: it must say when it expires'],
  ['nbf', 'nbf: it is not valid yet'],
]);
