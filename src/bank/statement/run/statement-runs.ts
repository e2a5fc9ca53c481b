import { raw, type FilterQuery } from '@mikro-orm/core';
import type { Database } from '../../../platform/database/orm.js';
import { cursorOptions, inReadingOrder } from '../../../platform/repository/find-options.js';
import {
  IssueLeftOut,
  type IssueCounts,
  IssueRun,
  IssueRunProgram,
  type RunStarter,
} from '../issue/issue-run.entity.js';
import type { IssueKind } from '../issue/period.js';
import { jobsOf, type RunJobs } from '../issue/run-jobs.js';
import type { Window } from '../../../shared/page.js';
import type { DocumentType } from '../statement.entity.js';

/** A run as it is shown: times are ISO 8601 in UTC. */
export interface RunView {
  readonly runId: string;
  readonly documentType: DocumentType;
  readonly period: string;
  readonly startedBy: RunStarter | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly stoppedAt: string | null;
  readonly status: 'RUNNING' | 'FINISHED' | 'STOPPED' | 'GIVEN_UP';
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
/** The id of a run names its place in the list. */
export type RunPage = PageOf<{ readonly runId: string }>;

export const KINDS: Readonly<Record<DocumentType, IssueKind>> = { STATEMENTS: 'close', TAX_1099: '1099' };

/** The runs that issued documents, and the accounts that got none. */
export class StatementRuns {
  constructor(private readonly database: Database) {}

  /**
   * By their periods and in a period by their starts, the newest first. With the program that a run was for, null for
   * all.
   */
  async page(selection: RunSelection, page: RunPage): Promise<(RunView & { readonly program: string | null })[]> {
    const { after, before, skip, limit, fromEnd } = page;
    const order = fromEnd ? 'asc' : 'desc';
    const bounds = [...(after ? [placedAt('<', after.runId)] : []), ...(before ? [placedAt('>', before.runId)] : [])];
    const found = await this.database
      .em()
      .find(
        IssueRun,
        { $and: [this.selected(selection), ...bounds] },
        { orderBy: { period: order, startedAt: order, runId: order }, offset: skip, limit },
      );
    const runs = await this.withJobs(found);
    const counts = await this.countsOf(runs, selection.program);
    return runs.map(run => viewOf(run, counts.get(run.runId) ?? run));
  }

  /** Runs and whether they have jobs. A run may end after it was read and before its jobs are looked for. */
  private async withJobs(found: readonly IssueRun[]): Promise<(IssueRun & { readonly hasJobs: boolean })[]> {
    const open = found.filter(({ done, accounts }) => done < accounts).map(({ runId }) => runId);
    if (open.length === 0) return found.map(run => ({ ...run, hasJobs: false }));
    const jobs = await jobsOf({ query: (statement, values) => this.database.read(statement, values) }, open);
    const running = new Set(open.filter((_, index) => (jobs[index] as RunJobs).open > 0));
    const runId = { $in: open.filter(id => !running.has(id)) };
    const ended = runId.$in.length > 0 ? await this.database.em().find(IssueRun, { runId }) : [];
    const renewed = new Map(ended.map(run => [run.runId, run]));
    return found.map(run => ({ ...(renewed.get(run.runId) ?? run), hasJobs: running.has(run.runId) }));
  }

  count(selection: RunSelection): Promise<number> {
    return this.database.em().count(IssueRun, this.selected(selection));
  }

  /** A program without accounts has no share of a run for it. */
  private selected({ program, runId, documentType, period }: RunSelection): FilterQuery<IssueRun> {
    const shares = () => this.database.em().createQueryBuilder(IssueRunProgram, 'p').select('runId').where({ program });
    return {
      ...(program !== null && { $or: [{ runId: { $in: shares() } }, { program, accounts: 0 }] }),
      ...((runId ?? null) !== null && { $and: [{ runId }] }),
      ...(documentType && { kind: KINDS[documentType] }),
      ...((period ?? null) !== null && { period }),
    };
  }

  /** The numbers of a program in each run; none for all programs. */
  private async countsOf(runs: readonly IssueRun[], program: string | null): Promise<Map<string, IssueRunProgram>> {
    if (program === null || runs.length === 0) return new Map();
    const runId = { $in: runs.map(run => run.runId) };
    const found = await this.database.em().find(IssueRunProgram, { runId, program });
    return new Map(found.map(share => [share.runId, share]));
  }

  /** The accounts of a program that got no document in a run, in the order of their ids. */
  async leftOut(runId: string, program: string, page: PageOf<string>): Promise<AccountLeftOutView[]> {
    const { after, before, skip, limit, fromEnd } = page;
    const found = await this.database.em().find(
      IssueLeftOut,
      { runId, program },
      {
        orderBy: { accountId: 'asc' },
        ...cursorOptions({
          after: after === undefined || after === null ? null : { accountId: after },
          before: before === undefined || before === null ? null : { accountId: before },
          skip,
          limit: limit - 1,
          fromEnd: fromEnd ?? false,
        }),
      },
    );
    return inReadingOrder(found, { fromEnd: fromEnd ?? false }).map(({ accountId, reasons }) => ({
      accountId,
      reasons: reasons.map(reason => reason.toUpperCase()),
    }));
  }

  leftOutCount(runId: string, program: string): Promise<number> {
    return this.database.em().count(IssueLeftOut, { runId, program });
  }
}

/** On one side of the place of a run in the list: its id names it, since runs stay for good. */
function placedAt(side: '<' | '>', runId: string) {
  const isThere = raw(
    run => `(${run}.period, ${run}.started_at, ${run}.run_id) ${side}
      (SELECT p.period, p.started_at, p.run_id FROM issue_run p WHERE p.run_id = ?::uuid)`,
    [runId],
  );
  return { [isThere]: [] };
}

function viewOf(
  run: IssueRun & { readonly hasJobs: boolean },
  counts: IssueCounts,
): RunView & { readonly program: string | null } {
  const { hasJobs } = run;
  const { runId, kind, period, startedBy, issueIncomplete, rerunOf, program } = run;
  const { accounts, done, issued, corrected, early: notOverYet, leftOut, unprintable } = counts;
  const notDueCount = done - issued - corrected - notOverYet - leftOut;
  const documentType = kind === KINDS.STATEMENTS ? 'STATEMENTS' : 'TAX_1099';
  const stoppedAt = run.stoppedAt?.toISOString() ?? null;
  const status = run.done >= run.accounts ? 'FINISHED' : stoppedAt ? 'STOPPED' : hasJobs ? 'RUNNING' : 'GIVEN_UP';
  const startedAt = run.startedAt.toISOString();
  const finishedAt = run.finishedAt?.toISOString() ?? null;
  return {
    runId,
    documentType,
    period,
    startedBy,
    startedAt,
    finishedAt,
    stoppedAt,
    status,
    issueIncomplete,
    rerunOf,
    accounts,
    done,
    issued,
    corrected,
    notOverYet,
    leftOutCount: leftOut,
    notDueCount,
    unprintableCount: unprintable,
    program,
  };
}
