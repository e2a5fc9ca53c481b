import type { ProgramRead } from '../../program/program.entity.js';
import type { StatementSender, SqlQuery } from '../../../platform/database/transaction.js';
import { newRun, type RunOrder } from './issue-run.js';
import { presentIssuers } from './issuer-rules.js';
import type { IssuerRecords } from './issuers.js';
import { isOverSomewhere, monthBefore, periodOf, periodsDue } from './period.js';

/** A month or a year whose documents are to be issued: `close` and `2026-06`, or `1099` and `2026`. */
export type DuePeriod = Pick<RunOrder, 'kind' | 'period'>;

/** Runs that a command starts: their ids, and the statements to be written with it. */
export interface StartedRuns {
  readonly runIds: readonly string[];
  readonly queries: readonly SqlQuery[];
}

/** Closes periods of a program as a part of commands. */
export class PeriodCloseService {
  constructor(private readonly issuers: IssuerRecords) {}

  /** Reads the records of programs. */
  readFacts(asking: StatementSender, programs: readonly string[]): Promise<(ProgramRead | null)[]> {
    return this.issuers.records(asking, programs);
  }

  /**
   * The runs of periods of a program, the first one first. A program that lacks what documents must say gets runs that
   * leave out its accounts.
   */
  start(program: string, record: ProgramRead | null, periods: readonly DuePeriod[]): StartedRuns {
    const runs = periods.map(({ kind, period }) => {
      const issuers = presentIssuers(kind, [[program, record]]);
      const order = { kind, period, program, startedBy: 'GATEWAY', issueIncomplete: false } as const;
      return newRun(this.issuers, order, issuers);
    });
    return { runIds: runs.map(({ runId }) => runId), queries: runs.flatMap(({ queries }) => queries) };
  }

  /** The periods whose documents fall due after one instant and up to another one, in their order. */
  due(after: Date, until: Date): readonly DuePeriod[] {
    return periodsDue(after, until);
  }

  /** The month before the one of an instant, such as `2026-05`. */
  monthBefore(now: Date): string {
    return monthBefore(now);
  }

  /** True if a month, such as `2026-05`, is over by then somewhere on earth. */
  isOver(month: string, now: Date): boolean {
    const period = periodOf('close', month);
    return period !== null && isOverSomewhere(period, now);
  }
}
