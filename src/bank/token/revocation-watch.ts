import type { RevokedTokens } from '../../platform/auth/revoked-tokens.js';
import type { Database } from '../../platform/database/orm.js';
import type { Feed } from '../../platform/feed/feed.js';
import type { Logger } from '../../platform/logging/logger.js';
import { KEPT_DAYS, type TokenRevocationRepository } from './token-revocation.repository.js';

/** The pause between two looks of a process for revocations that others wrote. */
const LOOK_EVERY_MS = 1000;
/** The time that each look goes back: longer than a transaction takes to commit, and than clocks differ. */
const OVERLAP_MS = 10 * 60_000;
const FORGET_EVERY_MS = 3_600_000;
const KEPT_MS = KEPT_DAYS * 86_400_000;

/** Keeps what a process knows of revoked tokens as the database has it. */
export class RevocationWatch {
  /** The beginning of the last look that succeeded. */
  private lookedAtMs: number | null = null;
  private forgotAtMs = 0;
  private isFailing = false;

  constructor(
    private readonly database: Database,
    private readonly repository: TokenRevocationRepository,
    readonly revoked: RevokedTokens,
    private readonly log: Logger,
  ) {}

  /** Learns all revocations, and from now on new ones, beside the feed. Throws where the database is away. */
  async start(feed: Feed): Promise<void> {
    await this.look();
    feed.lookBeside(connection => this.lookAgain(connection));
  }

  /** Learns what is committed by now. */
  async look(asking: Pick<Database, 'query'> = this.database): Promise<void> {
    const nowMs = Date.now();
    const since = this.lookedAtMs === null ? null : new Date(this.lookedAtMs - OVERLAP_MS);
    this.revoked.add(await this.repository.since(asking, since));
    this.lookedAtMs = nowMs;
    if (nowMs - this.forgotAtMs < FORGET_EVERY_MS) return;
    this.revoked.forgetBefore(nowMs - KEPT_MS);
    this.forgotAtMs = nowMs;
  }

  /** While the database is away, what was known stays in force. */
  private async lookAgain(connection: Database): Promise<void> {
    if (this.lookedAtMs !== null && Math.abs(Date.now() - this.lookedAtMs) < LOOK_EVERY_MS) return;
    try {
      await this.look(connection);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn({ err: error }, 'revoked tokens could not be read; the next look tries again');
      this.isFailing = true;
    }
  }
}
