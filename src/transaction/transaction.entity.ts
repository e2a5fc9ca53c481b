import { OptionalProps, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { Currency, DateTimeISO, Decimal, LocalDateTime } from '../platform/graphql/scalars.js';

export const DebitCreditMemo = { CREDIT: 'CREDIT', DEBIT: 'DEBIT', MEMO: 'MEMO' } as const;
export type DebitCreditMemo = keyof typeof DebitCreditMemo;
registerEnumType(DebitCreditMemo, {
  name: 'DebitCreditMemo',
  description: 'In which direction money moves.',
  valuesConfig: {
    CREDIT: { description: 'Money comes into the account.' },
    DEBIT: { description: 'Money goes out of the account.' },
    MEMO: { description: 'For information; no money moves.' },
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
  description: 'How far a transaction has come. Only POSTED ones move the balance.',
  valuesConfig: {
    AUTHORIZATION: { description: 'Allowed, for example to a card, and not yet claimed.' },
    MEMO: { description: 'Announced, for information.' },
    PENDING: { description: 'On its way, and not yet booked.' },
    POSTED: { description: 'Booked: it moved the balance.' },
  },
});

@ObjectType({ description: 'A named piece of further information about a transaction.', simpleResolvers: true })
export class KeyValue {
  @Field(() => String, { description: 'What it is about, such as `usage`.' }) key!: string;
  @Field(() => String, { description: 'What there is to say about it, such as `MONETARY`.' }) value!: string;
}

@ObjectType({ description: 'One line of a transaction that has several.', simpleResolvers: true })
export class LineItem {
  @Field(() => String, { nullable: true, description: 'What this part of the amount is for; null where nobody said.' })
  description!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What a bookkeeper finds it by, such as `INV-2041`; null where nobody said.',
  })
  reference!: string | null;
  @Field(() => [String], { description: 'Ids of images that belong to it, such as those of a cheque; may be empty.' })
  imageIds!: readonly string[];
}

/** Fields that are computed from columns. */
type Computed = 'amount' | 'availableBalance' | 'currency' | 'transactionTime' | 'postedTime';
type NotShown = 'program' | 'seq' | 'amountMinor' | 'balanceMinor' | 'occurredAt' | typeof OptionalProps;

/**
 * One entry of an account's ledger. Never changed and never deleted: the database refuses both. A pending transaction that
 * is posted, or one that is reversed, is a new entry which names the old one.
 */
@Entity({ tableName: 'transaction' })
@Unique({ properties: ['accountId', 'transactionId'] })
// Holds every column that a filter asks for, so that counting and selecting read the index alone.
@Index({
  name: 'transaction_posted',
  expression: `create index "transaction_posted" on "transaction" ("account_id", "posted_timestamp", "seq")
    include ("transaction_type", "category", "status", "debit_credit_memo", "amount_minor")`,
})
@Index({ name: 'transaction_type', properties: ['accountId', 'transactionType', 'seq'] })
@Index({ name: 'transaction_occurred', properties: ['program', 'occurredAt', 'accountId', 'seq'] })
@Check({ name: 'transaction_amount', expression: 'amount_minor >= 0' })
@ObjectType({
  description:
    'One entry of the history of an account. It never changes: a pending one that is posted, or one that is reversed, is a new entry that names the old one.',
  simpleResolvers: true,
})
export class Transaction {
  [OptionalProps]?: Computed;

  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  /** Its number in ledger order: 1, 2, 3, without gaps in its account. */
  @PrimaryKey({ type: 'bigint' }) seq!: bigint;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'Names the transaction within its account, such as `tx-20260331-7`.' })
  transactionId!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description:
      'A related transaction of the account, such as `tx-20260330-2`: the pending one that this one posts, or the one that it reverses; null where there is none.',
  })
  referenceTransactionId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'What a bookkeeper finds it by, such as `INV-2041`; null where nobody said.',
  })
  reference!: string | null;

  @Property({ type: 'bigint' }) amountMinor!: bigint;
  @Field(() => Decimal, {
    description:
      "How much, in the account's currency, such as `1250.00`. Never negative: the direction is `debitCreditMemo`.",
  })
  amount!: string;

  @Property({ type: 'bigint' }) balanceMinor!: bigint;
  @Field(() => Decimal, {
    description: 'The balance of the account after this transaction in ledger order, such as `15721.99`.',
  })
  availableBalance!: string;

  @Field(() => Currency, { description: 'That of the account, such as `USD`.' }) currency!: string;

  @Property({ type: 'text' })
  @Field(() => DebitCreditMemo, { description: 'In which direction the amount moves.' })
  debitCreditMemo!: DebitCreditMemo;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'How the money moves, such as `ACH`, `CARD` or `OTHER`. An open set: expect others.',
  })
  category!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'What the money is, such as `DIRECTDEPOSIT`, `INTEREST` or `FEE`. An open set: expect others.',
  })
  transactionType!: string;

  @Property({ type: 'text' })
  @Field(() => TransactionStatus, { description: 'How far it has come. Only POSTED ones move the balance.' })
  status!: TransactionStatus;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'What it is, for a person to read; null where nobody said.' })
  description!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'A note of whoever sent it; null where nobody wrote one.' })
  memo!: string | null;

  @Field(() => LocalDateTime, {
    description: "When it happened, on the clock of the account's time zone, such as `2026-03-31T14:05:00`.",
  })
  transactionTime!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When it happened, such as `2026-03-31T18:05:00.000Z`.' })
  transactionTimestamp!: Date;

  @Field(() => LocalDateTime, {
    nullable: true,
    description:
      "When it was posted, on the clock of the account's time zone, such as `2026-04-01T02:00:00`; null until then.",
  })
  postedTime!: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'When it was posted, such as `2026-04-01T06:00:00.000Z`; null until then.',
  })
  postedTimestamp!: Date | null;

  /** Where it stands in the history of the whole program. */
  @Property({ type: 'datetime', length: 3, generated: '(coalesce(posted_timestamp, transaction_timestamp)) stored' })
  occurredAt!: Opt<Date>;

  @Property({ type: 'json' })
  @Field(() => [KeyValue], { description: 'Whatever else is known about it, by name; may be empty.' })
  additionalInformation!: readonly KeyValue[];

  @Property({ type: 'json' })
  @Field(() => [LineItem], { description: 'The parts of its amount, where it has several; may be empty.' })
  lineItem!: readonly LineItem[];
}

/** The fields that are read only where they are asked for. */
export const TRANSACTION_LISTS = ['additionalInformation', 'lineItem'] as const;

/** A transaction as it is shown, with its number in ledger order. */
export type TransactionView = Readonly<Omit<Transaction, NotShown | 'transactionTimestamp' | 'postedTimestamp'>> & {
  readonly seq: number;
  readonly transactionTimestamp: string;
  readonly postedTimestamp: string | null;
};
