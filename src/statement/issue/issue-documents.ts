import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import type { Report } from '../../platform/report/report.js';
import { statusOf } from '../../platform/report/stop-signal.js';
import { UsageError } from '../../shared/usage-error.js';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { showProgress, type Pace } from '../../platform/report/progress.js';
import { MAX_FAILURES_TOLD, periodOfRun, progressOf, startRun, type IssueKind, type RunProgress } from './issue-run.js';
import type { Issuers } from './issuers.js';
import { isOverSomewhere } from './period.js';

const LOOK_EVERY_MS = 200;

const PROGRAMS = statementOf('SELECT DISTINCT program FROM account WHERE $1::text IS NULL OR program = $1 ORDER BY 1');

/** What a failure means to an operator. */
const WHY: Readonly<Record<string, string>> = {
  unreadable: 'an owner or an earlier document cannot be decrypted with the keys in FIELD_KEYS',
  recipient_unknown: 'the account had no owner at the end of the year',
  payer_unknown: 'the process that issued the document has no taxId for the program in PROGRAMS_FILE',
  too_many_entries: 'the account has too many entries in the month',
};

export interface IssueDocumentsOrder {
  readonly database: Database;
  readonly issuers: Issuers;
  readonly kind: IssueKind;
  /** `2026-06`, or `2026`. */
  readonly period: string;
  readonly program: string | null;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/** Throws `UsageError` for a period that is not over, and for programs that cannot issue. Writes nothing. */
export async function checkIssue({ database, issuers, kind, period, program }: IssueDocumentsOrder): Promise<void> {
  if (!isOverSomewhere(periodOfRun(kind, period), Date.now())) {
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

/** Starts the issue of a period's documents, shows how far it is until it is done, and says how it ended. Gives the exit status. */
export async function issueDocuments(order: IssueDocumentsOrder): Promise<number> {
  const { database, kind, period, program, stop, report, stderr } = order;
  const name = kind === 'close' ? `statements of ${period}` : `forms of ${period}`;
  const runId = await startRun(database, { kind, period, program });
  const watch = new Watch(await progressOf(database, runId));
  const hideProgress = showProgress(name, watch, { done: () => watch.share }, stderr);
  try {
    while (watch.progress.open > 0 && !stop.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
      watch.progress = await progressOf(database, runId);
    }
  } finally {
    hideProgress();
  }
  const finished = !stop.aborted || watch.progress.open === 0;
  report.line(`${name}: ${watch.summary(kind)}`);
  report.result({ kind, period, program, ...watch.result, finished });
  if (!finished) {
    stderr.write(
      'The command was stopped. Issued documents are kept. Running gateways continue, and so does the same command.\n',
    );
    return statusOf(stop.reason);
  }
  tellFailures(watch.progress, stderr);
  return watch.progress.failed > 0 || watch.progress.dead > 0 ? 1 : 0;
}

class Watch implements Pace {
  private readonly startedMs = performance.now();
  private readonly doneBefore: number;

  constructor(public progress: RunProgress) {
    this.doneBefore = progress.done;
  }

  get rows(): number {
    return this.progress.done;
  }

  get seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round((this.progress.done - this.doneBefore) / Math.max(this.seconds, 0.001));
  }

  get failures(): string {
    return this.progress.failed > 0 ? `${this.progress.failed} failed` : '';
  }

  get share(): number {
    return this.progress.done / Math.max(1, this.progress.accounts);
  }

  /** The same for a program. */
  get result() {
    const { done, issued, corrected, early, failed, failures, dead } = this.progress;
    const told = failures.slice(0, MAX_FAILURES_TOLD).map(({ accountId, code }) => ({ accountId, code }));
    const counts = { accounts: done, issued, corrected, notOverYet: early, failed, batchesGivenUp: dead };
    return { ...counts, failures: told, seconds: this.seconds };
  }

  /** `1229 issued for 4500 accounts, 0 not over yet, 0 failed in 9.1 s` */
  summary(kind: IssueKind): string {
    const { issued, corrected, early, failed, done } = this.progress;
    const corrections = kind === '1099' ? `, ${corrected} corrected` : '';
    return `${issued} issued${corrections} for ${done} accounts, ${early} not over yet, ${failed} failed in ${this.seconds.toFixed(1)} s`;
  }
}

function tellFailures({ failures, failed, dead }: RunProgress, stderr: Pick<WriteStream, 'write'>): void {
  const told = failures.slice(0, MAX_FAILURES_TOLD);
  for (const { accountId, code } of told) stderr.write(`account ${accountId}: ${WHY[code] ?? code}\n`);
  if (failed > told.length) stderr.write(`${failed - told.length} more accounts failed\n`);
  if (dead > 0) {
    stderr.write(`${dead} batches of accounts failed repeatedly. Read the log, and run the same command again.\n`);
  }
}
