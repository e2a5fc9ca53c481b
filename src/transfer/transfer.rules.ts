import type { AccountOwner, AccountView } from '../account/account.entity.js';
import { AccountNotFound, mustBeOpen, mustHaveFunds, mustNotBeClosed } from '../account/account.errors.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import { OWN_ID_DETAIL, OWN_ID_MARK } from '../shared/ids.js';
import { positiveMinorOf, type LedgerPresent, type PostingRules } from '../transaction/ledger.service.js';
import type { TransferRead } from './transfer.entity.js';
import { CurrencyMismatch, TransferMismatch } from './transfer.errors.js';
import type { TransferInput } from './transfer.inputs.js';

/** What decides on a new transfer beside its accounts. */
export interface MakingFacts {
  /** The account beside which a transfer with this id is recorded; null where there is none. */
  readonly recordedWith: string | null;
  /** That transfer, if the money left the same account. */
  readonly recorded: TransferRead | null;
  readonly from: LedgerPresent;
  readonly to: LedgerPresent;
  readonly rules: Pick<PostingRules, 'checksFunds'>;
  /** Who owns the account that the money goes to, where a customer asks. */
  readonly payees: readonly Pick<AccountOwner, 'customerId'>[];
}

/** The transfer that is there already, with the same content; null for a new one. Throws `TransferMismatch`. */
export function repeatedTransfer({ recordedWith, recorded }: MakingFacts, input: TransferInput): TransferRead | null {
  if (recordedWith === null) return null;
  if (!recorded || !isSameTransfer(recorded, input)) throw new TransferMismatch();
  return recorded;
}

/** The amount of a new transfer in minor units. Throws `InvalidInput`, which names every bad field. */
export function newAmountOf({ transferId, amount }: TransferInput, currency: string): bigint {
  const amountMinor = positiveMinorOf(amount, currency);
  const problems: FieldProblem[] = typeof amountMinor === 'bigint' ? [] : [amountMinor];
  if (transferId.includes(OWN_ID_MARK)) {
    problems.push({ pointer: '/transferId', code: 'format', detail: OWN_ID_DETAIL });
  }
  if (typeof amountMinor !== 'bigint' || problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return amountMinor;
}

/** Throws `AccountNotFound` unless a customer may move money to an account, in the words for one that is not there. */
export function mustBePayable(customerId: string | null, { accountId }: AccountView, { payees }: MakingFacts): void {
  if (customerId === null || payees.some(payee => payee.customerId === customerId)) return;
  throw new AccountNotFound(accountId);
}

/**
 * Throws `AccountClosed`, `AccountRestricted`, `CurrencyMismatch`, `TransferMismatch`, `InsufficientFunds` unless a new
 * transfer may be made.
 */
export function permitTransfer(
  from: AccountView,
  to: AccountView,
  amountMinor: bigint,
  { rules, ...ledgers }: MakingFacts,
  isOfCustomer: boolean,
): void {
  mustBeOpen(from);
  mustNotBeClosed(to);
  if (from.currency !== to.currency) throw new CurrencyMismatch();
  // Ids with the mark are the gateway's own, but ledgers of older releases may have them.
  if ([...ledgers.from.entries, ...ledgers.to.entries].some(entry => entry !== null)) throw new TransferMismatch();
  if (isOfCustomer || rules.checksFunds) mustHaveFunds(from, from.balanceMinor - from.heldMinor - amountMinor);
}

function isSameTransfer(transfer: TransferRead, input: TransferInput): boolean {
  return (
    input.fromAccountId === transfer.fromAccountId &&
    input.toAccountId === transfer.toAccountId &&
    positiveMinorOf(input.amount, transfer.currency) === transfer.amountMinor &&
    (['description', 'memo', 'reference'] as const).every(name => (input[name] ?? '') === (transfer[name] ?? ''))
  );
}
