import type { WriteStream } from 'node:tty';
import { REPORT_FORMATS, bytesOf, type ReportFormatName } from '../../../lib/account-report/formats.js';
import type { AccountReport } from '../../../lib/account-report/report.js';
import { ExportTally } from '../../platform/report/exported.js';
import { writeFileWhole, writeToStream } from '../../platform/report/file-output.js';
import { showProgress } from '../../platform/report/progress.js';
import type { Report } from '../../platform/report/report.js';
import { statusOf } from '../../platform/report/stop-signal.js';
import type { DayRange } from './report-query.js';
import type { ReportService } from './report.service.js';

export interface ExportTransactionsOrder {
  readonly reports: ReportService;
  readonly accountId: string;
  readonly range: DayRange;
  readonly format: ReportFormatName;
  readonly bom: boolean;
  /** Null for standard output. */
  readonly file: string | null;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: WriteStream;
}

/** Writes the transactions of a range of days into a file. Gives the exit status. Throws `AccountNotFound`. */
export async function exportTransactions(order: ExportTransactionsOrder): Promise<number> {
  const { reports, accountId, range, format, bom, file, stop, report, stdout, stderr } = order;
  const { report: account, count } = await reports.openForOperator(accountId, range);
  const tally = new ExportTally(count);
  const parts = bytesOf(REPORT_FORMATS[format], counted(account, tally), bom);
  const hideProgress = showProgress('transactions', tally, tally, stderr);
  let finished = false;
  try {
    finished = await (file === null ? writeToStream(stdout, parts, stop) : writeFileWhole(file, parts, stop));
  } finally {
    hideProgress();
  }
  tally.end();
  if (!finished) {
    stderr.write('The export was stopped. Run the same command again.\n');
    return statusOf(stop.reason);
  }
  if (file === null) return 0;
  report.line(`transactions: ${tally.summary('exported')}`);
  report.result({ format, transactions: count, seconds: tally.seconds, finished });
  return 0;
}

/** A report that counts in `tally` the entries that are read of it. */
function counted(report: AccountReport, tally: ExportTally): AccountReport {
  return {
    ...report,
    async *entries(order) {
      for await (const entries of report.entries(order)) {
        yield entries;
        tally.rows += entries.length;
      }
    },
  };
}
