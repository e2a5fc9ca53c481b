import { BigIntType, OptionalProps, Type, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { Renamed } from '../../platform/graphql/renamed.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { AsText, Derived, FromParent, Lazy, Unread } from '../../platform/repository/declarations.js';
import { Currency, DateTimeISO, Decimal, LocalDateTime } from '../../platform/scalars/scalars.js';
import { decimalOfText } from '../../shared/money.js';

export const DebitCreditMemo = { CREDIT: 'CREDIT', DEBIT: 'DEBIT', MEMO: 'MEMO' } as const;
export type DebitCreditMemo = keyof typeof DebitCreditMemo;
registerEnumType(DebitCreditMemo, {
  name: 'TransactionDirection',
  description: 'A direction of money: into the account, out of it, or neither.',
  valuesConfig: {
    CREDIT: { description: 'Money enters the account.' },
    DEBIT: { description: 'Money leaves the account.' },
    MEMO: { description: 'No money moves.' },
  },
});

export const TransactionStatus = {
  AUTHORIZATION: 'AUTHORIZATION',
  MEMO: 'MEMO',
  PENDING: 'PENDING',
  POSTED: 'POSTED',
} as const;
export type TransactionStatus = keyof typeof TransactionStatus;
registerEnumType(TransactionStatus, {
  name: 'TransactionStatus',
  description: 'The status of the transaction: POSTED ones alone change the balance.',
  valuesConfig: {
    AUTHORIZATION: { description: 'The transaction is authorised, such as by card, and not yet claimed.' },
    MEMO: { description: 'The transaction is announced, for information only.' },
    PENDING: { description: 'The transaction is in progress, and not yet posted.' },
    POSTED: { description: 'The transaction is posted: it changed the balance.' },
  },
});

@ObjectType({ description: 'One entry of additional information about a transaction.', simpleResolvers: true })
export class KeyValue {
  @Field(() => String, { description: 'The key, such as `usage`.' }) key!: string;
  @Field(() => String, { description: 'The value, such as `MONETARY`.' }) value!: string;
}

@ObjectType({ description: 'One line of a transaction that has several.', simpleResolvers: true })
export class LineItem {
  @Field(() => String, {
    nullable: true,
    description: 'The purpose of this part of the amount.',
  })
  description!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, such as `INV-2041`.',
  })
  reference!: string | null;
  @Field(() => [String], { description: 'Images of the line, such as those of a cheque.' })
  imageIds!: readonly string[];
}

/** A time without a zone, such as `2026-03-31T14:05:00`. */
class LocalTime extends Type<string | null, string | null> {
  override getColumnType(): string {
    return 'timestamp(0)';
  }
  override convertToJSValue(text: string | null): string | null {
    return text?.replace(' ', 'T') ?? null;
  }
}

/** The condition that an entry `t` moves the balance, in SQL: `isBooked` is the same rule. */
export const BOOKED_SQL = `t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO'`;

/** The amount that an entry `t` adds to the balance, in minor units. */
export const MOVED_SQL = `CASE WHEN NOT (${BOOKED_SQL}) THEN 0 WHEN t.debit_credit_memo = 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END`;

/** Fields that are computed from columns. */
type ComputedField = 'amount' | 'availableBalance' | 'currency';
type HiddenTransactionField = 'program' | 'seq' | 'amountMinor' | 'balanceMinor' | 'occurredAt' | typeof OptionalProps;

/**
 * One entry of an account's ledger. Never changed and never deleted: the database refuses both. A pending transaction
 * that is posted, or one that is reversed, is a new entry which names the old one.
 */
@Entity({ tableName: 'transaction' })
@DataClasses<Transaction>({
  kept: 'as long as the account; the ledger is never changed, and deleted only with its account',
  shownAs: ['DepositTransaction'],
  internal: ['program', 'seq', 'category', 'transactionType', 'status', 'occurredAt'],
  identifier: ['accountId', 'transactionId', 'referenceTransactionId', 'reference'],
  ledger: [
    'amountMinor',
    'balanceMinor',
    'debitCreditMemo',
    'transactionTime',
    'transactionTimestamp',
    'postedTime',
    'postedTimestamp',
  ],
  personal: {
    description: 'in the clear: statements print it, and the history is searched by it',
    memo: 'in the clear: statements print it, and the history is searched by it',
    additionalInformation: 'in the clear: it is part of the entry, which the ledger keeps as it came',
    lineItem: 'in the clear: it is part of the entry, which the ledger keeps as it came',
  },
})
@Unique({ properties: ['accountId', 'transactionId'] })
// Holds every column that a filter asks for, so that counting and selecting read the index alone.
@Index({
  name: 'transaction_posted',
  expression: `create index "transaction_posted" on "transaction" ("account_id", "posted_timestamp", "seq")
    include ("transaction_type", "category", "status", "debit_credit_memo", "amount_minor")`,
})
@Index({
  name: 'transaction_reference',
  expression: `create index "transaction_reference" on "transaction" ("account_id", "reference_transaction_id")
    include ("debit_credit_memo", "amount_minor")
    where reference_transaction_id is not null and status = 'POSTED' and debit_credit_memo <> 'MEMO'`,
})
@Index({ name: 'transaction_type', properties: ['accountId', 'transactionType', 'seq'] })
@Index({ name: 'transaction_occurred', properties: ['program', 'occurredAt', 'accountId', 'seq'] })
@Check({ name: 'transaction_amount', expression: 'amount_minor >= 0' })
@NodeKey('accountId', 'transactionId')
@ObjectType({
  description: 'An entry of the history. It never changes: later ones refer to it.',
  implements: Node,
  simpleResolvers: true,
})
export class Transaction {
  [OptionalProps]?: ComputedField;

  @OfAccount()
  @FromParent()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  /** Its number in ledger order: 1, 2, 3, without gaps in its account. */
  @PrimaryKey({ type: new BigIntType('number') }) seq!: number;

  @FromParent()
  @Property({ type: 'text' })
  program!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'The id within its account, such as `tx-20260331-7`.' })
  transactionId!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'A related transaction, such as `tx-20260330-2`.',
  })
  referenceTransactionId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, such as `INV-2041`.',
  })
  reference!: string | null;

  @AsText('amountMinorText')
  @Property({ type: 'bigint' })
  amountMinor!: bigint;

  @Derived((row: TransactionRead) => decimalOfText(row.amountMinorText, row.currency))
  @Field(() => Decimal, {
    description: 'The amount, never negative: the direction is a field of its own.',
  })
  amount!: string;

  @AsText('balanceMinorText')
  @Property({ type: 'bigint' })
  balanceMinor!: bigint;

  @Derived((row: TransactionRead) => decimalOfText(row.balanceMinorText, row.currency))
  @Renamed('balanceAfter')
  @Field(() => Decimal, {
    description: 'The posted balance after it in ledger order.',
  })
  availableBalance!: string;

  @FromParent()
  @Field(() => Currency, { description: 'The currency of the account.' })
  currency!: string;

  @Property({ type: 'text' })
  @Renamed('direction')
  @Field(() => DebitCreditMemo, { description: 'The direction in which the money goes.' })
  debitCreditMemo!: DebitCreditMemo;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The payment rail, such as `ACH`, `CARD` or `OTHER`; an open set.',
  })
  category!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The type, such as `DIRECTDEPOSIT`, `INTEREST` or `FEE`; an open set.',
  })
  transactionType!: string;

  @Property({ type: 'text' })
  @Field(() => TransactionStatus, {
    description: 'The status of the transaction: POSTED ones alone change the balance.',
  })
  status!: TransactionStatus;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'The description for people.' })
  description!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'A note of the sender.' })
  memo!: string | null;

  /** Local times are stored when a row is written, to the second, as PostgreSQL's time zones said then. */
  @Property({ type: LocalTime, runtimeType: 'string' })
  @Renamed('transactedAtLocal')
  @Field(() => LocalDateTime, {
    description: 'The local time of the account at which the transaction happened.',
  })
  transactionTime!: string;

  @Property({ type: 'datetime', length: 3 })
  @Renamed('transactedAt')
  @Field(() => DateTimeISO, { description: 'The time at which the transaction happened.' })
  transactionTimestamp!: Date;

  @Property({ type: LocalTime, runtimeType: 'string', nullable: true })
  @Renamed('postedAtLocal')
  @Field(() => LocalDateTime, {
    nullable: true,
    description: 'The local time of the account at which it was posted; null if it is not posted.',
  })
  postedTime!: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Renamed('postedAt')
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which it was posted; null if it is not posted.',
  })
  postedTimestamp!: Date | null;

  /** Where it stands in the history of the whole program. */
  @Unread()
  @Property({ type: 'datetime', length: 3, generated: '(coalesce(posted_timestamp, transaction_timestamp)) stored' })
  occurredAt!: Opt<Date>;

  @Lazy()
  @AsText('additionalInformationJson')
  @Property({ type: 'json' })
  @Field(() => [KeyValue], { description: 'The other facts that the payment rail gives.' })
  additionalInformation!: readonly KeyValue[];

  @Lazy()
  @AsText('lineItemJson')
  @Property({ type: 'json' })
  @Renamed('lineItems')
  @Field(() => [LineItem], { description: 'The parts of the transaction, if it has several.' })
  lineItem!: readonly LineItem[];
}

/** The fields of GraphQL that are read only where they are asked for. */
export const TRANSACTION_LISTS = ['additionalInformation', 'lineItems'] as const;

/** A transaction as it is shown, with its number in ledger order. */
export type TransactionView = Readonly<
  Omit<Transaction, HiddenTransactionField | 'transactionTimestamp' | 'postedTimestamp'>
> & {
  readonly seq: number;
  readonly transactionTimestamp: string;
  readonly postedTimestamp: string | null;
};

/** A transaction as it is read, also with the texts of columns that need no decoding to be shown. */
export type TransactionRead = TransactionView &
  Readonly<Pick<Transaction, 'amountMinor' | 'balanceMinor'>> &
  Readonly<Record<'amountMinorText' | 'balanceMinorText' | 'additionalInformationJson' | 'lineItemJson', string>>;
