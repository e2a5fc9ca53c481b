import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { UUID_TEXT } from '../../shared/ids.js';
import { UsageError } from '../../shared/usage-error.js';
import { enqueueRerun, progressOf, type RunOrder, type Runs } from './issue-run.js';
import { ProgramsIncomplete } from './issuer-rules.js';
import type { IssueKind } from './period.js';

const RUN = statementOf('SELECT kind, period, program, issue_incomplete FROM issue_run WHERE run_id = $1');

/** What a run was asked for. Throws `UsageError` unless there is one, and it is over. */
export async function runToRepeat(database: Database, runId: string): Promise<RunOrder> {
  type Row = [kind: IssueKind, period: string, program: string | null, issueIncomplete: boolean];
  const [run] = UUID_TEXT.test(runId) ? await database.query<Row>(RUN, [runId]) : [];
  if (!run) throw new UsageError('RUN_ID names no run. List the runs: tillgate statements runs');
  const { open } = await progressOf(database, runId);
  if (open > 0) throw new UsageError('The run is not finished. Wait until it is: tillgate statements runs');
  const [kind, period, program, issueIncomplete] = run;
  return { kind, period, program, issueIncomplete, startedBy: 'COMMAND_LINE' };
}

/** Takes up the accounts of a run that have no document. Gives the new run's id. Throws `ProgramsIncomplete`. */
export function startRerun({ database, issuers }: Runs, of: string, order: RunOrder): Promise<string> {
  return inTransaction(database, async transaction => {
    const present = await issuers.present(transaction, order);
    if (present.incomplete.length > 0) throw new ProgramsIncomplete(present.incomplete);
    return enqueueRerun(transaction, issuers, of, order, present.issuers);
  });
}
