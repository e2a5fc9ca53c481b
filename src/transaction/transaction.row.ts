import type { AccountView } from '../account/account.entity.js';
import { decimalOfText } from '../shared/money.js';
import type { DebitCreditMemo, KeyValue, LineItem, TransactionStatus, TransactionView } from './transaction.entity.js';
import type { LedgerEntry } from './transaction.ledger.js';

/** The columns of `TransactionRow`, of a transaction `t`. The lists are read where `lists` (SQL) is true. */
export function transactionColumns(lists = 'true'): string {
  return `t.seq::float8, t.transaction_id, t.reference_transaction_id, t.reference, t.amount_minor::text, t.balance_minor::text,
    t.debit_credit_memo, t.category, t.transaction_type, t.status, t.description, t.memo,
    t.transaction_time, t.transaction_timestamp, t.posted_time, t.posted_timestamp,
    CASE WHEN ${lists} THEN t.additional_information::text END, CASE WHEN ${lists} THEN t.line_item::text END`;
}

/** Amounts and lists arrive as texts, since most are sent as they are. */
export type TransactionRow = [
  seq: number,
  transactionId: string,
  referenceTransactionId: string | null,
  reference: string | null,
  amountMinor: string,
  balanceMinor: string,
  debitCreditMemo: DebitCreditMemo,
  category: string,
  transactionType: string,
  status: TransactionStatus,
  description: string | null,
  memo: string | null,
  transactionTime: string,
  transactionTimestamp: string,
  postedTime: string | null,
  postedTimestamp: string | null,
  additionalInformation: string | null,
  lineItem: string | null,
];

/** A statement may read more behind these columns. */
type AtLeast = Readonly<[...TransactionRow, ...unknown[]]>;

/** A transaction as it is read. Its getters decode a column when it is asked for, so no row is copied. */
export class TransactionRead implements TransactionView, LedgerEntry {
  constructor(
    private readonly row: AtLeast,
    private readonly account: Pick<AccountView, 'accountId' | 'currency'>,
  ) {}

  get seq(): number {
    return this.row[0];
  }
  get transactionId(): string {
    return this.row[1];
  }
  get referenceTransactionId(): string | null {
    return this.row[2];
  }
  get reference(): string | null {
    return this.row[3];
  }
  get accountId(): string {
    return this.account.accountId;
  }
  get currency(): string {
    return this.account.currency;
  }
  get amount(): string {
    return decimalOfText(this.row[4], this.account.currency);
  }
  get amountMinor(): bigint {
    return BigInt(this.row[4]);
  }
  get availableBalance(): string {
    return decimalOfText(this.row[5], this.account.currency);
  }
  get balanceMinor(): bigint {
    return BigInt(this.row[5]);
  }
  get debitCreditMemo(): DebitCreditMemo {
    return this.row[6];
  }
  get category(): string {
    return this.row[7];
  }
  get transactionType(): string {
    return this.row[8];
  }
  get status(): TransactionStatus {
    return this.row[9];
  }
  get description(): string | null {
    return this.row[10];
  }
  get memo(): string | null {
    return this.row[11];
  }
  get transactionTime(): string {
    return this.row[12];
  }
  get transactionTimestamp(): string {
    return this.row[13];
  }
  get postedTime(): string | null {
    return this.row[14];
  }
  get postedTimestamp(): string | null {
    return this.row[15];
  }
  /** JSON, as it is stored. */
  get additionalInformationJson(): string {
    return wasRead(this.row[16]);
  }
  get additionalInformation(): readonly KeyValue[] {
    return listOf<KeyValue>(this.row[16]);
  }
  get lineItem(): readonly LineItem[] {
    return listOf<LineItem>(this.row[17]);
  }
}

function listOf<Item>(text: string | null): Item[] {
  const json = wasRead(text);
  // Most are empty, which needs no parsing.
  return json === '[]' ? [] : (JSON.parse(json) as Item[]);
}

function wasRead(text: string | null): string {
  if (text === null) throw new Error('the lists of this transaction were not read');
  return text;
}
