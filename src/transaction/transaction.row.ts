import type { AccountView } from '../account/account.entity.js';
import { decimalOfText } from '../shared/money.js';
import type { DebitCreditMemo, KeyValue, LineItem, TransactionStatus, TransactionView } from './transaction.entity.js';
import type { LedgerEntry } from './transaction.ledger.js';

/**
 * What is read of a transaction `t` of an account in time zone `zone` (SQL), in the order of `TransactionRow`. Amounts and lists arrive as
 * texts: most are shown as they are. The lists come where `lists` (SQL) is true.
 */
export function transactionColumns(zone: string, lists = 'true'): string {
  return `t.seq::float8, t.transaction_id, t.reference_transaction_id, t.reference, t.amount_minor::text, t.balance_minor::text,
    t.debit_credit_memo, t.category, t.transaction_type, t.status, t.description, t.memo, t.transaction_timestamp AT TIME ZONE ${zone},
    t.transaction_timestamp, t.posted_timestamp AT TIME ZONE ${zone}, t.posted_timestamp,
    CASE WHEN ${lists} THEN t.additional_information::text END, CASE WHEN ${lists} THEN t.line_item::text END`;
}

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

/** What comes after these columns is for whoever asked for it. */
type AtLeast = Readonly<[...TransactionRow, ...unknown[]]>;

type Whose = Pick<AccountView, 'accountId' | 'currency'>;

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
  readonly currency: string;
  private readonly lists: readonly [additionalInformation: string | null, lineItem: string | null];

  constructor(row: AtLeast, { accountId, currency }: Whose) {
    this.seq = row[0];
    this.transactionId = row[1];
    this.referenceTransactionId = row[2];
    this.reference = row[3];
    this.accountId = accountId;
    this.currency = currency;
    this.amount = decimalOfText(row[4], currency);
    this.availableBalance = decimalOfText(row[5], currency);
    this.debitCreditMemo = row[6];
    this.category = row[7];
    this.transactionType = row[8];
    this.status = row[9];
    this.description = row[10];
    this.memo = row[11];
    this.transactionTime = row[12];
    this.transactionTimestamp = row[13];
    this.postedTime = row[14];
    this.postedTimestamp = row[15];
    this.lists = [row[16], row[17]];
  }

  get additionalInformation(): readonly KeyValue[] {
    return listOf<KeyValue>(this.lists[0]);
  }

  get lineItem(): readonly LineItem[] {
    return listOf<LineItem>(this.lists[1]);
  }
}

function listOf<Item>(text: string | null): Item[] {
  if (text === null) throw new Error('the lists of this transaction were not read');
  return JSON.parse(text) as Item[];
}

/** A transaction of an account. */
export function transactionOf(row: AtLeast, account: Whose): TransactionView {
  return new TransactionRead(row, account);
}

export function ledgerEntryOf(row: AtLeast): LedgerEntry {
  return {
    seq: row[0],
    transactionId: row[1],
    referenceTransactionId: row[2],
    reference: row[3],
    amountMinor: BigInt(row[4]),
    balanceMinor: BigInt(row[5]),
    debitCreditMemo: row[6],
    category: row[7],
    transactionType: row[8],
    status: row[9],
    description: row[10],
    memo: row[11],
    transactionTimestamp: row[13],
    postedTimestamp: row[15],
    additionalInformation: listOf<KeyValue>(row[16]),
    lineItem: listOf<LineItem>(row[17]),
  };
}
