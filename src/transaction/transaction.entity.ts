import { OptionalProps, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { Currency, DateTimeISO, Decimal, LocalDateTime } from '../platform/graphql/scalars.js';

export const DebitCreditMemo = { CREDIT: 'CREDIT', DEBIT: 'DEBIT', MEMO: 'MEMO' } as const;
export type DebitCreditMemo = keyof typeof DebitCreditMemo;
registerEnumType(DebitCreditMemo, {
  name: 'DebitCreditMemo',
  description: 'The direction of an amount.',
  valuesConfig: {
    CREDIT: { description: 'Money comes in.' },
    DEBIT: { description: 'Money goes out.' },
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
  description: 'How far a transaction has come. Only posted ones move the balance.',
  valuesConfig: {
    AUTHORIZATION: { description: 'Authorised, for example by a card.' },
    MEMO: { description: 'Announced.' },
    PENDING: { description: 'Under way.' },
    POSTED: { description: 'Booked: it moved the balance.' },
  },
});

@ObjectType({ description: 'A named piece of further information.', simpleResolvers: true })
export class KeyValue {
  @Field(() => String, { description: 'What it is about, for example "usage".' }) key!: string;
  @Field(() => String, { description: 'What it says, for example "MONETARY".' }) value!: string;
}

@ObjectType({ description: 'One line of a transaction that has several.', simpleResolvers: true })
export class LineItem {
  @Field(() => String, { nullable: true, description: 'What the line is for.' }) description!: string | null;
  @Field(() => String, { nullable: true, description: 'Reference of the line.' }) reference!: string | null;
  @Field(() => [String], { description: 'Images that belong to the line.' }) imageIds!: readonly string[];
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
@ObjectType({ description: 'One entry of the history of an account.', simpleResolvers: true })
export class Transaction {
  [OptionalProps]?: Computed;

  @OfAccount()
  @Field(() => ID, { description: 'The account.' })
  accountId!: string;

  /** Its number in ledger order: 1, 2, 3, without gaps in its account. */
  @PrimaryKey({ type: 'bigint' }) seq!: bigint;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'Identifies the transaction in its account.' })
  transactionId!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'A related transaction: the pending one that this one posts, the one that it reverses.',
  })
  referenceTransactionId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Reference identifier.' })
  reference!: string | null;

  @Property({ type: 'bigint' }) amountMinor!: bigint;
  @Field(() => Decimal, { description: 'How much; never negative, the direction is debitCreditMemo.' }) amount!: string;

  @Property({ type: 'bigint' }) balanceMinor!: bigint;
  @Field(() => Decimal, { description: 'The balance of the account after this transaction, in ledger order.' })
  availableBalance!: string;

  @Field(() => Currency, { description: "The account's currency (ISO 4217)." }) currency!: string;

  @Property({ type: 'text' })
  @Field(() => DebitCreditMemo, { description: 'The direction of the amount.' })
  debitCreditMemo!: DebitCreditMemo;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'How the money moves, for example "ACH". An open set.' })
  category!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'What it is, for example "DIRECTDEPOSIT" or "FEE". An open set.' })
  transactionType!: string;

  @Property({ type: 'text' })
  @Field(() => TransactionStatus, { description: 'How far it has come.' })
  status!: TransactionStatus;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'What it is, for a person.' })
  description!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Free text.' })
  memo!: string | null;

  @Field(() => LocalDateTime, { description: "When it happened, on the clock of the account's time zone." })
  transactionTime!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When it happened.' })
  transactionTimestamp!: Date;

  @Field(() => LocalDateTime, {
    nullable: true,
    description: "When it was posted, on the clock of the account's time zone.",
  })
  postedTime!: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, { nullable: true, description: 'When it was posted.' })
  postedTimestamp!: Date | null;

  /** Where it stands in the history of the whole program. */
  @Property({ type: 'datetime', length: 3, generated: '(coalesce(posted_timestamp, transaction_timestamp)) stored' })
  occurredAt!: Opt<Date>;

  @Property({ type: 'json' })
  @Field(() => [KeyValue], { description: 'Further information.' })
  additionalInformation!: readonly KeyValue[];

  @Property({ type: 'json' })
  @Field(() => [LineItem], { description: 'Its lines, if it has several.' })
  lineItem!: readonly LineItem[];
}

/** A transaction as it is shown, with its number in ledger order. */
export type TransactionView = Readonly<Omit<Transaction, NotShown | 'transactionTimestamp' | 'postedTimestamp'>> & {
  readonly seq: number;
  readonly transactionTimestamp: string;
  readonly postedTimestamp: string | null;
};
