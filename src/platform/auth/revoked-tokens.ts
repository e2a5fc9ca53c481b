import type { Identity } from '../../shared/caller.js';
import { Unauthenticated } from '../../shared/errors.js';

/** Which tokens of a program are revoked: one by its `jti`, or those of a client or a subject. */
export interface RevokedToken {
  readonly program: string;
  readonly kind: 'TOKEN' | 'CLIENT' | 'SUBJECT';
  readonly value: string;
  /** Tokens with a later `iat` are accepted; null for all. */
  readonly latestIssuedAt: string | null;
  /** When it was last asked for. */
  readonly revokedAt: string;
}

/** Instants of a revocation, in milliseconds. */
interface Revocation {
  readonly latestIssuedAtMs: number;
  readonly revokedAtMs: number;
}

/** Somebody revoked the token, here or at its issuer. */
export class TokenRevoked extends Unauthenticated {
  constructor(reason: string) {
    super('The access token has been revoked. Get a new one.', 'invalid_token', reason);
  }
}

/** The tokens of all programs that a process knows to be revoked. */
export class RevokedTokens {
  /** Counts up with each new revocation, so that open streams are looked at only then. */
  version = 0;
  private readonly known = new Map<string, Revocation>();

  add(revoked: readonly RevokedToken[]): void {
    for (const { program, kind, value, latestIssuedAt, revokedAt } of revoked) {
      const key = keyOf(program, kind, value);
      const latestIssuedAtMs = latestIssuedAt === null ? Infinity : Date.parse(latestIssuedAt);
      const revokedAtMs = Date.parse(revokedAt);
      if ((this.known.get(key)?.latestIssuedAtMs ?? -Infinity) >= latestIssuedAtMs) continue;
      this.known.set(key, { latestIssuedAtMs, revokedAtMs });
      this.version += 1;
    }
  }

  /** Forgets what was last asked for before an instant. */
  forgetBefore(instantMs: number): void {
    for (const [key, { revokedAtMs }] of this.known) if (revokedAtMs < instantMs) this.known.delete(key);
  }

  /** A token without `iat` may be as old as any. */
  includes({ program, clientId, subject, token }: Identity): boolean {
    if (this.known.size === 0 || !token) return false;
    const { tokenId, issuedAtMs } = token;
    const isBefore = (revocation: Revocation | undefined): boolean =>
      revocation !== undefined && (issuedAtMs === null || issuedAtMs <= revocation.latestIssuedAtMs);
    return (
      (tokenId !== null && this.known.has(keyOf(program, 'TOKEN', tokenId))) ||
      isBefore(this.known.get(keyOf(program, 'CLIENT', clientId))) ||
      isBefore(this.known.get(keyOf(program, 'SUBJECT', subject)))
    );
  }
}

function keyOf(program: string, kind: RevokedToken['kind'], value: string): string {
  return `${kind}\n${program}\n${value}`;
}
