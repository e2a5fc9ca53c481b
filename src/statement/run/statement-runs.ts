import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { IssueRun, type RunStarter } from '../issue/issue-run.entity.js';
import { leftOutOf } from '../issue/issue-run.js';
import type { AccountLeftOut } from '../issue/left-out.js';
import type { DocumentType } from '../statement.entity.js';

/** A run as it is shown: times are ISO 8601 in UTC. */
export interface RunView {
  readonly runId: string;
  readonly documentType: DocumentType;
  readonly period: string;
  readonly startedBy: RunStarter | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly status: 'RUNNING' | 'FINISHED' | 'GIVEN_UP';
  readonly issueIncomplete: boolean;
  readonly rerunOf: string | null;
  readonly accounts: number;
  readonly done: number;
  readonly issued: number;
  readonly corrected: number;
  readonly notOverYet: number;
  readonly leftOutCount: number;
}

export interface AccountLeftOutView {
  readonly accountId: string;
  /** Codes in capitals. */
  readonly reasons: readonly string[];
}

/** Which runs. */
export interface RunSelection {
  /** Runs for this program, with its numbers; null for all runs, with all numbers. */
  readonly program: string | null;
  readonly runId?: string | null;
  readonly documentType?: DocumentType | null;
  readonly period?: string | null;
}

export interface RunPage {
  /** The start and the id of the run before the page; null from the newest one. */
  readonly after: { readonly startedAt: string; readonly runId: string } | null;
  readonly offset: number;
  readonly limit: number;
}

const KINDS: Readonly<Record<DocumentType, string>> = { STATEMENTS: 'close', TAX_1099: '1099' };

/** A run as it is read, with its numbers for all programs. */
type RunRead = Readonly<Omit<IssueRun, 'startedAt' | 'finishedAt'>> & Pick<RunView, 'startedAt' | 'finishedAt'>;

type Counts = [accounts: number, done: number, issued: number, corrected: number, early: number, leftOut: number];

// The jobs of a run are looked at only while it is not done.
const STATUS = `CASE WHEN r.done >= r.accounts THEN 'FINISHED' WHEN EXISTS (
    SELECT FROM graphile_worker.jobs j WHERE j.key LIKE r.run_id || ':%'
      AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL)) THEN 'RUNNING' ELSE 'GIVEN_UP' END`;
// The numbers of a run are those of one program, or of all. A program without accounts has none in a run for it.
const SELECTED = `issue_run r JOIN LATERAL (
    SELECT p.accounts, p.done, p.issued, p.corrected, p.early, p.left_out FROM issue_run_program p
      WHERE p.run_id = r.run_id AND p.program = $1
    UNION ALL SELECT r.accounts, r.done, r.issued, r.corrected, r.early, r.left_out
      WHERE $1::text IS NULL OR (r.program = $1 AND r.accounts = 0)) s ON true
  WHERE ($2::uuid IS NULL OR r.run_id = $2) AND ($3::text IS NULL OR r.kind = $3) AND ($4::text IS NULL OR r.period = $4)`;
const COUNT = statementOf(`SELECT count(*)::int FROM ${SELECTED}`);
const LEFT_OUT_PAGE = statementOf(
  `SELECT account_id, reasons FROM issue_left_out WHERE run_id = $1 AND program = $2 ORDER BY account_id OFFSET $3 LIMIT $4`,
);
const LEFT_OUT_COUNT = statementOf('SELECT count(*)::int FROM issue_left_out WHERE run_id = $1 AND program = $2');

/** The runs that issued documents, and the accounts that got none. */
export class StatementRuns {
  private readonly runs: BatchedRepository<IssueRun, RunRead>;
  private readonly paging: Statement;

  constructor(private readonly database: Database) {
    this.runs = new BatchedRepository<IssueRun, RunRead>(database, IssueRun);
    this.paging = statementOf(
      `SELECT ${this.runs.columns('r')}, ${STATUS}, s.accounts, s.done, s.issued, s.corrected, s.early, s.left_out FROM ${SELECTED}
         AND ($5::timestamptz IS NULL OR (r.started_at, r.run_id) < ($5, $6::uuid))
       ORDER BY r.started_at DESC, r.run_id DESC OFFSET $7 LIMIT $8`,
    );
  }

  /** The newest first. With the program that a run was for, null for all. */
  async page(selection: RunSelection, page: RunPage): Promise<(RunView & { readonly program: string | null })[]> {
    const { after, offset, limit } = page;
    const place = [after?.startedAt ?? null, after?.runId ?? null, offset, limit];
    const rows = await this.database.read<unknown[]>(this.paging, [...valuesOf(selection), ...place]);
    return rows.map(row => viewOf(this.runs.read(row), ...(row.slice(-7) as [RunView['status'], ...Counts])));
  }

  async count(selection: RunSelection): Promise<number> {
    const [row] = await this.database.read<[number]>(COUNT, valuesOf(selection));
    return row?.[0] ?? 0;
  }

  /** The accounts of a program that got no document in a run, in the order of their ids. */
  async leftOut(runId: string, program: string, offset: number, limit: number): Promise<AccountLeftOutView[]> {
    type Found = [accountId: string, reasons: AccountLeftOut['reasons']];
    const rows = await this.database.read<Found>(LEFT_OUT_PAGE, [runId, program, offset, limit]);
    return rows.map(([accountId, reasons]) => leftOutView({ accountId, reasons }));
  }

  /** The same after an account. */
  async leftOutAfter(runId: string, program: string, after: string, limit: number): Promise<AccountLeftOutView[]> {
    const found = await leftOutOf(this.database, runId, program, { program, accountId: after }, limit);
    return found.map(leftOutView);
  }

  async leftOutCount(runId: string, program: string): Promise<number> {
    const [row] = await this.database.read<[number]>(LEFT_OUT_COUNT, [runId, program]);
    return row?.[0] ?? 0;
  }
}

function valuesOf({ program, runId, documentType, period }: RunSelection): unknown[] {
  return [program, runId ?? null, documentType ? KINDS[documentType] : null, period ?? null];
}

function viewOf(
  run: RunRead,
  status: RunView['status'],
  ...counts: Counts
): RunView & { readonly program: string | null } {
  const { runId, kind, period, startedBy, startedAt, finishedAt, issueIncomplete, rerunOf, program } = run;
  const [accounts, done, issued, corrected, notOverYet, leftOutCount] = counts;
  const documentType = kind === KINDS.STATEMENTS ? 'STATEMENTS' : 'TAX_1099';
  return {
    ...{ runId, documentType, period, startedBy, startedAt, finishedAt, status, issueIncomplete, rerunOf },
    ...{ accounts, done, issued, corrected, notOverYet, leftOutCount, program },
  };
}

function leftOutView({ accountId, reasons }: Pick<AccountLeftOut, 'accountId' | 'reasons'>): AccountLeftOutView {
  return { accountId, reasons: reasons.map(reason => reason.toUpperCase()) };
}
