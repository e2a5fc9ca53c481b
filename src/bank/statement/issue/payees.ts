import { AccountOwner } from '../../account/account.entity.js';
import { FormerOwner } from '../../account/ownership/former-owner.entity.js';
import type { OwnerService } from '../../owner/owner.service.js';
import type { Database } from '../../../platform/database/orm.js';
import { ownersOf, readAccountsById, type Addressee } from './accounts.js';
import { readYears, type LedgerYear } from './ledger.js';
import type { Period } from './period.js';
import { boxAmountsOf } from './tax-form.js';

/** From 10.00 dollars a payer files what it paid a payee in all of its accounts (26 CFR 1.6049-4(b)(1)). */
const REPORTABLE_FROM_CENTS = 10_00n;

/**
 * The number of accounts of payees that are read at a time. A tax id that thousands of accounts have, such as a made up
 * one, soon reaches the threshold, and the others are not read.
 */
const ACCOUNTS_AT_ONCE = 200;

/** The identity of a payee: the tax id, or the record of a customer who has none. */
type PayeeIdentity = Pick<Addressee, 'taxId' | 'customerId'>;

/** An account's year and its recipient; null if nobody owned it. */
export interface PayeeYear {
  readonly year: LedgerYear;
  readonly recipient: PayeeIdentity | null;
}

/** The sums that decide whether a payer files what it paid a payee. */
interface PayeeTotals {
  readonly interestCents: bigint;
  readonly isWithheld: boolean;
}

/** Where accounts and their owners are read. */
interface PayeeSources {
  readonly database: Database;
  readonly owners: OwnerService;
}

/**
 * Tells if the payer files what it paid to the recipient of each account: because of the interest of a tax year in all
 * accounts of the program in which the same tax id was the primary owner's when the year ended, whichever customer
 * record has it; or because tax was withheld in any of them, whatever the amount (26 CFR 1.6049-4(a)(1), Instructions
 * for Form 1099-INT, 'Who must file'). A customer without a tax id is a payee alone.
 */
export async function reportablePayees(
  { database, owners }: PayeeSources,
  period: Period,
  payees: readonly PayeeYear[],
): Promise<boolean[]> {
  const totals = new Map<string, PayeeTotals>();
  const own = payees.map(({ year }) => isReportable(totalsOf(year)));
  const isOpen = ({ year, recipient }: PayeeYear): boolean =>
    recipient !== null && !isReportable(totals.get(payeeOf(year, recipient)));
  const open = payees.filter((one, index) => !own[index] && isOpen(one));
  const accountIds = await accountsOfPayees({ database, owners }, open);
  for (let from = 0; from < accountIds.length; from += ACCOUNTS_AT_ONCE) {
    if (!open.some(isOpen)) break;
    const accounts = await readAccountsById(database, period, accountIds.slice(from, from + ACCOUNTS_AT_ONCE));
    const years = await readYears(database, accounts, period);
    const primary = await ownersOf(database, owners, years, period.end);
    for (const [index, year] of years.entries()) {
      const recipient = primary[index]?.[0];
      if (!recipient) continue;
      const payee = payeeOf(year, recipient);
      const [before, more] = [totals.get(payee), totalsOf(year)];
      totals.set(payee, {
        interestCents: (before?.interestCents ?? 0n) + more.interestCents,
        isWithheld: before?.isWithheld === true || more.isWithheld,
      });
    }
  }
  return payees.map((one, index) => own[index] === true || (one.recipient !== null && !isOpen(one)));
}

/** The accounts of payees who own, or owned, more than the one that is asked about. */
async function accountsOfPayees({ database, owners }: PayeeSources, payees: readonly PayeeYear[]): Promise<string[]> {
  if (payees.length === 0) return [];
  const recipients = payees.flatMap(({ year, recipient }) => (recipient ? [{ year, recipient }] : []));
  const customers = await owners.withTaxIds(
    recipients.flatMap(({ year, recipient: { taxId } }) =>
      taxId === null ? [] : [{ program: year.account.program, taxId }],
    ),
  );
  for (const { year, recipient } of recipients) {
    if (recipient.taxId === null) customers.set(recipient.customerId, payeeOf(year, recipient));
  }
  const customerId = { $in: [...customers.keys()] };
  const em = database.primary();
  const [ownersNow, former] = await Promise.all([
    em.find(AccountOwner, { customerId }, { fields: ['accountId', 'customerId'] }),
    em.find(FormerOwner, { customerId }, { fields: ['accountId', 'customerId'] }),
  ]);
  const byPayee = Map.groupBy([...ownersNow, ...former], one => customers.get(one.customerId) ?? '');
  const found = [...byPayee.values()].flatMap(owned => {
    const ids = [...new Set(owned.map(({ accountId }) => accountId))];
    return ids.length > 1 ? ids : [];
  });
  return [...new Set(found)].toSorted();
}

/** Returns what an account counts: its interest if it is of dollars, as the threshold is. */
function totalsOf(year: LedgerYear): PayeeTotals {
  const { interestMinor, withheldMinor } = boxAmountsOf(year);
  return { interestCents: year.account.currency === 'USD' ? interestMinor : 0n, isWithheld: withheldMinor > 0n };
}

function isReportable(totals: PayeeTotals | undefined): boolean {
  return totals !== undefined && (totals.isWithheld || totals.interestCents >= REPORTABLE_FROM_CENTS);
}

function payeeOf({ account: { program } }: LedgerYear, { taxId, customerId }: PayeeIdentity): string {
  return JSON.stringify([program, taxId ?? customerId]);
}
