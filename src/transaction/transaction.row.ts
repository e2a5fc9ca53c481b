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

/** A transaction as it is read. It shows its row without copying it: most of what is read is asked for once, and some of it never. */
export class TransactionRead implements TransactionView {
  constructor(
    private readonly row: AtLeast,
    private readonly account: Whose,
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
  get availableBalance(): string {
    return decimalOfText(this.row[5], this.account.currency);
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

/** A transaction of an account. */
export function transactionOf(row: AtLeast, account: Whose): TransactionRead {
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
