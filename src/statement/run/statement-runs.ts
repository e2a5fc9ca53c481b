import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { IssueRun, type RunStarter } from '../issue/issue-run.entity.js';
import type { AccountLeftOut } from '../issue/left-out.js';
import type { Window } from '../../shared/page.js';
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
  readonly notDueCount: number;
  readonly unprintableCount: number;
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

/** A part of a list, which is read to the end where it has no other bound. */
type PageOf<Place> = Pick<Window<Place>, 'skip' | 'limit'> & Partial<Window<Place>>;
/** The start and the id of a run are its place in the list. */
export type RunPage = PageOf<{ readonly startedAt: string; readonly runId: string }>;

const KINDS: Readonly<Record<DocumentType, string>> = { STATEMENTS: 'close', TAX_1099: '1099' };

/** A run as it is read, with its numbers for all programs. */
type RunRead = Readonly<Omit<IssueRun, 'startedAt' | 'finishedAt'>> & Pick<RunView, 'startedAt' | 'finishedAt'>;

type Counts = [
  accounts: number,
  done: number,
  issued: number,
  corrected: number,
  early: number,
  leftOut: number,
  unprintable: number,
];

// The jobs of a run are looked at only while it is not done.
const STATUS = `CASE WHEN r.done >= r.accounts THEN 'FINISHED' WHEN EXISTS (
    SELECT FROM graphile_worker.jobs j WHERE j.key LIKE r.run_id || ':%'
      AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL)) THEN 'RUNNING' ELSE 'GIVEN_UP' END`;
// The numbers of a run are those of one program, or of all. A program without accounts has none in a run for it.
const SELECTED = `issue_run r JOIN LATERAL (
    SELECT p.accounts, p.done, p.issued, p.corrected, p.early, p.left_out, p.unprintable FROM issue_run_program p
      WHERE p.run_id = r.run_id AND p.program = $1
    UNION ALL SELECT r.accounts, r.done, r.issued, r.corrected, r.early, r.left_out, r.unprintable
      WHERE $1::text IS NULL OR (r.program = $1 AND r.accounts = 0)) s ON true
  WHERE ($2::uuid IS NULL OR r.run_id = $2) AND ($3::text IS NULL OR r.kind = $3) AND ($4::text IS NULL OR r.period = $4)`;
const COUNT = statementOf(`SELECT count(*)::int FROM ${SELECTED}`);
const leftOutIn = (order: 'ASC' | 'DESC') =>
  statementOf(
    `SELECT account_id, reasons FROM issue_left_out WHERE run_id = $1 AND program = $2 AND account_id > $3
     AND ($4::text IS NULL OR account_id < $4) ORDER BY account_id ${order} OFFSET $5 LIMIT $6`,
  );
const LEFT_OUT_COUNT = statementOf('SELECT count(*)::int FROM issue_left_out WHERE run_id = $1 AND program = $2');

/** The runs that issued documents, and the accounts that got none. */
export class StatementRuns {
  private readonly runs: BatchedRepository<IssueRun, RunRead>;
  private readonly paging: Readonly<Record<'ASC' | 'DESC', Statement>>;

  constructor(private readonly database: Database) {
    this.runs = new BatchedRepository<IssueRun, RunRead>(database, IssueRun);
    const pageIn = (order: 'ASC' | 'DESC') =>
      statementOf(
        `SELECT ${this.runs.columns('r')}, ${STATUS}, s.accounts, s.done, s.issued, s.corrected, s.early, s.left_out, s.unprintable FROM ${SELECTED}
         AND ($5::timestamptz IS NULL OR (r.started_at, r.run_id) < ($5, $6::uuid))
         AND ($7::timestamptz IS NULL OR (r.started_at, r.run_id) > ($7, $8::uuid))
       ORDER BY r.started_at ${order}, r.run_id ${order} OFFSET $9 LIMIT $10`,
      );
    this.paging = { ASC: pageIn('ASC'), DESC: pageIn('DESC') };
  }

  /** The newest first. With the program that a run was for, null for all. */
  async page(selection: RunSelection, page: RunPage): Promise<(RunView & { readonly program: string | null })[]> {
    const { after, before, skip, limit, fromEnd } = page;
    const bounds = [after, before].flatMap(place => [place?.startedAt ?? null, place?.runId ?? null]);
    const values = [...valuesOf(selection), ...bounds, skip, limit];
    const rows = await this.database.read<unknown[]>(this.paging[fromEnd ? 'ASC' : 'DESC'], values);
    return rows.map(row => viewOf(this.runs.read(row), ...(row.slice(-8) as [RunView['status'], ...Counts])));
  }

  async count(selection: RunSelection): Promise<number> {
    const [row] = await this.database.read<[number]>(COUNT, valuesOf(selection));
    return row?.[0] ?? 0;
  }

  /** The accounts of a program that got no document in a run, in the order of their ids. */
  async leftOut(runId: string, program: string, page: PageOf<string>): Promise<AccountLeftOutView[]> {
    type Found = [accountId: string, reasons: AccountLeftOut['reasons']];
    const { after, before, skip, limit, fromEnd } = page;
    const values = [runId, program, after ?? '', before ?? null, skip, limit];
    const rows = await this.database.read<Found>(leftOutIn(fromEnd ? 'DESC' : 'ASC'), values);
    return rows.map(([accountId, reasons]) => ({ accountId, reasons: reasons.map(reason => reason.toUpperCase()) }));
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
  const [accounts, done, issued, corrected, notOverYet, leftOutCount, unprintableCount] = counts;
  const notDueCount = done - issued - corrected - notOverYet - leftOutCount;
  const documentType = kind === KINDS.STATEMENTS ? 'STATEMENTS' : 'TAX_1099';
  return {
    runId,
    documentType,
    period,
    startedBy,
    startedAt,
    finishedAt,
    status,
    issueIncomplete,
    rerunOf,
    accounts,
    done,
    issued,
    corrected,
    notOverYet,
    leftOutCount,
    notDueCount,
    unprintableCount,
    program,
  };
}
