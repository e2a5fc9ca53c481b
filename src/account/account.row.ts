import { decimalOf } from '../shared/money.js';
import type { AccountStatus, AccountType, AccountView } from './account.entity.js';

/** What is read of an account `a`, in the order of `AccountRow`. */
export const ACCOUNT_COLUMNS =
  'a.account_id, a.account_type, a.currency, a.time_zone, a.status, a.opened_on::text, a.interest_bearing, a.balance_minor::text, a.last_seq::text';

export type AccountRow = [
  accountId: string,
  accountType: AccountType,
  currency: string,
  timeZone: string,
  status: AccountStatus,
  openedOn: string,
  interestBearing: boolean,
  balanceMinor: string,
  lastSeq: string,
];

export function accountOf(row: AccountRow): AccountView {
  const [accountId, accountType, currency, timeZone, status, openedOn, interestBearing, balance, lastSeq] = row;
  const balanceMinor = BigInt(balance);
  const availableBalance = decimalOf(balanceMinor, currency);
  const ledger = { balanceMinor, availableBalance, lastSeq: Number(lastSeq) };
  return { accountId, accountType, currency, timeZone, status, openedOn, interestBearing, ...ledger };
}
