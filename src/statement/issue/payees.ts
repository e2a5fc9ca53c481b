import { AccountOwner } from '../../account/account.entity.js';
import { FormerOwner } from '../../account/former-owner.entity.js';
import type { OwnerService } from '../../owner/owner.service.js';
import type { Database } from '../../platform/database/orm.js';
import { ownersOf, readAccountsById, type IssueAccount } from './accounts.js';
import { readYears, type LedgerYear } from './ledger.js';
import type { Period } from './period.js';
import { REPORTABLE_FROM_CENTS, boxAmountsOf } from './tax-form.js';

/**
 * So many accounts of payees are read at a time. A tax id that thousands of accounts have, such as a made up one, soon
 * reaches the threshold, and the others are not read.
 */
const ACCOUNTS_AT_ONCE = 200;

/** An account's year, and the tax id of the United States of its recipient, if there is one. */
export interface PayeeYear {
  readonly year: LedgerYear;
  readonly taxId: string | null;
}

/** Where accounts and their owners are read. */
interface PayeeSources {
  readonly database: Database;
  readonly owners: OwnerService;
}

/**
 * The interest of a tax year that the recipient of each account was paid in all accounts of its program, in cents: of
 * those in which the same tax id was the primary owner's when the year ended, whichever customer record has it. It is
 * counted up to the threshold, at which a form is to be filed, and not always beyond it.
 */
export async function interestOfPayees(
  { database, owners }: PayeeSources,
  period: Period,
  payees: readonly PayeeYear[],
): Promise<bigint[]> {
  const sums = new Map<string, bigint>();
  const own = payees.map(({ year }) => interestCentsOf(year));
  const open = payees.filter(({ taxId }, index) => taxId !== null && (own[index] ?? 0n) < REPORTABLE_FROM_CENTS);
  const accountIds = await accountsOfPayees({ database, owners }, open);
  for (let from = 0; from < accountIds.length; from += ACCOUNTS_AT_ONCE) {
    const isOpen = ({ year, taxId }: PayeeYear) => (sums.get(keyOf(year.account, taxId)) ?? 0n) < REPORTABLE_FROM_CENTS;
    if (!open.some(isOpen)) break;
    const accounts = await readAccountsById(database, period, accountIds.slice(from, from + ACCOUNTS_AT_ONCE));
    const years = await readYears(database, accounts, period);
    const primary = await ownersOf(database, owners, years, period.end);
    for (const [index, year] of years.entries()) {
      const key = keyOf(year.account, primary[index]?.[0]?.taxId ?? null);
      sums.set(key, (sums.get(key) ?? 0n) + interestCentsOf(year));
    }
  }
  return payees.map(({ year, taxId }, index) => {
    const ofAccount = own[index] ?? 0n;
    const ofPayee = taxId === null ? 0n : (sums.get(keyOf(year.account, taxId)) ?? 0n);
    return ofPayee > ofAccount ? ofPayee : ofAccount;
  });
}

/** The accounts of payees who own, or owned, more than the one that is asked about. */
async function accountsOfPayees({ database, owners }: PayeeSources, payees: readonly PayeeYear[]): Promise<string[]> {
  if (payees.length === 0) return [];
  const customers = await owners.withTaxIds(
    payees.flatMap(({ year, taxId }) => (taxId === null ? [] : [{ program: year.account.program, taxId }])),
  );
  const customerId = { $in: [...customers.keys()] };
  const em = database.primary();
  const [present, former] = await Promise.all([
    em.find(AccountOwner, { customerId }, { fields: ['accountId', 'customerId'] }),
    em.find(FormerOwner, { customerId }, { fields: ['accountId', 'customerId'] }),
  ]);
  const byPayee = Map.groupBy([...present, ...former], one => customers.get(one.customerId) ?? '');
  const found = [...byPayee.values()].flatMap(owned => {
    const ids = [...new Set(owned.map(({ accountId }) => accountId))];
    return ids.length > 1 ? ids : [];
  });
  return [...new Set(found)].toSorted();
}

/** What box 1 of an account counts towards the threshold, which is one of dollars. */
function interestCentsOf(year: LedgerYear): bigint {
  return year.account.currency === 'USD' ? boxAmountsOf(year).interestMinor : 0n;
}

function keyOf({ program }: Pick<IssueAccount, 'program'>, taxId: string | null): string {
  return JSON.stringify([program, taxId]);
}
