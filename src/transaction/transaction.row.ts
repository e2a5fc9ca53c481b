import { decimalOfText } from '../shared/money.js';
import type { DebitCreditMemo, KeyValue, LineItem, TransactionStatus, TransactionView } from './transaction.entity.js';
import type { LedgerEntry } from './transaction.ledger.js';

/**
 * What is read of a transaction `t` of an account in time zone `zone` (SQL), in the order of `TransactionRow`. Amounts and lists arrive as
 * texts: most are shown as they are, or not at all.
 */
export function transactionColumns(zone: string): string {
  return `t.seq::float8, t.transaction_id, t.reference_transaction_id, t.reference, t.account_id, t.amount_minor::text, t.balance_minor::text,
    t.debit_credit_memo, t.category, t.transaction_type, t.status, t.description, t.memo, t.transaction_timestamp AT TIME ZONE ${zone},
    t.transaction_timestamp, t.posted_timestamp AT TIME ZONE ${zone}, t.posted_timestamp, t.additional_information::text, t.line_item::text`;
}

export type TransactionRow = [
  seq: number,
  transactionId: string,
  referenceTransactionId: string | null,
  reference: string | null,
  accountId: string,
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
  additionalInformation: string,
  lineItem: string,
];

/** A transaction as it is read. Its lists are parsed when somebody asks for them. */
class TransactionRead implements TransactionView {
  readonly seq: number;
  readonly transactionId: string;
  readonly referenceTransactionId: string | null;
  readonly reference: string | null;
  readonly accountId: string;
  readonly amount: string;
  readonly availableBalance: string;
  readonly debitCreditMemo: DebitCreditMemo;
  readonly category: string;
  readonly transactionType: string;
  readonly status: TransactionStatus;
  readonly description: string | null;
  readonly memo: string | null;
  readonly transactionTime: string;
  readonly transactionTimestamp: string;
  readonly postedTime: string | null;
  readonly postedTimestamp: string | null;
  private readonly lists: readonly [additionalInformation: string, lineItem: string];

  constructor(
    row: TransactionRow,
    readonly currency: string,
  ) {
    this.seq = row[0];
    this.transactionId = row[1];
    this.referenceTransactionId = row[2];
    this.reference = row[3];
    this.accountId = row[4];
    this.amount = decimalOfText(row[5], currency);
    this.availableBalance = decimalOfText(row[6], currency);
    this.debitCreditMemo = row[7];
    this.category = row[8];
    this.transactionType = row[9];
    this.status = row[10];
    this.description = row[11];
    this.memo = row[12];
    this.transactionTime = row[13];
    this.transactionTimestamp = row[14];
    this.postedTime = row[15];
    this.postedTimestamp = row[16];
    this.lists = [row[17], row[18]];
  }

  get additionalInformation(): readonly KeyValue[] {
    return JSON.parse(this.lists[0]) as KeyValue[];
  }

  get lineItem(): readonly LineItem[] {
    return JSON.parse(this.lists[1]) as LineItem[];
  }
}

export function transactionOf(row: TransactionRow, currency: string): TransactionView {
  return new TransactionRead(row, currency);
}

export function ledgerEntryOf(row: TransactionRow): LedgerEntry {
  return {
    seq: row[0],
    transactionId: row[1],
    referenceTransactionId: row[2],
    reference: row[3],
    amountMinor: BigInt(row[5]),
    balanceMinor: BigInt(row[6]),
    debitCreditMemo: row[7],
    category: row[8],
    transactionType: row[9],
    status: row[10],
    description: row[11],
    memo: row[12],
    transactionTimestamp: row[14],
    postedTimestamp: row[16],
    additionalInformation: JSON.parse(row[17]) as KeyValue[],
    lineItem: JSON.parse(row[18]) as LineItem[],
  };
}
