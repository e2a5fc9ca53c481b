import { MAX_AMOUNT_MINOR, MAX_BALANCE_MINOR, decimalOf, minorOf } from '../shared/money.js';
import type { FieldCode } from '../shared/field-problems.js';
import type { DebitCreditMemo, KeyValue, LineItem, TransactionStatus } from './transaction.entity.js';
import type { TransactionDetails } from './transaction.inputs.js';

/**
 * The rules of a ledger, without a database: which number an entry gets, what it does to the balance, when it is refused.
 * Posting and import use the same.
 */

/** What an entry says, whoever brought it. */
export interface EntryContent {
  readonly transactionId: string;
  readonly referenceTransactionId: string | null;
  readonly reference: string | null;
  readonly amountMinor: bigint;
  readonly debitCreditMemo: DebitCreditMemo;
  readonly category: string;
  readonly transactionType: string;
  readonly status: TransactionStatus;
  readonly description: string | null;
  readonly memo: string | null;
  readonly transactionTimestamp: string;
  readonly postedTimestamp: string | null;
  readonly additionalInformation: readonly KeyValue[];
  readonly lineItem: readonly LineItem[];
}

/** An entry on the ledger. `balanceMinor` is the balance after it. */
export interface LedgerEntry extends EntryContent {
  readonly seq: number;
  readonly balanceMinor: bigint;
}

/** An entry that is offered to the ledger, with the balance that its bringer expects after it, if it says so. */
export interface OfferedEntry {
  readonly content: EntryContent;
  readonly expectedBalance: string | number | null;
}

/** Why the ledger does not take an entry: the field at fault, and what to tell of it. */
export const ENTRY_PROBLEMS = {
  different_transaction: {
    field: 'transactionId',
    detail: 'A transaction with this id exists and has different content. Use a new transactionId.',
  },
  balance_contradiction: {
    field: 'availableBalance',
    detail: 'The ledger gives another balance after this transaction. Correct availableBalance, or leave it out.',
  },
  balance_range: {
    field: 'amount',
    detail: 'The balance of the account would have more than 18 digits. Post a smaller amount.',
  },
} as const;
export type EntryProblem = keyof typeof ENTRY_PROBLEMS;

export type Offer = { readonly entry: LedgerEntry; readonly isNew: boolean } | { readonly problem: EntryProblem };

/** The end of an account's ledger while entries are added to it. The account's row must be locked as long as this lives. */
export class LedgerHead {
  private readonly known = new Map<string, LedgerEntry>();

  /** `present`: the entries that are on the ledger already, of those that will be offered. */
  constructor(
    readonly currency: string,
    public lastSeq: number,
    public balanceMinor: bigint,
    present: Iterable<LedgerEntry> = [],
  ) {
    for (const entry of present) this.known.set(entry.transactionId, entry);
  }

  /**
   * Adds an entry at the end. The same entry again is given back as it stands. A different one under a known id, one whose
   * expected balance is not the ledger's, or one that takes the balance out of its range is a problem and changes nothing.
   */
  offer({ content, expectedBalance }: OfferedEntry): Offer {
    const known = this.known.get(content.transactionId);
    if (known) {
      if (!sameContent(known, content)) return { problem: 'different_transaction' };
      if (!isBalance(expectedBalance, known.balanceMinor, this.currency)) return { problem: 'balance_contradiction' };
      return { entry: known, isNew: false };
    }
    const balanceMinor = this.balanceMinor + movement(content);
    if (balanceMinor > MAX_BALANCE_MINOR || balanceMinor < -MAX_BALANCE_MINOR) return { problem: 'balance_range' };
    if (!isBalance(expectedBalance, balanceMinor, this.currency)) return { problem: 'balance_contradiction' };
    this.lastSeq += 1;
    this.balanceMinor = balanceMinor;
    const entry = { ...content, seq: this.lastSeq, balanceMinor };
    this.known.set(content.transactionId, entry);
    return { entry, isNew: true };
  }
}

/** What an entry does to the balance, in minor units: only posted credits and debits do anything. */
export function movement({
  amountMinor,
  debitCreditMemo,
  status,
}: Pick<EntryContent, 'amountMinor' | 'debitCreditMemo' | 'status'>): bigint {
  if (status !== 'POSTED' || debitCreditMemo === 'MEMO') return 0n;
  return debitCreditMemo === 'CREDIT' ? amountMinor : -amountMinor;
}

/** An amount in minor units, or what is wrong with it: a stable code and a sentence. */
export function amountMinorOf(decimal: string, currency: string): bigint | { code: FieldCode; detail: string } {
  const minor = minorOf(decimal, currency);
  if (minor === null) {
    return {
      code: 'currency_digits',
      detail: `Must be a decimal number with no more decimal digits than the account's currency has.`,
    };
  }
  if (minor < 0n || minor > MAX_AMOUNT_MINOR) {
    return {
      code: 'range',
      detail: 'Must be between 0 and 10^15 minor units of the currency. Set the direction in debitCreditMemo.',
    };
  }
  return minor;
}

/** What a record says of an entry besides its amount, with the absent parts filled in. */
export function contentOf(details: TransactionDetails, amountMinor: bigint): EntryContent {
  return {
    transactionId: details.transactionId,
    referenceTransactionId: details.referenceTransactionId ?? null,
    reference: details.reference ?? null,
    amountMinor,
    debitCreditMemo: details.debitCreditMemo,
    category: details.category,
    transactionType: details.transactionType,
    status: details.status,
    description: details.description ?? null,
    memo: details.memo ?? null,
    transactionTimestamp: details.transactionTimestamp,
    postedTimestamp: details.postedTimestamp ?? null,
    additionalInformation: (details.additionalInformation ?? []).map(({ key, value }) => ({ key, value })),
    lineItem: (details.lineItem ?? []).map(({ description, reference, imageIds }) => ({
      description: description ?? null,
      reference: reference ?? null,
      imageIds: imageIds ?? [],
    })),
  };
}

function sameContent(a: EntryContent, b: EntryContent): boolean {
  return (
    a.amountMinor === b.amountMinor &&
    a.debitCreditMemo === b.debitCreditMemo &&
    a.status === b.status &&
    a.transactionTimestamp === b.transactionTimestamp &&
    a.postedTimestamp === b.postedTimestamp &&
    a.category === b.category &&
    a.transactionType === b.transactionType &&
    sameText(a.description, b.description) &&
    sameText(a.memo, b.memo) &&
    sameText(a.reference, b.reference) &&
    sameText(a.referenceTransactionId, b.referenceTransactionId) &&
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
