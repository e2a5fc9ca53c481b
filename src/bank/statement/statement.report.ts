import type { AccountReport, ReportDay, ReportEntry } from '../../../lib/account-report/report.js';
import { decimalOf, minorOf } from '../../shared/money.js';
import type { StatementContent, StatementEntry } from './statement.content.js';
import type { StatementView } from './statement.entity.js';

/**
 * Turns a statement into a report for the formats of accounting programs. It is of the content, so it never changes.
 */
export function statementReport(
  { accountId, statementId, issuedAt }: Pick<StatementView, 'accountId' | 'statementId' | 'issuedAt'>,
  content: StatementContent,
  program: string,
): AccountReport {
  const { currency, type, timeZone } = content.account;
  const minor = (amount: string): bigint => {
    const units = minorOf(amount, currency);
    if (units === null) throw new Error('a document has an amount that its currency does not have');
    return units;
  };
  const entries = content.entries.map(entry => entryOf(entry, minor));
  return {
    id: statementId.replaceAll('-', ''),
    createdAt: issuedAt,
    bank: { id: program, name: content.issuer.name },
    account: { id: accountId, type, currency, timeZone, decimalOf: units => decimalOf(units, currency) },
    owners: content.owners,
    period: content.period,
    openingMinor: minor(content.openingBalance),
    closingMinor: minor(content.closingBalance),
    days: daysOf(entries),
    async *entries(order) {
      if (entries.length > 0) yield order === 'ledger' ? entries : entries.toSorted(byDay);
    },
  };
}

function entryOf(entry: StatementEntry, minor: (amount: string) => bigint): ReportEntry {
  const { transactionId, postedOn, description, transactionType, direction, amount, balance } = entry;
  return {
    id: transactionId,
    day: postedOn,
    description,
    // A statement is content that is kept, and notes of senders are no part of it.
    memo: null,
    type: transactionType,
    direction,
    amountMinor: minor(amount),
    balanceMinor: minor(balance),
  };
}

function byDay(a: ReportEntry, b: ReportEntry): number {
  return a.day < b.day ? -1 : Number(a.day > b.day);
}

function daysOf(entries: readonly ReportEntry[]): ReportDay[] {
  const totalOf = (ofDay: readonly ReportEntry[], side: ReportEntry['direction']) => {
    const some = ofDay.filter(({ direction }) => direction === side);
    return { count: some.length, minor: some.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) };
  };
  const days = [...Map.groupBy(entries.toSorted(byDay), ({ day }) => day)];
  return days.map(([day, ofDay]) => ({ day, credits: totalOf(ofDay, 'CREDIT'), debits: totalOf(ofDay, 'DEBIT') }));
}
