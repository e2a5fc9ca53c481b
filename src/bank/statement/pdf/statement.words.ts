import { longDate } from '../../../../lib/typeset/flow.js';
import { type StatementContent } from '../statement.content.js';

export const ACCOUNT_TYPES: Readonly<Record<StatementContent['account']['type'], string>> = {
  CHECKING: 'Checking account',
  SAVINGS: 'Savings account',
  MONEY_MARKET: 'Money market account',
  CD: 'Certificate of deposit',
};

/** A masked account number as banks print it, of one length for all numbers, and as it is read aloud. */
export function shownNumber(masked: string): { readonly shown: string; readonly read: string } {
  const end = masked.replace(/^[*•]+/, '');
  if (end === '') return { shown: '••••', read: 'not shown' };
  return { shown: `•••• ${end}`, read: `ending in ${end}` };
}

/** `October 1 to 31, 2026`: on one line, whatever the month is. */
export function periodText({ start, end }: StatementContent['period']): string {
  const [first, last] = [longDate(start), longDate(end)];
  if (start.slice(0, 7) === end.slice(0, 7)) return `${first.split(',')[0]} to ${last.split(' ').slice(1).join(' ')}`;
  return `${first} to ${last}`;
}

/** Whether a decimal amount is zero. */
export function isNothing(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}
