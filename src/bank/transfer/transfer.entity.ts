import { Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { IsErrorCode } from '../../platform/graphql/error-code.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { MetadataColumn, MetadataIndex } from '../../platform/repository/metadata-column.js';
import type { Metadata } from '../../shared/metadata.js';
import { Derived } from '../../platform/repository/declarations.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { Currency, DateTimeISO, Decimal } from '../../platform/scalars/scalars.js';
import { decimalOf } from '../../shared/money.js';
import { transferEntryId } from '../transaction/ledger.service.js';

/** The description of an argument or a field that names a transfer. */
export const TRANSFER_ID = 'The id of the transfer, such as `tr-20260331-7`, as the request named it.';

export const TransferStatus = { MADE: 'MADE', REVERSED: 'REVERSED' } as const;
export type TransferStatus = keyof typeof TransferStatus;
registerEnumType(TransferStatus, {
  name: 'TransferStatus',
  description: 'The outcome of a transfer.',
  valuesConfig: {
    MADE: { description: 'The money went to the other account.' },
    REVERSED: { description: 'The money went back.' },
  },
});

/**
 * Money that went from one account of a program to another. There is a row for each of the two accounts, beside what
 * belongs to it, so that the transfers of an account are read without the other account.
 */
@Entity({ tableName: 'transfer' })
@DataClasses<Transfer>({
  kept: 'as long as the account',
  internal: ['program', 'seq', 'currency', 'status', 'madeAt', 'reversedAt'],
  identifier: ['accountId', 'transferId', 'fromAccountId', 'toAccountId', 'reference', 'metadata'],
  ledger: ['amountMinor'],
  personal: {
    description: 'in the clear: it stands in both entries of the ledger',
    memo: 'in the clear: it stands in both entries of the ledger',
  },
})
@Unique({ properties: ['accountId', 'seq'] })
// The transfers that count against the limits of an account.
@Index({
  name: 'transfer_outgoing',
  expression: `create index "transfer_outgoing" on "transfer" ("account_id", "made_at") include ("amount_minor")
    where account_id = from_account_id and status = 'MADE'`,
})
// The transfers of a program, each by the row of the account that the money left.
@Index({
  name: 'transfer_of_program',
  expression: `create index "transfer_of_program" on "transfer" ("program", "status", "made_at", "transfer_id") where account_id = from_account_id`,
})
@Index({
  name: 'transfer_reference',
  expression: `create index "transfer_reference" on "transfer" ("program", "reference", "made_at", "transfer_id") where account_id = from_account_id and reference is not null`,
})
@MetadataIndex('transfer', 'program')
@Check({ name: 'transfer_amount', expression: 'amount_minor > 0' })
@Check({
  name: 'transfer_accounts',
  expression: 'from_account_id <> to_account_id and account_id in (from_account_id, to_account_id)',
})
@Check({ name: 'transfer_reversed', expression: `(status = 'REVERSED') = (reversed_at is not null)` })
@NodeKey('transferId')
@ObjectType({
  description: 'Money that went between two accounts.',
  implements: Node,
  simpleResolvers: true,
})
export class Transfer {
  @OfAccount() accountId!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, {
    description: 'The id within the program, such as `tr-20260331-7`.',
  })
  transferId!: string;

  @Property({ type: 'text' }) program!: string;

  /** The number of its entry in the ledger of the account, by which its transfers are ordered. */
  @Property({ type: new BigIntType('number') }) seq!: number;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'The account that the money left, such as `demo-1001`.' })
  fromAccountId!: string;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'The account that the money went to, such as `demo-1001`.' })
  toAccountId!: string;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The currency of both accounts.' })
  currency!: string;

  @Property({ type: 'bigint' }) amountMinor!: bigint;
  @Field(() => Decimal, { description: 'The amount, more than zero.' })
  @Derived(({ amountMinor, currency }: Transfer) => decimalOf(amountMinor, currency))
  amount!: Opt<string>;

  @Property({ type: 'text' })
  @Field(() => TransferStatus, { description: 'The status of the transfer, which tells if the money went back.' })
  status!: TransferStatus;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The description in both histories, such as `Rent for April`.',
  })
  description!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The memo of the sender, in both histories.',
  })
  memo!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, such as `INV-2041`.',
  })
  reference!: string | null;

  @MetadataColumn()
  metadata!: Opt<Metadata>;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the money moved.' })
  madeAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the money went back.',
  })
  reversedAt!: Date | null;

  @Field(() => DateTimeISO, { description: 'The time of the last change: when the money moved, or went back.' })
  @Derived(({ madeAt, reversedAt }: Transfer) => reversedAt ?? madeAt)
  updatedAt!: Opt<Date>;

  @Field(() => ID, {
    description: 'The id of the debit, such as `tr-20260331-7~out`.',
  })
  @Derived(({ transferId }: Transfer) => transferEntryId(transferId, 'out'))
  fromTransactionId!: Opt<string>;

  @Field(() => ID, {
    description: 'The id of the credit, such as `tr-20260331-7~in`.',
  })
  @Derived(({ transferId }: Transfer) => transferEntryId(transferId, 'in'))
  toTransactionId!: Opt<string>;
}

@ObjectType({ description: 'One field of a transfer that is wrong.', simpleResolvers: true })
export class TransferFieldProblem {
  @Field(() => String, { description: 'The place in the transfer (RFC 6901), such as `/amount`.' })
  pointer!: string;

  @Field(() => String, { description: 'The code of the problem, such as `range`.' })
  code!: string;

  @Field(() => String, { description: 'The problem and what to do, for people.' })
  detail!: string;
}

/** The id of a transfer, which is one in its program, and the account beside which its record is found. */
@Entity({ tableName: 'transfer_key' })
@DataClasses<TransferKey>({
  kept: 'as long as one of the two accounts',
  internal: ['program'],
  identifier: ['transferId', 'fromAccountId'],
})
export class TransferKey {
  @PrimaryKey({ type: 'text' }) program!: string;
  @PrimaryKey({ type: 'text' }) transferId!: string;
  @Property({ type: 'text' }) fromAccountId!: string;
}

@ObjectType({ description: 'The refusal of one of several transfers.', simpleResolvers: true })
export class TransferRefusal {
  @Field(() => String, { description: 'The code of the refusal, such as `INSUFFICIENT_FUNDS`.' })
  @IsErrorCode()
  code!: string;

  @Field(() => String, { description: 'The problem and what to do, for people.' })
  message!: string;

  @Field(() => [TransferFieldProblem], {
    description: 'The problems of single fields.',
  })
  errors!: readonly TransferFieldProblem[];
}

@ObjectType({
  description: 'One of several transfers, made or refused.',
  simpleResolvers: true,
})
export class TransferResult {
  @Field(() => ID, { description: TRANSFER_ID })
  transferId!: string;

  @Field(() => Transfer, { nullable: true, description: 'The transfer; null if it was refused.' })
  transfer!: TransferView | null;

  @Field(() => TransferRefusal, { nullable: true, description: 'The refusal; null if the transfer was made.' })
  refusal!: TransferRefusal | null;
}

@ObjectType({ description: 'The outcome of the transfers of one request.', simpleResolvers: true })
export class CreateTransfersPayload extends Payload {
  constructor(caller: Caller, results: readonly TransferResultView[]) {
    super(caller);
    this.results = results;
  }

  @Field(() => [TransferResult], { description: 'The results, one for each transfer, in the order sent.' })
  readonly results: readonly TransferResultView[];
}

type HiddenTransferField = 'accountId' | 'program' | 'seq' | 'amountMinor';
type Times = 'madeAt' | 'reversedAt' | 'updatedAt';

/** The outcome of one transfer of several, as it is shown. */
export type TransferResultView = Readonly<TransferResult>;

/** A transfer as it is shown. */
export type TransferView = Readonly<Omit<Transfer, 'metadata' | HiddenTransferField | Times>> & {
  readonly metadata: Metadata;
  readonly madeAt: string;
  readonly reversedAt: string | null;
  readonly updatedAt: string;
};

/** A transfer as one of its accounts has it. */
export type TransferRead = TransferView & Readonly<Pick<Transfer, HiddenTransferField>>;

/** The fields of a transfer as it is shown, in their order. */
export const TRANSFER_FIELDS = fieldNamesOf(Transfer);
