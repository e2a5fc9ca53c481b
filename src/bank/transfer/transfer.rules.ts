import type { AccountOwner, AccountView } from '../account/account.entity.js';
import { AccountNotFound, mustBeOpen, mustHaveFunds, mustNotBeClosed } from '../account/account.errors.js';
import { mustBeWithinLimits, type LimitFacts } from '../limit/limit.service.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { decimalOf, isAboveAny } from '../../shared/money.js';
import { isEqual, metadataAfter } from '../../shared/metadata.js';
import { OWN_ID_DETAIL, OWN_ID_MARK } from '../../shared/ids.js';
import { positiveMinorOf, type LedgerPresent, type PostingRules } from '../transaction/ledger.service.js';
import type { TransferRead } from './transfer.entity.js';
import { CurrencyMismatch, PayeeMismatch, TransferMismatch, TransferWaits } from './transfer.errors.js';
import type { NewTransfer, TransferInput } from './transfer.inputs.js';

type Owner = Pick<AccountOwner, 'customerId'>;

/** The facts that decide on a new transfer beside its accounts. */
export interface MakingFacts {
  /** The account beside which a transfer with this id is recorded; null where there is none. */
  readonly recordedWith: string | null;
  /** That transfer, if the money left the same account. */
  readonly recorded: TransferRead | null;
  readonly from: LedgerPresent;
  readonly to: LedgerPresent;
  readonly rules: PostingRules;
  /** The limits of transfers from the account that the money leaves. */
  readonly limits: LimitFacts;
  /** The owners of the two accounts, where a customer asks. */
  readonly fromOwners: readonly Owner[];
  readonly toOwners: readonly Owner[];
  /** True if the name that was given is the last name of an owner of the account that the money goes to. */
  readonly isPayeeConfirmed: boolean;
}

/** The transfer that is there already, with the same content; null for a new one. Throws `TransferMismatch`. */
export function repeatedTransfer(
  { recordedWith, recorded }: Pick<MakingFacts, 'recordedWith' | 'recorded'>,
  input: TransferInput,
): TransferRead | null {
  if (recordedWith === null) return null;
  if (!recorded || !isSameTransfer(recorded, input)) throw new TransferMismatch();
  return recorded;
}

/** The amount of a new transfer in minor units. Throws `InvalidInput`, which names every bad field. */
export function newAmountOf({ transferId, amount, isOwnId = false }: NewTransfer, currency: string): bigint {
  const amountMinor = positiveMinorOf(amount, currency);
  const problems: FieldProblem[] = typeof amountMinor === 'bigint' ? [] : [amountMinor];
  if (!isOwnId && transferId.includes(OWN_ID_MARK)) {
    problems.push({ pointer: '/transferId', code: 'format', detail: OWN_ID_DETAIL });
  }
  if (typeof amountMinor !== 'bigint' || problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return amountMinor;
}

/** Throws `AccountNotFound` unless a customer owns an account. */
export function mustOwn(customerId: string | null, accountId: string, owners: readonly Owner[]): void {
  if (customerId === null || owners.some(owner => owner.customerId === customerId)) return;
  throw new AccountNotFound(accountId);
}

/**
 * The account that money goes to. Throws `AccountNotFound`; where customers may pay accounts of others, `PayeeMismatch`
 * for all that they may not pay, whether it exists or not.
 */
export function payableTo(
  customerId: string | null,
  accountId: string,
  account: AccountView | null,
  { toOwners, limits, isPayeeConfirmed }: MakingFacts,
): AccountView {
  const isOwn = customerId === null || toOwners.some(owner => owner.customerId === customerId);
  const paysOthers = customerId !== null && limits.rules?.customersTo === 'PROGRAM';
  if (account && (isOwn || (paysOthers && isPayeeConfirmed))) return account;
  throw paysOthers ? new PayeeMismatch() : new AccountNotFound(accountId);
}

/** The terms of a transfer beside its amount. */
export interface TransferTerms {
  /** True if a customer asks for it, whose funds are always checked. */
  readonly isOfCustomer: boolean;
  /** False where it cannot wait for an approval: it is refused then if the program wants one. */
  readonly mayWait: boolean;
}

/**
 * Throws `AccountClosed`, `AccountRestricted`, `CurrencyMismatch`, `TransferMismatch`, `LimitExceeded`,
 * `TransferWaits`, `InsufficientFunds` unless a new transfer may be made.
 */
export function permitTransfer(
  from: AccountView,
  to: AccountView,
  amountMinor: bigint,
  { rules, limits, ...ledgers }: MakingFacts,
  { isOfCustomer, mayWait }: TransferTerms,
): void {
  mustBeOpen(from);
  mustNotBeClosed(to);
  if (from.currency !== to.currency) throw new CurrencyMismatch();
  // Nothing may be on a ledger under the ids of the entries of a new transfer.
  if ([...ledgers.from.entries, ...ledgers.to.entries].some(entry => entry !== null)) throw new TransferMismatch();
  mustBeWithinLimits(limits, from.currency, amountMinor);
  const amount = decimalOf(amountMinor, from.currency);
  if (!mayWait && isAboveAny({ amount, currency: from.currency }, rules.approvals?.transfersAbove ?? [])) {
    throw new TransferWaits();
  }
  if (isOfCustomer || rules.checksFunds) mustHaveFunds(from, from.balanceMinor - from.heldMinor - amountMinor);
}

function isSameTransfer(transfer: TransferRead, input: TransferInput): boolean {
  return (
    input.fromAccountId === transfer.fromAccountId &&
    input.toAccountId === transfer.toAccountId &&
    positiveMinorOf(input.amount, transfer.currency) === transfer.amountMinor &&
    isEqual(metadataAfter({}, input.metadata), transfer.metadata) &&
    (['description', 'memo', 'reference'] as const).every(name => (input[name] ?? '') === (transfer[name] ?? ''))
  );
}
