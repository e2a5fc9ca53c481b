import type { ProgramRead } from '../../program/program.entity.js';
import type { ProgramCommands } from '../../../platform/command/program-commands.js';
import type { CommandRequest } from '../../../platform/command/command.js';
import type { StatementSender, SqlQuery } from '../../../platform/database/transaction.js';
import type { Caller } from '../../../shared/caller.js';
import { UUID_TEXT } from '../../../shared/ids.js';
import { newRun } from '../issue/issue-run.js';
import { presentIssuers } from '../issue/issuer-rules.js';
import type { IssuerRecords } from '../issue/issuers.js';
import type { OwnRun, OwnRuns } from '../issue/rerun.js';
import { ProgramIncomplete, StatementRunNotFound, StatementRunRunning } from '../statement.errors.js';
import type { StatementRunService } from './statement-run.service.js';
import type { RunView } from './statement-runs.js';
import { RERUN_STATEMENT_RUN } from '../statement.operations.js';

interface NamedRun {
  readonly runId: string;
}

interface RerunFacts {
  /** null where the program has no such run. */
  readonly run: OwnRun | null;
  readonly record: ProgramRead | null;
}

/** Issues the documents that a run left out or failed to issue, as `tillgate statements rerun` does. */
export class RerunService {
  constructor(
    private readonly commands: ProgramCommands,
    private readonly issuers: IssuerRecords,
    private readonly ownRuns: OwnRuns,
    private readonly runs: StatementRunService,
  ) {}

  private readonly rerunning = this.commands.command<NamedRun, RerunFacts, NamedRun, readonly SqlQuery[]>(
    RERUN_STATEMENT_RUN,
    {
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (program, { run, record }, { input: { runId: repeated } }) => {
        if (!run) throw new StatementRunNotFound();
        if (run.isRunning) throw new StatementRunRunning();
        const issuers = presentIssuers(run.kind, [[program, record]]);
        const [incomplete] = issuers.incomplete;
        if (incomplete) throw new ProgramIncomplete(incomplete.missing);
        const { kind, period, issueIncomplete } = run;
        const order = { kind, period, program, issueIncomplete, startedBy: 'OPERATOR' } as const;
        const { runId, queries } = newRun(this.issuers, order, issuers, repeated);
        return { result: { runId }, draft: queries };
      },
      write: accepted => accepted.flatMap(({ draft }) => draft),
      event: ({ input, result, fact: { run } }) => ({
        object: `statement_run/${result.runId}`,
        data: { rerunOf: input.runId, documentType: run?.documentType ?? null, period: run?.period ?? null },
      }),
      approval: {
        needs: ({ documents }) => documents,
        // The new run is made when somebody approves it.
        facts: ({ input, fact: { run } }) => ({
          object: `statement_run/${input.runId}`,
          data: { documentType: run?.documentType ?? null, period: run?.period ?? null },
        }),
        changes: ({ input, fact: { run } }) => [
          { field: 'documentType', before: null, after: run?.documentType ?? null },
          { field: 'period', before: null, after: run?.period ?? null },
          { field: 'rerunOf', before: null, after: input.runId },
        ],
      },
    },
  );

  /**
   * Takes up the accounts of the caller's program that got no document in a run, in a run of its own, which is shown as
   * it is then. Throws `StatementRunNotFound`, `StatementRunRunning`, `ProgramIncomplete`.
   */
  async rerun(caller: Caller, id: string): Promise<RunView> {
    const { runId } = await this.rerunning(caller, { runId: id.toLowerCase() });
    return this.runs.get(caller, runId);
  }

  private async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<NamedRun>[],
  ): Promise<RerunFacts[]> {
    const programs = requests.map(({ caller }) => caller.program);
    const runIds = requests.map(({ input: { runId } }) => (UUID_TEXT.test(runId) ? runId : null));
    const [runs, records] = await Promise.all([
      this.ownRuns.of(transaction, runIds, programs),
      this.issuers.records(transaction, programs),
    ]);
    return runs.map((run, index) => ({ run, record: records[index] ?? null }));
  }
}
