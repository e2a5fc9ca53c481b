import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';
import type { StatementsWithoutActivity } from '../../program/program.entity.js';
import { DataClasses } from '../../../platform/repository/data-classes.js';
import { Sealed } from '../../../platform/repository/declarations.js';
import type { Issuer, Logo, Payer } from '../statement.content.js';
import type { LeftOutCode } from './left-out.js';

/** The counts of a run, or of one program's share of it. */
export abstract class IssueCounts {
  @Property({ type: 'integer' }) accounts!: number;
  @Property({ type: 'integer', default: 0 }) done!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) issued!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) corrected!: Opt<number>;
  /** Accounts whose period is not over in their time zone. */
  @Property({ type: 'integer', default: 0 }) early!: Opt<number>;
  /** Accounts that got no document, each with its reasons in `IssueLeftOut`. */
  @Property({ type: 'integer', default: 0 }) leftOut!: Opt<number>;
  /** Issued documents with letters that no installed font can print. */
  @Property({ type: 'integer', default: 0 }) unprintable!: Opt<number>;
}

const COUNTS = ['accounts', 'done', 'issued', 'corrected', 'early', 'leftOut', 'unprintable'] as const;

/** The starter of a run: an operator on the command line or by the API, or the gateway by itself. */
export type RunStarter = 'COMMAND_LINE' | 'OPERATOR' | 'GATEWAY';

/**
 * The issue of the documents of a period, and its progress. Its accounts are divided among jobs that all running
 * processes take. Each job counts what it did in the transaction that did it, so the numbers are right after any crash.
 */
@Entity({ tableName: 'issue_run' })
@DataClasses<IssueRun>({
  kept: 'without end',
  shownAs: ['StatementRun'],
  internal: [
    ...COUNTS,
    'startedAt',
    'startedBy',
    'finishedAt',
    'stoppedAt',
    'kind',
    'period',
    'program',
    'issueIncomplete',
  ],
  identifier: ['runId', 'rerunOf'],
})
export class IssueRun extends IssueCounts {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) startedAt!: Date;
  /** null for runs of before it was recorded. */
  @Property({ type: 'text', nullable: true }) startedBy!: RunStarter | null;
  /** When the last batch was done; null while one is missing. */
  @Property({ type: 'datetime', length: 3, nullable: true }) finishedAt!: Date | null;
  /** When an operator stopped it: its batches that had not begun by then are never issued. */
  @Property({ type: 'datetime', length: 3, nullable: true }) stoppedAt!: Date | null;
  /** `close` or `1099`. */
  @Property({ type: 'text' }) kind!: string;
  /** A month (`2026-06`) or a year (`2026`). */
  @Property({ type: 'text' }) period!: string;
  /** null for all programs. */
  @Property({ type: 'text', nullable: true }) program!: string | null;
  /** True if forms that lack something are issued all the same. */
  @Property({ type: 'boolean', default: false }) issueIncomplete!: Opt<boolean>;
  /** The run whose accounts without a document this one takes up again. */
  @Property({ type: 'uuid', nullable: true }) rerunOf!: string | null;
}

/** The counts of a run for the accounts of one program, which alone sees them. */
@Entity({ tableName: 'issue_run_program' })
@DataClasses<IssueRunProgram>({
  kept: 'without end',
  shownAs: ['StatementRun'],
  internal: [...COUNTS, 'program'],
  identifier: ['runId'],
})
export class IssueRunProgram extends IssueCounts {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  @Index()
  @PrimaryKey({ type: 'text' })
  program!: string;
}

/** An account that got no document in a run. Every one is kept. */
@Entity({ tableName: 'issue_left_out' })
@DataClasses<IssueLeftOut>({
  kept: 'as long as the account',
  shownAs: ['LeftOutAccount'],
  internal: ['program', 'reasons'],
  identifier: ['runId', 'accountId'],
})
export class IssueLeftOut {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  @PrimaryKey({ type: 'text' }) program!: string;
  @PrimaryKey({ type: 'text' }) accountId!: string;
  @Property({ type: 'array' }) reasons!: readonly LeftOutCode[];
}

/** A batch of accounts of a run. A job may run twice if its process died late, and counts once. */
@Entity({ tableName: 'issue_batch' })
@DataClasses<IssueBatch>({
  kept: 'without end',
  internal: ['doneAt'],
  identifier: ['runId', 'fromAccountId', 'toAccountId', 'accountIds'],
})
export class IssueBatch {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  /** The first account of the batch. */
  @PrimaryKey({ type: 'text' }) fromAccountId!: string;
  /** The last one; null for batches of before it was recorded. */
  @Property({ type: 'text', nullable: true }) toAccountId!: string | null;
  /** The accounts of a run that takes up others again; null for all from the first to the last. */
  @Property({ type: 'array', nullable: true }) accountIds!: readonly string[] | null;
  /** null until it is done. */
  @Property({ type: 'datetime', length: 3, nullable: true }) doneAt!: Date | null;
}

/** The issuer in the documents of a run. */
export interface RunIssuer {
  readonly issuer: Issuer;
  /** null where the program has none, which a run of forms does not begin with. */
  readonly payer: Payer | null;
  readonly logo: Logo | null;
  readonly statementsWithoutActivity: StatementsWithoutActivity;
}

/**
 * A program of a run as it was when the run began, so that every process prints the same. A run issues to the accounts
 * of these programs.
 */
@Entity({ tableName: 'issue_run_issuer' })
@DataClasses<IssueRunIssuer>({
  kept: 'without end',
  internal: ['program'],
  identifier: ['runId'],
  personal: { sealed: 'sealed' },
})
export class IssueRunIssuer {
  @PrimaryKey({ type: 'uuid' }) runId!: string;
  @PrimaryKey({ type: 'text' }) program!: string;
  /** `RunIssuer`: the program and the payer, as documents print them. */
  @Sealed({ as: 'issuer' })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}
