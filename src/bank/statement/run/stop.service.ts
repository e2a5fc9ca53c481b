import { raw } from '@mikro-orm/core';
import type { Caller } from '../../../shared/caller.js';
import { UUID_TEXT } from '../../../shared/ids.js';
import type { Database } from '../../../platform/database/orm.js';
import type { ProgramCommands } from '../../../platform/command/program-commands.js';
import { IssueRun } from '../issue/issue-run.entity.js';
import type { OwnRun, OwnRuns } from '../issue/rerun.js';
import { takingAwayJobs } from '../issue/run-jobs.js';
import { StatementRunNotFound, StatementRunOver, StatementRunShared } from '../statement.errors.js';
import { STOP_STATEMENT_RUN } from '../statement.operations.js';
import type { StatementRunService } from './statement-run.service.js';
import type { RunView } from './statement-runs.js';

interface RunToStop {
  readonly runId: string;
  readonly reason: string | null;
}

interface StopFacts {
  /** null where the program has no such run. */
  readonly run: OwnRun | null;
  readonly isShared: boolean;
}

/** Stops runs that issue documents. */
export class StopService {
  constructor(
    private readonly commands: ProgramCommands,
    private readonly database: Database,
    private readonly ownRuns: OwnRuns,
    private readonly runs: StatementRunService,
  ) {}

  private readonly stopping = this.commands.command<RunToStop, StopFacts, Pick<RunToStop, 'runId'>, null>(
    STOP_STATEMENT_RUN,
    {
      readFacts: async (transaction, requests) => {
        const programs = requests.map(({ caller }) => caller.program);
        const runIds = requests.map(({ input: { runId } }) => (UUID_TEXT.test(runId) ? runId : null));
        const [runs, areShared] = await Promise.all([
          this.ownRuns.of(transaction, runIds, programs),
          this.ownRuns.areShared(transaction, runIds, programs),
        ]);
        return runs.map((run, index) => ({ run, isShared: areShared[index] ?? false }));
      },
      permit: (_program, { run, isShared }, { input: { runId } }) => {
        if (!run) throw new StatementRunNotFound();
        if (!run.isRunning) throw new StatementRunOver();
        if (isShared) throw new StatementRunShared();
        return { result: { runId }, draft: null };
      },
      write: accepted => {
        const runIds = accepted.map(({ input }) => input.runId);
        const em = this.database.em();
        const stopped = em
          .createQueryBuilder(IssueRun)
          .update({ stoppedAt: raw('now()') })
          .where({ runId: { $in: runIds } });
        return [this.database.queryOf(stopped), takingAwayJobs(runIds)];
      },
      event: ({ input: { runId, reason }, fact: { run } }) => ({
        object: `statement_run/${runId}`,
        data: {
          documentType: run?.documentType ?? null,
          period: run?.period ?? null,
          ...(reason !== null && { reason }),
        },
      }),
    },
  );

  /**
   * Takes away the batches of a run that have not begun, and gives the run as it is then. A batch that is being issued
   * still ends. Documents stay, and `rerun` issues those that are missing. Throws `StatementRunNotFound`,
   * `StatementRunOver`, `StatementRunShared`.
   */
  async stop(caller: Caller, id: string, reason: string | null): Promise<RunView> {
    const { runId } = await this.stopping(caller, { runId: id.toLowerCase(), reason });
    return this.runs.get(caller, runId);
  }
}
