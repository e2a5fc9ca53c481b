import type { AccountView } from '../account/account.entity.js';
import { fieldNamesOf, pick } from '../../platform/repository/fields.js';
import type { FieldProblem } from '../../shared/errors.js';
import { OWN_ID_DETAIL, OWN_ID_MARK } from '../../shared/ids.js';
import { MAX_AMOUNT_MINOR, MAX_BALANCE_MINOR, decimalOf, minorOf } from '../../shared/money.js';
import type { LineItem, TransactionView } from './transaction.entity.js';
import { TransactionDetails, type NewTransaction } from './transaction.inputs.js';

// The rules of a ledger, without a database: which number an entry gets, what it does to the balance, when it is
// refused. Posting and import share them.

/** The content of an entry, whether it is on a ledger or not. */
export type EntryContent = Omit<TransactionView, 'seq' | 'accountId' | 'currency' | 'amount' | 'availableBalance'> & {
  readonly amountMinor: bigint;
};

/** The texts and times that a client sends of a transaction, which make its content with its amount and its lists. */
const GIVEN = [
  ...fieldNamesOf(TransactionDetails).filter(name => name !== 'additionalInformation'),
  'debitCreditMemo',
  'transactionTimestamp',
  'postedTimestamp',
] as (keyof PlainDetails)[];
type PlainDetails = Omit<EntryContent, 'amountMinor' | keyof LocalTimes | 'additionalInformation' | 'lineItem'>;

/** The local times of an entry, as they are stored and shown. */
export type LocalTimes = Pick<EntryContent, 'transactionTime' | 'postedTime'>;

/** An entry on the ledger. `balanceMinor` is the balance after it. */
export type LedgerEntry = EntryContent & { readonly seq: number; readonly balanceMinor: bigint };

/** An entry that is offered to the ledger, with the balance that is expected after it, if any. */
export interface OfferedEntry {
  readonly content: EntryContent;
  readonly expectedBalance: string | number | null;
  /**
   * True if it is the gateway's own, with an id that the gateway made. One that refers to a transaction in the other
   * direction gives it back, and no more than is left of it. The bank's own entries may refer to anything.
   */
  readonly isOwn?: boolean;
}

/** A transaction that an entry of the gateway refers to, and the sums of what refers to it, by direction. */
export interface ReferencedTransaction {
  readonly transactionId: string;
  /** Null where the ledger has no such transaction. */
  readonly entry: LedgerEntry | null;
  readonly creditMinor: bigint;
  readonly debitMinor: bigint;
}

/** The amount that was given back of a transaction, the last entry included. */
interface ReturnedAmount {
  readonly transactionId: string;
  readonly beforeMinor: bigint;
  readonly totalMinor: bigint;
}

/** An entry that the ledger took; not new if it was there before. */
export interface LedgerAppend {
  readonly entry: LedgerEntry;
  readonly isNew: boolean;
}

/** A transaction as posting and import bring it, whose amount is read apart. */
type BroughtTransaction = Omit<NewTransaction, 'amount'>;

const DIFFERENT: FieldProblem = {
  pointer: '/transactionId',
  code: 'different_transaction',
  detail: 'A transaction with this id exists and has different content. Use a new transactionId.',
};
const CONTRADICTION: FieldProblem = {
  pointer: '/availableBalance',
  code: 'balance_contradiction',
  detail:
    'The ledger gives another balance after this transaction. Correct this field, or leave it out; where the history begins later than the account, send its opening balance as the first transaction.',
};
const OUT_OF_RANGE: FieldProblem = {
  pointer: '/amount',
  code: 'balance_range',
  detail: 'The balance of the account would have more than 18 digits. Post a smaller amount.',
};
const BEYOND_TRANSACTION: FieldProblem = {
  pointer: '/amount',
  code: 'beyond_transaction',
  detail: 'Must be at most what is left of the transaction. Postings in the other direction that refer to it count.',
};
const OWN_ID: FieldProblem = { pointer: '/transactionId', code: 'format', detail: OWN_ID_DETAIL };
const POSTED_WHEN: FieldProblem = {
  pointer: '/postedTimestamp',
  code: 'required',
  detail: 'A transaction with the status POSTED needs this field. Send the time of posting.',
};

/** The end of an account's ledger as it is on record. */
type LedgerEnd = Pick<AccountView, 'currency' | 'lastSeq' | 'balanceMinor'>;

/** The end of an account's ledger while entries are added to it. The account's row must be locked meanwhile. */
export class LedgerHead {
  readonly currency: string;
  /** The end before anything was added. */
  readonly seqBefore: number;
  readonly balanceBeforeMinor: bigint;
  lastSeq: number;
  balanceMinor: bigint;
  /** The entries that were added, in their order. */
  readonly added: LedgerEntry[] = [];
  /** The amounts of what was added and moves the balance, credits and debits alike. */
  turnoverMinor = 0n;
  /** The amounts that the gateway's own entries give back, in their order. */
  readonly givenBack: ReturnedAmount[] = [];
  private readonly byId = new Map<string, LedgerEntry>();
  private readonly referring = new Map<string, { CREDIT: bigint; DEBIT: bigint }>();

  /**
   * `present`: the entries that are on the ledger already, of those that will be offered. `referenced`: what is on it
   * of the transactions that the gateway's own refer to.
   */
  constructor(
    account: LedgerEnd,
    entries: Iterable<LedgerEntry> = [],
    referenced: Iterable<ReferencedTransaction> = [],
  ) {
    this.currency = account.currency;
    this.seqBefore = account.lastSeq;
    this.lastSeq = account.lastSeq;
    this.balanceMinor = account.balanceMinor;
    this.balanceBeforeMinor = account.balanceMinor;
    for (const entry of entries) this.byId.set(entry.transactionId, entry);
    for (const { transactionId, entry, creditMinor, debitMinor } of referenced) {
      if (entry) this.byId.set(transactionId, entry);
      this.referring.set(transactionId, { CREDIT: creditMinor, DEBIT: debitMinor });
    }
  }

  /**
   * Adds an entry at the end. The same entry again is given back as it stands. A different one under a known id, one
   * whose expected balance is not the ledger's, one that takes the balance out of its range, or one of the gateway that
   * gives back more than is left of a transaction is a problem and changes nothing.
   */
  offer({ content, expectedBalance, isOwn }: OfferedEntry): LedgerAppend | FieldProblem {
    const stored = this.byId.get(content.transactionId);
    if (stored) {
      if (!sameContent(stored, content)) return DIFFERENT;
      if (!isBalance(expectedBalance, stored.balanceMinor, this.currency)) return CONTRADICTION;
      return { entry: stored, isNew: false };
    }
    if (!isOwn && content.transactionId.includes(OWN_ID_MARK)) return OWN_ID;
    const moved = movement(content);
    const outOfRange = this.rangeProblem(moved);
    if (outOfRange) return outOfRange;
    const balanceMinor = this.balanceMinor + moved;
    if (!isBalance(expectedBalance, balanceMinor, this.currency)) return CONTRADICTION;
    if (isOwn && !this.givesBack(content)) return BEYOND_TRANSACTION;
    this.lastSeq += 1;
    this.balanceMinor = balanceMinor;
    if (isBooked(content)) this.turnoverMinor += content.amountMinor;
    const entry = { ...content, seq: this.lastSeq, balanceMinor };
    this.byId.set(content.transactionId, entry);
    this.added.push(entry);
    return { entry, isNew: true };
  }

  /** True if the ledger has an entry with this id, as far as it was looked for. */
  has(transactionId: string): boolean {
    return this.byId.has(transactionId);
  }

  /** Returns the problem of an entry that would move the balance by so much, or null. */
  rangeProblem(movedMinor: bigint): FieldProblem | null {
    const balanceMinor = this.balanceMinor + movedMinor;
    return balanceMinor > MAX_BALANCE_MINOR || balanceMinor < -MAX_BALANCE_MINOR ? OUT_OF_RANGE : null;
  }

  /**
   * Takes back what an entry refers to, if it goes in the other direction. False if more than is left would go back.
   */
  private givesBack(content: EntryContent): boolean {
    const { referenceTransactionId: transactionId, debitCreditMemo, amountMinor } = content;
    if (!transactionId || debitCreditMemo === 'MEMO' || !isBooked(content)) return true;
    const original = this.byId.get(transactionId);
    if (!original || !isBooked(original) || original.debitCreditMemo === debitCreditMemo) return true;
    const beforeMinor = this.referring.get(transactionId)?.[debitCreditMemo] ?? 0n;
    const totalMinor = beforeMinor + amountMinor;
    if (totalMinor > original.amountMinor) return false;
    this.givenBack.push({ transactionId, beforeMinor, totalMinor });
    return true;
  }
}

/** The end of an account's ledger. */
export interface MovedLedger {
  readonly accountId: string;
  readonly head: LedgerHead;
}

/** True if an entry moves the balance: `BOOKED_SQL` is the same rule. */
export function isBooked({ debitCreditMemo, status }: Pick<EntryContent, 'debitCreditMemo' | 'status'>): boolean {
  return status === 'POSTED' && debitCreditMemo !== 'MEMO';
}

/** The amount by which an entry moves the balance, in minor units. */
function movement(content: EntryContent): bigint {
  if (!isBooked(content)) return 0n;
  return content.debitCreditMemo === 'CREDIT' ? content.amountMinor : -content.amountMinor;
}

/** Makes the offer of a transaction with this amount, or returns every problem that it has whatever the ledger has. */
export function offerOf(
  brought: BroughtTransaction,
  amount: string,
  currency: string,
  times: LocalTimes,
): OfferedEntry | [FieldProblem, ...FieldProblem[]] {
  const amountMinor = amountMinorOf(amount, currency);
  const lacksTime = brought.status === 'POSTED' && !brought.postedTimestamp;
  if (typeof amountMinor !== 'bigint') return lacksTime ? [amountMinor, POSTED_WHEN] : [amountMinor];
  if (lacksTime) return [POSTED_WHEN];
  return { content: contentOf(brought, amountMinor, times), expectedBalance: brought.availableBalance ?? null };
}

/** An amount in minor units, if it has the digits of the currency. */
export function minorUnitsOf(decimal: string, currency: string): bigint | FieldProblem {
  const detail = `Must be a decimal number with no more decimal digits than the account's currency has.`;
  return minorOf(decimal, currency) ?? { pointer: '/amount', code: 'currency_digits', detail };
}

/** An amount that is more than zero, in minor units. */
export function positiveMinorOf(decimal: string, currency: string): bigint | FieldProblem {
  const minor = minorUnitsOf(decimal, currency);
  if (typeof minor !== 'bigint' || (minor > 0n && minor <= MAX_AMOUNT_MINOR)) return minor;
  const detail = 'Must be more than 0 and at most 10^15 minor units of the currency.';
  return { pointer: '/amount', code: 'range', detail };
}

function amountMinorOf(decimal: string, currency: string): bigint | FieldProblem {
  const minor = minorUnitsOf(decimal, currency);
  if (typeof minor !== 'bigint') return minor;
  if (minor < 0n || minor > MAX_AMOUNT_MINOR) {
    return {
      pointer: '/amount',
      code: 'range',
      detail: 'Must be between 0 and 10^15 minor units of the currency. The direction is a field of its own.',
    };
  }
  return minor;
}

function contentOf(details: BroughtTransaction, amountMinor: bigint, times: LocalTimes): EntryContent {
  return {
    ...pick<PlainDetails>(details, GIVEN),
    ...times,
    amountMinor,
    additionalInformation: (details.additionalInformation ?? []).map(({ key, value }) => ({ key, value })),
    lineItem: (details.lineItem ?? []).map(({ description, reference, imageIds }) => ({
      description: description ?? null,
      reference: reference ?? null,
      imageIds: imageIds ?? [],
    })),
  };
}

// Local times follow from the instants, so they are not compared: what is stored of them may come from older time
// zones.
function sameContent(a: EntryContent, b: EntryContent): boolean {
  return (
    a.amountMinor === b.amountMinor &&
    GIVEN.every(name => sameText(a[name], b[name])) &&
    sameItems(a.additionalInformation, b.additionalInformation, (x, y) => x.key === y.key && x.value === y.value) &&
    sameItems(a.lineItem, b.lineItem, sameLine)
  );
}

/** REST shows no text as an empty one, and takes it back so. */
function sameText(a: string | null, b: string | null): boolean {
  return (a ?? '') === (b ?? '');
}

function sameLine(a: LineItem, b: LineItem): boolean {
  return (
    sameText(a.description, b.description) &&
    sameText(a.reference, b.reference) &&
    sameItems(a.imageIds, b.imageIds, (x, y) => x === y)
  );
}

function sameItems<Item>(a: readonly Item[], b: readonly Item[], same: (x: Item, y: Item) => boolean): boolean {
  return a.length === b.length && a.every((item, index) => same(item, b[index] as Item));
}

// A JSON number is compared as a number: the balance's own text reads as the same one, however many digits it has.
function isBalance(expected: string | number | null, balanceMinor: bigint, currency: string): boolean {
  if (expected === null) return true;
  const text = decimalOf(balanceMinor, currency);
  return typeof expected === 'number' ? Number(text) === expected : minorOf(expected, currency) === balanceMinor;
}
