import type { Gateway } from '../../../src/app/gateway.js';
import { startCompleteRun, startRun, type RunOrder } from '../../../src/bank/statement/issue/issue-run.js';
import { runToRepeat } from '../../../src/bank/statement/issue/rerun.js';

/** Runs a run again, as the command line does, and gives the id of the new one. */
export async function rerun({ container }: Gateway, runId: string, changes: Partial<RunOrder> = {}): Promise<string> {
  const order = await runToRepeat(container.database, runId);
  return startRun(container, { ...order, ...changes }, runId);
}

/** Starts a run for the programs that can issue, and gives the others. */
export function startComplete({ container }: Gateway, order: RunOrder) {
  return startCompleteRun(container, order);
}
