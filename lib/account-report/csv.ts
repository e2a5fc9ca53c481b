import { csvLine } from '../csv/csv.js';
import type { AccountReport } from './report.js';

const COLUMNS = [
  ...'postedOn transactionId description transactionType direction amount balance currency'.split(' '),
  // New columns come last, since readers may count them.
  'memo',
  'signedAmount',
];

/** RFC 4180: one line for each entry below the names of the columns. */
export async function* csv(report: AccountReport): AsyncGenerator<string> {
  const { currency, decimalOf } = report.account;
  yield csvLine(COLUMNS);
  for await (const entries of report.entries('ledger')) {
    const lines = entries.map(({ day, id, description, memo, type, direction, amountMinor, balanceMinor }) => {
      const amount = decimalOf(amountMinor);
      const signed = decimalOf(direction === 'CREDIT' ? amountMinor : -amountMinor);
      const balance = decimalOf(balanceMinor);
      return csvLine([day, id, description, type, direction, amount, balance, currency, memo ?? '', signed]);
    });
    yield lines.join('');
  }
}
