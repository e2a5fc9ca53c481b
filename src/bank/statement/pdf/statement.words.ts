import { longDate } from '../../../../lib/typeset/flow.js';
import { type AccountContent } from '../statement.content.js';

export const ACCOUNT_TYPES: Readonly<Record<AccountContent['account']['type'], string>> = {
  CHECKING: 'Checking account',
  SAVINGS: 'Savings account',
  MONEY_MARKET: 'Money market account',
  CD: 'Certificate of deposit',
};

/** `October 1 to 31, 2026`: on one line, whatever the month is, and on two at most for other days. */
export function periodText({ start, end }: AccountContent['period']): string {
  const [first, last] = [longDate(start), longDate(end)];
  if (start === end) return first;
  if (start.slice(0, 7) === end.slice(0, 7)) return `${first.split(',')[0]} to ${last.split(' ').slice(1).join(' ')}`;
  if (start.slice(0, 4) === end.slice(0, 4)) return `${first.split(',')[0]} to ${last}`;
  return `${first} to ${last}`;
}

/** True for a decimal amount of zero. */
export function isNothing(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}
