import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import type { Database } from '../../platform/database/orm.js';
import { showProgress } from '../../platform/report/progress.js';
import type { Report } from '../../platform/report/report.js';
import { statusOf } from '../../platform/report/stop-signal.js';
import { UsageError } from '../../shared/usage-error.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { MAX_FAILURES_TOLD, progressOf, startRun, type RunOrder, type RunProgress } from './issue-run.js';
import type { Issuers } from './issuers.js';
import { isOverSomewhere, periodOf } from './period.js';

const LOOK_EVERY_MS = 200;

const PROGRAMS = statementOf('SELECT DISTINCT program FROM account WHERE $1::text IS NULL OR program = $1 ORDER BY 1');

/** What a failure means to an operator. */
const WHY: Readonly<Record<string, string>> = {
  unreadable: 'an owner or an earlier document cannot be decrypted with the keys in FIELD_KEYS',
  recipient_unknown: 'the account had no owner at the end of the year',
  payer_unknown: 'the process that issued the document has no taxId for the program in PROGRAMS_FILE',
  too_many_entries: 'the account has too many entries in the month',
};

export interface IssueDocumentsOrder extends RunOrder {
  readonly database: Database;
  readonly issuers: Issuers;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/** Throws `UsageError` for a period that is not over, and for programs that cannot issue. Writes nothing. */
export async function checkIssue({
  database,
  issuers,
  kind,
  period: text,
  program,
}: IssueDocumentsOrder): Promise<void> {
  const period = periodOf(kind, text);
  if (!period || !isOverSomewhere(period)) {
    throw new UsageError(
      `The ${kind === 'close' ? 'month' : 'year'} is not over. Issue its documents when it is over.`,
    );
  }
  const programs = (await database.query<[string]>(PROGRAMS, [program])).map(([name]) => name);
  if (program !== null && programs.length === 0) {
    throw new UsageError('The program in --program has no accounts. Name another program.');
  }
  const unknown = kind === '1099' ? programs.filter(name => issuers.payerOf(name) === null) : [];
  if (unknown.length > 0) {
    throw new UsageError(
      `PROGRAMS_FILE has no taxId for ${unknown.join(', ')}, and a Form 1099-INT must have the tax id of the payer. Add it, or name another --program.`,
    );
  }
}

/** Starts to issue a period's documents, shows the progress to the end, and reports it. Gives the exit status. */
export async function issueDocuments(order: IssueDocumentsOrder): Promise<number> {
  const { database, kind, period, program, stop, report, stderr } = order;
  const name = kind === 'close' ? `statements of ${period}` : `forms of ${period}`;
  const startedMs = performance.now();
  const secondsNow = (): number => (performance.now() - startedMs) / 1000;
  const runId = await startRun(database, order);
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
      return progress.failed > 0 ? `${progress.failed} failed` : '';
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
  const { done, issued, corrected, early, failed, dead } = progress;
  const failures = progress.failures.slice(0, MAX_FAILURES_TOLD).map(({ accountId, code }) => ({ accountId, code }));
  const seconds = secondsNow();
  const corrections = kind === '1099' ? `, ${corrected} corrected` : '';
  report.line(
    `${name}: ${issued} issued${corrections} for ${done} accounts, ${early} not over yet, ${failed} failed in ${seconds.toFixed(1)} s`,
  );
  const counts = { accounts: done, issued, corrected, notOverYet: early, failed, batchesGivenUp: dead };
  report.result({ kind, period, program, ...counts, failures, seconds, finished });
  if (!finished) {
    stderr.write(
      'The command was stopped. Issued documents are kept. Running gateways continue, and so does the same command.\n',
    );
    return statusOf(stop.reason);
  }
  tellFailures(progress, stderr);
  return failed > 0 || dead > 0 ? 1 : 0;
}

function tellFailures({ failures, failed, dead }: RunProgress, stderr: Pick<WriteStream, 'write'>): void {
  const told = failures.slice(0, MAX_FAILURES_TOLD);
  for (const { accountId, code } of told) stderr.write(`account ${accountId}: ${WHY[code] ?? code}\n`);
  if (failed > told.length) stderr.write(`${failed - told.length} more accounts failed\n`);
  if (dead > 0) {
    stderr.write(`${dead} batches of accounts failed repeatedly. Read the log, and run the same command again.\n`);
  }
}
