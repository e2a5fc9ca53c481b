import type { Identity } from '../../shared/caller.js';
import type { Refusal } from '../../shared/errors.js';
import { readToken } from './authorization-header.js';
import type { Introspection } from './introspection.js';
import { TokenRevoked, type RevokedTokens } from './revoked-tokens.js';

/** The sender of a token, and the way in which it was sent. */
export interface TokenUse {
  readonly authorization: string | undefined;
  readonly identity: Identity;
}

/** Tells if verified tokens are still accepted: they may be revoked here, and at their issuer. */
export class TokenStanding {
  constructor(
    private readonly revoked: RevokedTokens,
    /** Null where the issuer is not asked. */
    private readonly introspection: Introspection | null,
  ) {}

  /** Counts up when tokens are revoked here. */
  get version(): number {
    return this.revoked.version;
  }

  /** True if tokens can be revoked without the gateway being told. */
  get isAskedFor(): boolean {
    return this.introspection !== null;
  }

  /** The refusal of a token that was revoked here; null for any other. */
  refusalOf(identity: Identity): Refusal | null {
    return this.revoked.includes(identity) ? new TokenRevoked('The token was revoked at this gateway.') : null;
  }

  /** Throws `TokenRevoked`, and `Unavailable` where the issuer must be asked and does not answer. */
  async check({ authorization, identity }: TokenUse): Promise<void> {
    const refusal = this.refusalOf(identity);
    if (refusal) throw refusal;
    if (!this.introspection || !identity.token) return;
    if (await this.introspection.isActive(readToken(authorization).token)) return;
    throw new TokenRevoked('The issuer says that the token is not active.');
  }
}
