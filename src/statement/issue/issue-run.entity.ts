import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';

/** An account whose document could not be issued, and why: the code of a fact, nothing personal. */
export interface IssueFailure {
  readonly accountId: string;
  readonly code: string;
}

/**
 * The issue of the documents of a period, and its progress. Its accounts are divided among jobs that all running
 * processes take. Each job counts what it did in the transaction that did it, so the numbers are right after any crash.
 */
@Entity({ tableName: 'issue_run' })
export class IssueRun {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) startedAt!: Date;
  /** `close` or `1099`. */
  @Property({ type: 'text' }) kind!: string;
  /** A month (`2026-06`) or a year (`2026`). */
  @Property({ type: 'text' }) period!: string;
  /** null for all programs. */
  @Property({ type: 'text', nullable: true }) program!: string | null;
  @Property({ type: 'integer' }) accounts!: number;
  @Property({ type: 'integer', default: 0 }) done!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) issued!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) corrected!: Opt<number>;
  /** Accounts whose period is not over in their time zone. */
  @Property({ type: 'integer', default: 0 }) early!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) failed!: Opt<number>;
  /** The first of those that failed. */
  @Property({ type: 'json' }) failures!: readonly IssueFailure[];
}

/** A batch of accounts of a run that is done. A job may run twice if its process died late, and counts once. */
@Entity({ tableName: 'issue_batch' })
export class IssueBatch {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  /** The first account of the batch. */
  @PrimaryKey({ type: 'text' }) fromAccountId!: string;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) doneAt!: Date;
}
