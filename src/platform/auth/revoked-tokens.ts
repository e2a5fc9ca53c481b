import type { Identity } from '../../shared/caller.js';
import { Unauthenticated } from '../../shared/errors.js';

/** Which tokens of a program are revoked: one by its `jti`, or those of a client or a subject. */
export interface RevokedToken {
  readonly program: string;
  readonly kind: 'TOKEN' | 'CLIENT' | 'SUBJECT';
  readonly value: string;
  /** Tokens with a later `iat` are accepted; null for all. */
  readonly latestIssuedAt: string | null;
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
  private readonly untilMs = new Map<string, number>();

  add(revoked: readonly RevokedToken[]): void {
    for (const { program, kind, value, latestIssuedAt } of revoked) {
      const key = keyOf(program, kind, value);
      const until = latestIssuedAt === null ? Infinity : Date.parse(latestIssuedAt);
      if ((this.untilMs.get(key) ?? -Infinity) >= until) continue;
      this.untilMs.set(key, until);
      this.version += 1;
    }
  }

  /** A token without `iat` may be as old as any. */
  includes({ program, clientId, subject, token }: Identity): boolean {
    if (this.untilMs.size === 0 || !token) return false;
    const { tokenId, issuedAtMs } = token;
    const isBefore = (untilMs: number | undefined): boolean =>
      untilMs !== undefined && (issuedAtMs === null || issuedAtMs <= untilMs);
    return (
      (tokenId !== null && this.untilMs.has(keyOf(program, 'TOKEN', tokenId))) ||
      isBefore(this.untilMs.get(keyOf(program, 'CLIENT', clientId))) ||
      isBefore(this.untilMs.get(keyOf(program, 'SUBJECT', subject)))
    );
  }
}

function keyOf(program: string, kind: RevokedToken['kind'], value: string): string {
  return `${kind}\n${program}\n${value}`;
}
