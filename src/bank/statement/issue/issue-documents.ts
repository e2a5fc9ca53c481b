import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { Account } from '../../account/account.entity.js';
import type { Database } from '../../../platform/database/orm.js';
import { showProgress } from '../../../platform/report/progress.js';
import type { Report } from '../../../platform/report/report.js';
import { statusOf } from '../../../platform/report/stop-signal.js';
import { UsageError } from '../../../shared/usage-error.js';
import {
  MAX_LEFT_OUT_TOLD,
  leftOutOf,
  progressOf,
  startRun,
  type RunOrder,
  type RunProgress,
  type Runs,
} from './issue-run.js';
import { reasonsOf, type AccountLeftOut } from './left-out.js';
import { isOverSomewhere, periodOf } from './period.js';

const LOOK_EVERY_MS = 200;

/** Where a run is watched and told of. */
export interface RunWatch {
  readonly database: Database;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

export interface IssueDocumentsOrder extends RunOrder, Runs, RunWatch {}

// In a sandbox the clock of a program may be ahead. Whether the period of an account is over is decided by its own one.
const LATEST_NOW = `SELECT greatest(now(), program_now(?::text), max(program_now(program_id))) AS now
  FROM program WHERE ?::text IS NULL`;

/** Throws `UsageError` for a period that is not over, and for a program without accounts. Writes nothing. */
export async function checkIssue({ database, kind, period: text, program }: IssueDocumentsOrder): Promise<void> {
  const period = periodOf(kind, text);
  const [latest] = await database.primary().execute<{ readonly now: string }[]>(LATEST_NOW, [program, program]);
  if (!period || !isOverSomewhere(period, new Date(latest?.now ?? Date.now()))) {
    throw new UsageError(
      `The ${kind === 'close' ? 'month' : 'year'} is not over. Issue its documents when it is over.`,
    );
  }
  if (program === null) return;
  const account = await database.primary().findOne(Account, { program }, { fields: ['accountId'] });
  if (!account) throw new UsageError('The program in --program has no accounts. Name another program.');
}

/**
 * Starts to issue a period's documents, shows the progress to the end, and reports it. Gives the exit status. Throws
 * `ProgramsIncomplete`.
 */
export async function issueDocuments(order: IssueDocumentsOrder): Promise<number> {
  return watchRun(order, await startRun(order, order), order);
}

/** Shows the progress of a run to its end, and reports it. Gives the exit status. */
export async function watchRun(
  { database, stop, report, stderr }: RunWatch,
  runId: string,
  { kind, period, program }: Pick<RunOrder, 'kind' | 'period' | 'program'>,
): Promise<number> {
  const name = kind === 'close' ? `statements of ${period}` : `forms of ${period}`;
  const startedMs = performance.now();
  const secondsNow = (): number => (performance.now() - startedMs) / 1000;
  let progress = await progressOf(database, runId);
  const doneBefore = progress.done;
  const pace = {
    get rows() {
      return progress.done;
    },
    get seconds() {
      return secondsNow();
    },
    get rowsPerSecond() {
      return Math.round((progress.done - doneBefore) / Math.max(secondsNow(), 0.001));
    },
    get failures() {
      return progress.leftOut > 0 ? `${progress.leftOut} left out` : '';
    },
  };
  const share = { done: () => progress.done / Math.max(1, progress.accounts) };
  const hideProgress = showProgress(name, pace, share, stderr);
  try {
    while (progress.open > 0 && !stop.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
      progress = await progressOf(database, runId);
    }
  } finally {
    hideProgress();
  }
  const finished = !stop.aborted || progress.open === 0;
  const { done, issued, corrected, early, leftOut, unprintable, dead } = progress;
  const accounts = leftOut > 0 ? await leftOutOf(database, runId, null, null, MAX_LEFT_OUT_TOLD) : [];
  const seconds = secondsNow();
  const corrections = kind === '1099' ? `, ${corrected} corrected` : '';
  const notDue = done - issued - corrected - early - leftOut;
  report.line(
    `${name}: ${issued} issued${corrections} for ${done} accounts, ${early} not over yet, ${notDue} due none, ${leftOut} left out in ${seconds.toFixed(1)} s`,
  );
  const counts = {
    accounts: done,
    issued,
    corrected,
    notOverYet: early,
    notDue,
    leftOut,
    unprintable,
    batchesGivenUp: dead,
  };
  const accountsLeftOut = accounts.map(({ accountId, reasons }) => ({ accountId, reasons }));
  report.result({ runId, kind, period, program, ...counts, accountsLeftOut, seconds, finished });
  if (!finished) {
    stderr.write(
      'The command was stopped. Issued documents are kept. Running gateways continue, and so does the same command.\n',
    );
    return statusOf(stop.reason);
  }
  tellLeftOut(runId, progress, accounts, stderr);
  return leftOut > 0 || dead > 0 || progress.isStopped ? 1 : 0;
}

function tellLeftOut(
  runId: string,
  { leftOut, unprintable, dead, isStopped }: RunProgress,
  accounts: readonly AccountLeftOut[],
  stderr: Pick<WriteStream, 'write'>,
): void {
  for (const account of accounts) stderr.write(`account ${account.accountId}: ${reasonsOf(account)}\n`);
  if (leftOut > accounts.length) {
    stderr.write(`${leftOut - accounts.length} more accounts were left out. See: tillgate statements runs ${runId}\n`);
  }
  if (unprintable > 0) {
    stderr.write(
      `${unprintable} documents have letters that no installed font can print, and show boxes. The log names the accounts.\n`,
    );
  }
  if (dead > 0) stderr.write(`${dead} batches of accounts failed repeatedly. Read the log.\n`);
  if (isStopped) stderr.write('An operator stopped the run. Issued documents are kept.\n');
  if (leftOut > 0 || dead > 0 || isStopped) {
    stderr.write(`When the reasons are gone, issue these documents alone: tillgate statements rerun ${runId}\n`);
  }
}
