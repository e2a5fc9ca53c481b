import { hash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Identity } from '../../shared/caller.js';
import { TokenExpired, Unauthenticated, Unavailable } from '../../shared/errors.js';
import { repeatedName } from '../../shared/repeated-name.js';
import { readToken } from './authorization-header.js';
import { CLOCK_TOLERANCE_SECONDS, invalidToken, RFC_9068, type TokenProfile } from './token-profile.js';
import { checkAudience, identityOf, checkKind } from './token-identity.js';

/** Asymmetric only: with HS256 allowed, a public key could be the secret of a forged token (RFC 8725, 3.1). */
const ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'];
/** Headers with a key or its address (RFC 7515, 4.1). Keys come from the issuer's address alone. */
const OWN_KEY = ['jwk', 'jku', 'x5c', 'x5u'];
const MAX_CACHED_TOKENS = 10_000;
/** Bounds how long tokens of a key that the issuer withdrew are still accepted. */
const MAX_CACHED_MS = 10 * 60_000;
const CANNOT_BE_VERIFIED = 'The access token cannot be verified.';

export interface BearerOptions {
  issuer: string;
  /** The gateway's name at the issuer. Any of several will do. */
  audience: string | readonly string[];
  /** The form of the issuer's tokens; that of RFC 9068 by default. */
  profile?: TokenProfile;
  keys: JWTVerifyGetKey;
  /** Where callers get tokens, for those who have none; the issuer by default. */
  tokenSource?: string;
  /** Milliseconds since the epoch; the system's clock by default. */
  nowMs?: () => number;
}

interface CachedToken {
  readonly identity: Identity;
  readonly untilMs: number;
}

/** Verifies access tokens: JWTs, signed by the issuer, for this audience. */
export class Bearer {
  private readonly issuer: string;
  private readonly audiences: readonly string[];
  private readonly profile: TokenProfile;
  private readonly keys: JWTVerifyGetKey;
  private readonly tokenSource: string;
  private readonly nowMs: () => number;
  private readonly verified = new LRUCache<string, CachedToken>({ max: MAX_CACHED_TOKENS });

  constructor({
    issuer,
    audience,
    profile = RFC_9068,
    keys,
    tokenSource = issuer,
    nowMs = () => Date.now(),
  }: BearerOptions) {
    this.issuer = issuer;
    this.audiences = [audience].flat();
    this.profile = profile;
    this.keys = keys;
    this.tokenSource = tokenSource;
    this.nowMs = nowMs;
  }

  /**
   * The identity in an `Authorization` header. Throws `Unauthenticated` (with `invalid_token` where a token was sent),
   * and `Unavailable` where the issuer's keys cannot be loaded.
   */
  async verify(authorizationHeader: string | undefined): Promise<Identity> {
    const digest = digestOf(authorizationHeader);
    const cached = this.knownBy(digest);
    if (cached) return cached;
    const claims = await this.check(readToken(authorizationHeader, this.tokenSource).token);
    const identity = identityOf(claims, this.profile);
    // The clock tolerance is for verification only: past its own `exp` no token is served from the cache.
    const untilMs = Math.min(identity.expiresAtMs ?? 0, this.nowMs() + MAX_CACHED_MS);
    if (untilMs > this.nowMs()) this.verified.set(digest, { identity, untilMs });
    return identity;
  }

  /**
   * The identity in a header that was verified before and is still valid; null for any other. Costs next to nothing.
   */
  known(authorizationHeader: string | undefined): Identity | null {
    return this.knownBy(digestOf(authorizationHeader));
  }

  /**
   * Throws as `verify` does for a token that is not valid whatever its signature is: of another issuer or audience,
   * expired, or no token at all. Costs a hundredth of a verification.
   */
  screen(authorizationHeader: string | undefined): void {
    const [claims, alg] = unverified(readToken(authorizationHeader, this.tokenSource).token);
    const { iss, exp } = claims;
    if (!ALGORITHMS.includes(alg ?? '') || iss !== this.issuer) throw invalidToken(CANNOT_BE_VERIFIED);
    checkAudience(claims, this.audiences, this.profile);
    if (typeof exp !== 'number') throw invalidToken('The access token has no valid claim exp.');
    if (exp + CLOCK_TOLERANCE_SECONDS <= this.nowMs() / 1000) throw new TokenExpired();
    this.mustBeIssued(claims);
  }

  private knownBy(digest: string): Identity | null {
    const cached = this.verified.get(digest);
    if (cached === undefined) return null;
    if (cached.untilMs > this.nowMs()) return cached.identity;
    this.verified.delete(digest);
    return null;
  }

  /** A revocation covers what is issued until now, by a clock within the tolerance, so no token is from later. */
  private mustBeIssued({ iat }: JWTPayload): void {
    if (typeof iat !== 'number' || iat <= this.nowMs() / 1000 + CLOCK_TOLERANCE_SECONDS) return;
    throw invalidToken(
      'The access token fails the check of iat: it is not issued yet.',
      `The claim iat of the token is more than ${CLOCK_TOLERANCE_SECONDS} seconds ahead. Set the clocks of the issuer and of the gateway.`,
    );
  }

  private async check(token: string): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys, {
        algorithms: ALGORITHMS,
        issuer: this.issuer,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.nowMs()),
      });
      // 1e999 is JSON for infinity, so the token would never expire.
      if (!Number.isFinite(payload.exp)) throw invalidToken('The access token has no valid claim exp.');
      if (OWN_KEY.some(name => name in protectedHeader)) {
        throw invalidToken('The access token contains a key. Only keys of the issuer are accepted.');
      }
      if (token.split('.', 2).some(part => repeatsName(part))) {
        throw invalidToken('The access token contains the same name twice in one object.');
      }
      this.mustBeIssued(payload);
      checkKind(protectedHeader, payload, this.profile);
      checkAudience(payload, this.audiences, this.profile);
      return payload;
    } catch (error) {
      if (error instanceof Unavailable || error instanceof Unauthenticated) throw error;
      if (error instanceof errors.JWTExpired) throw new TokenExpired();
      throw refusalOf(error, this.issuer);
    }
  }
}

function repeatsName(part: string): boolean {
  const json = Buffer.from(part, 'base64url').toString('utf8');
  return repeatedName(json, JSON.parse(json)) !== null;
}

/**
 * The key of the cache: entries stay small however long tokens are (10,000 of 8 KiB would be 80 MB), and a dump of the
 * memory has no valid credentials.
 */
function digestOf(header: string | undefined): string {
  return hash('sha256', header ?? '', 'base64');
}

/** The claims and the algorithm of a token that is not verified. */
function unverified(token: string): [claims: JWTPayload, alg: string | undefined] {
  try {
    return [decodeJwt(token), decodeProtectedHeader(token).alg];
  } catch {
    throw invalidToken(CANNOT_BE_VERIFIED);
  }
}

/** Names the failed check in our own words: a message of the library may quote the token. */
function refusalOf(error: unknown, issuer: string): Unauthenticated {
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    const what = CLAIM_CHECKS.get(claim) ?? 'its claims';
    return invalidToken(
      `The access token fails the check of ${what}.`,
      reason === 'missing' ? `The token has no claim ${claim}.` : claimReason(error, issuer),
    );
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return invalidToken(
      'The access token is signed with a key that the issuer does not have.',
      'The token is signed with a key that is not among those at AUTH_JWKS_URL.',
    );
  }
  return invalidToken(CANNOT_BE_VERIFIED, REASONS.get((error as { code?: unknown }).code));
}

function claimReason({ claim, payload }: errors.JWTClaimValidationFailed, issuer: string): string {
  if (claim !== 'iss') return `The claim ${claim} of the token is not valid.`;
  const bare = (text: unknown) => (typeof text === 'string' ? text.replace(/\/$/, '') : text);
  return bare(payload.iss) === bare(issuer)
    ? 'The claim iss of the token and AUTH_ISSUER differ by a slash at the end.'
    : 'The claim iss of the token is not AUTH_ISSUER.';
}

const CLAIM_CHECKS: ReadonlyMap<string, string> = new Map([
  ['iss', 'iss: it is from another issuer'],
  ['exp', 'exp: it has no time of expiry'],
  ['nbf', 'nbf: it is not valid yet'],
]);

const REASONS: ReadonlyMap<unknown, string> = new Map([
  [errors.JOSEAlgNotAllowed.code, `The header alg of the token is not one of ${ALGORITHMS.join(', ')}.`],
  [errors.JWKSMultipleMatchingKeys.code, 'The token names no key (kid), and several keys of the issuer are possible.'],
  [errors.JWSSignatureVerificationFailed.code, 'The signature of the token does not match the key of the issuer.'],
  [errors.JWSInvalid.code, 'The token is not a signed JWT.'],
]);
