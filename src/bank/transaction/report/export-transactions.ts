import { REPORT_FORMATS, bytesOf, type ReportFormatName } from '../../../../lib/account-report/formats.js';
import type { AccountReport } from '../../../../lib/account-report/report.js';
import { ExportTally } from '../../../platform/report/exported.js';
import { writeExport, type ExportTarget } from '../../../platform/report/write-export.js';
import type { DayRange } from './report-query.js';
import type { ReportService } from './report.service.js';

export interface ExportTransactionsOrder extends ExportTarget {
  readonly reports: ReportService;
  readonly accountId: string;
  readonly range: DayRange;
  readonly format: ReportFormatName;
  readonly bom: boolean;
}

/** Writes the transactions of a range of days into a file. Gives the exit status. Throws `AccountNotFound`. */
export async function exportTransactions(order: ExportTransactionsOrder): Promise<number> {
  const { reports, accountId, range, format, bom } = order;
  const { report: account, count } = await reports.openForOperator(accountId, range);
  const tally = new ExportTally(count);
  const parts = bytesOf(REPORT_FORMATS[format], counted(account, tally), bom);
  return writeExport({ name: 'transactions', tally, parts, result: () => ({ format, transactions: count }) }, order);
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
