import { decimalOf } from '../shared/money.js';
import type { DebitCreditMemo, KeyValue, LineItem, TransactionStatus, TransactionView } from './transaction.entity.js';
import type { LedgerEntry } from './transaction.ledger.js';

/** What is read of a transaction `t` of an account in time zone `zone` (SQL), in the order of `TransactionRow`. */
export function transactionColumns(zone: string): string {
  return `t.seq::int8, t.transaction_id, t.reference_transaction_id, t.reference, t.account_id, t.amount_minor, t.balance_minor, t.debit_credit_memo,
    t.category, t.transaction_type, t.status, t.description, t.memo, t.transaction_timestamp AT TIME ZONE ${zone}, t.transaction_timestamp,
    t.posted_timestamp AT TIME ZONE ${zone}, t.posted_timestamp, t.additional_information, t.line_item`;
}

export type TransactionRow = [
  seq: bigint,
  transactionId: string,
  referenceTransactionId: string | null,
  reference: string | null,
  accountId: string,
  amountMinor: bigint,
  balanceMinor: bigint,
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
  additionalInformation: KeyValue[],
  lineItem: LineItem[],
];

export function transactionOf(row: TransactionRow, currency: string): TransactionView {
  return {
    seq: Number(row[0]),
    transactionId: row[1],
    referenceTransactionId: row[2],
    reference: row[3],
    accountId: row[4],
    amount: decimalOf(row[5], currency),
    availableBalance: decimalOf(row[6], currency),
    currency,
    debitCreditMemo: row[7],
    category: row[8],
    transactionType: row[9],
    status: row[10],
    description: row[11],
    memo: row[12],
    transactionTime: row[13],
    transactionTimestamp: row[14],
    postedTime: row[15],
    postedTimestamp: row[16],
    additionalInformation: row[17],
    lineItem: row[18],
  };
}

export function ledgerEntryOf(row: TransactionRow): LedgerEntry {
  return {
    seq: Number(row[0]),
    transactionId: row[1],
    referenceTransactionId: row[2],
    reference: row[3],
    amountMinor: row[5],
    balanceMinor: row[6],
    debitCreditMemo: row[7],
    category: row[8],
    transactionType: row[9],
    status: row[10],
    description: row[11],
    memo: row[12],
    transactionTimestamp: row[14],
    postedTimestamp: row[16],
    additionalInformation: row[17],
    lineItem: row[18],
  };
}
