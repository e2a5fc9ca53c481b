import type { FieldProblem } from '../../shared/errors.js';
import { MAX_AMOUNT_MINOR, minorOf, shortDecimal } from '../../shared/money.js';
import type { AccountView } from './account.entity.js';

type MinorUnitField = 'balanceMinor' | 'heldMinor' | 'overdraftLimitMinor';

/** An account as commands record it: JSON has no integers of this size. */
export type RecordedAccount = Omit<AccountView, MinorUnitField> & Readonly<Record<MinorUnitField, string>>;

/** An account as plain data, with changes. */
export function recordedOf(account: AccountView, changes: Partial<RecordedAccount> = {}): RecordedAccount {
  const { accountId, accountType, currency, timeZone, status, openedOn, interestBearing } = account;
  return {
    accountId,
    accountType,
    currency,
    timeZone,
    status,
    openedOn,
    interestBearing,
    metadata: account.metadata,
    version: account.version,
    updatedAt: account.updatedAt,
    closedAt: account.closedAt,
    restrictedAt: account.restrictedAt,
    restrictionReason: account.restrictionReason,
    availableBalance: account.availableBalance,
    lastSeq: account.lastSeq,
    balanceMinor: String(account.balanceMinor),
    heldMinor: String(account.heldMinor),
    overdraftLimitMinor: String(account.overdraftLimitMinor),
    ...changes,
  };
}

export function accountOf(recorded: RecordedAccount): AccountView {
  const { balanceMinor, heldMinor, overdraftLimitMinor, ...account } = recorded;
  return {
    ...account,
    balanceMinor: BigInt(balanceMinor),
    heldMinor: BigInt(heldMinor),
    overdraftLimitMinor: BigInt(overdraftLimitMinor),
  };
}

/** One text for equal amounts, whichever API they came by: `500.00` and `500` are the same limit. */
export function limitText(limit: string | number | null): string {
  return shortDecimal(String(limit ?? 0));
}

const LIMIT_DIGITS: FieldProblem = {
  pointer: '/overdraftLimit',
  code: 'currency_digits',
  detail: `Must be a decimal number with no more decimal digits than the account's currency has.`,
};
export const LIMIT_RANGE: FieldProblem = {
  pointer: '/overdraftLimit',
  code: 'range',
  detail: 'Must be between 0 and 10^15 minor units of the currency.',
};

/** An overdraft limit in minor units of the account's currency, or what is wrong with it. */
export function limitMinorOf(limit: string, currency: string): bigint | FieldProblem {
  const minor = minorOf(limit, currency);
  if (minor === null) return LIMIT_DIGITS;
  return minor >= 0n && minor <= MAX_AMOUNT_MINOR ? minor : LIMIT_RANGE;
}
