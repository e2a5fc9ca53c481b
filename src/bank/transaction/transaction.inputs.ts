import { Field, Float, ID } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { Reason } from '../account/account.service.js';
import { DryRun, Flag } from '../../platform/graphql/flag.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { DateTimeISO, Decimal } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { EachText, Matches, Size, Text } from '../../platform/input/rules.js';
import { MAX_DESCRIPTION } from './transaction.description.js';
import { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';
import { BOOKED } from '../../shared/calendar.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';

/** The number of transactions that one call may post. */
export const MAX_POSTINGS_A_CALL = 500;
const MAX_IMAGE_ID = 200;
/** The longest lists inside one transaction. */
const MAX_DETAILS = 50;

/** Categories and types are open sets, but each is one word. */
export const WORD = /^[A-Za-z0-9_.-]{1,64}$/;
export const WORD_FORM = 'one word of up to 64 letters, digits, _ . or -';

const INSTANT_FORM = 'an instant from 1850 to 2099';

@Input('One entry of additional information about a transaction.')
export class KeyValueInput {
  @Text(1, 64, { symbols: true })
  @Field(() => String, { description: 'The key, such as `usage`, 1 to 64 characters.' })
  key!: string;

  @Text(0, 200)
  @Field(() => String, { description: 'The value, such as `MONETARY`, up to 200 characters.' })
  value!: string;
}

@Input('One line of a transaction that has several.')
export class LineItemInput {
  @Text(0, 200)
  @Field(() => String, {
    nullable: true,
    description: 'The purpose of this part of the amount, up to 200 characters.',
  })
  description?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, up to 64 characters, such as `INV-2041`.',
  })
  reference?: string | null;

  @EachText(1, MAX_IMAGE_ID)
  @Size(0, MAX_DETAILS)
  @Field(() => [String], {
    nullable: true,
    description: `The ids of images, up to ${MAX_DETAILS} of up to 200 characters.`,
  })
  imageIds?: string[] | null;
}

@Input('One line of a transaction of the REST contract.')
export class LineItemRecord extends LineItemInput {
  // Always empty in the contract.
  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  links?: string[] | null;
}

/** The fields that posting and import name alike. */
@Input('The fields of a transaction that each way in names alike.')
export class TransactionDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    description: 'The id of the transaction, such as `tx-20260331-7`. The same transaction again posts nothing.',
  })
  transactionId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description: 'A related transaction, such as `tx-20260330-2`; it limits nothing.',
  })
  referenceTransactionId?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, up to 64 characters, such as `INV-2041`.',
  })
  reference?: string | null;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, {
    description: 'The payment rail, such as `ACH`: up to 64 letters, digits, _ . or -.',
  })
  category!: string;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, {
    description: 'The type, such as `FEE`: up to 64 letters, digits, _ . or -.',
  })
  transactionType!: string;

  @Field(() => TransactionStatus, {
    description: 'The status of the transaction: POSTED ones alone change the balance.',
  })
  status!: TransactionStatus;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `The description for people, up to ${MAX_DESCRIPTION} characters.`,
  })
  description?: string | null;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: 'The memo of the sender, up to 500 characters.' })
  memo?: string | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [KeyValueInput], {
    nullable: true,
    description: `The other facts that the payment rail gives, up to ${MAX_DETAILS}.`,
  })
  additionalInformation?: KeyValueInput[] | null;
}

@Input('A transaction that is added at the end of a history.')
export class TransactionInput extends TransactionDetails {
  @Field(() => DebitCreditMemo, { description: 'The direction in which the money goes.' })
  direction!: DebitCreditMemo;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, {
    description: 'The time at which the transaction happened.',
  })
  transactedAt!: string;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time of posting, which is required if the status is POSTED.',
  })
  postedAt?: string | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [LineItemInput], {
    nullable: true,
    description: `The parts of the transaction, up to ${MAX_DETAILS}.`,
  })
  lineItems?: LineItemInput[] | null;

  @Field(() => Decimal, {
    description: 'The amount, not negative: the direction is a field of its own.',
  })
  amount!: string;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The balance after the transaction, which must be what the ledger gives.',
  })
  balanceAfter?: string | null;
}

/** A new transaction by the contract's names, which the ledger has as well. */
export type NewTransaction = TransactionDetails &
  Pick<DepositTransactionRecord, 'debitCreditMemo' | 'transactionTimestamp' | 'postedTimestamp'> & {
    readonly amount: string;
    readonly lineItem?: readonly LineItemInput[] | null;
    readonly availableBalance?: string | number | null;
  };

/** The contract's names of what GraphQL names otherwise. */
const CONTRACT_NAMES: Readonly<Partial<Record<keyof TransactionInput, keyof NewTransaction>>> = {
  direction: 'debitCreditMemo',
  transactedAt: 'transactionTimestamp',
  postedAt: 'postedTimestamp',
  lineItems: 'lineItem',
  balanceAfter: 'availableBalance',
};

/** A new transaction of GraphQL. */
export function newTransactionOf(input: TransactionInput): NewTransaction {
  const { direction, transactedAt, postedAt, lineItems, balanceAfter, ...others } = input;
  return {
    ...others,
    debitCreditMemo: direction,
    transactionTimestamp: transactedAt,
    postedTimestamp: postedAt,
    lineItem: lineItems,
    availableBalance: balanceAfter,
  };
}

/** A pointer into a transaction of GraphQL, of one into it by the contract's names. */
export function pointerOfInput(pointer: string): string {
  const named = Object.entries(CONTRACT_NAMES).find(([, name]) => pointer.endsWith(`/${name}`));
  return named ? pointer.slice(0, -named[1].length) + named[0] : pointer;
}

@Input('The account, and the transactions that are posted to it.')
export class PostAccountTransactionsInput {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Size(1, MAX_POSTINGS_A_CALL)
  @Field(() => [TransactionInput], {
    description: `The transactions in ledger order, 1 to ${MAX_POSTINGS_A_CALL}.`,
  })
  transactions!: TransactionInput[];

  @Flag('True to refuse posted debits beyond the available amount and the overdraft limit.')
  checkFunds?: boolean;

  @DryRun()
  dryRun?: boolean;
}

@Input('The transaction that is reversed.')
export class ReverseTransactionInput extends namesRecord('Transaction', {
  accountId: { description: ACCOUNT_ID },
  transactionId: { description: 'The id of the transaction that is reversed, such as `tx-20260331-7`.' },
}) {
  @Reason()
  reason!: string;

  @DryRun()
  dryRun?: boolean;
}

/** The contract's `depositTransaction` (2.4), as the bank's other systems write it. */
@Input('A transaction with its amounts as JSON numbers.')
export class DepositTransactionRecord extends TransactionDetails {
  @Field(() => DebitCreditMemo)
  debitCreditMemo!: DebitCreditMemo;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO)
  transactionTimestamp!: string;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, { nullable: true })
  postedTimestamp?: string | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [LineItemRecord], {
    nullable: true,
    description: `The parts of the transaction, up to ${MAX_DETAILS}.`,
  })
  lineItem?: LineItemRecord[] | null;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID)
  accountId!: string;

  @Field(() => Float)
  amount!: number;

  @Field(() => Float, { nullable: true })
  availableBalance?: number | null;

  // Local times follow from the instants and the account's time zone; what is given is not kept.
  @Text(0, 40)
  @Field(() => String, { nullable: true })
  transactionTime?: string | null;

  @Text(0, 40)
  @Field(() => String, { nullable: true })
  postedTime?: string | null;

  // Always empty in the contract, so there is no place for anything in them.
  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  imageIds?: string[] | null;

  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  fiAttributes?: string[] | null;

  @Size(0, 0)
  @Field(() => [String], { nullable: true })
  links?: string[] | null;
}

@Input('A line of a file of transactions.')
export class TransactionRecord {
  @Field(() => DepositTransactionRecord)
  depositTransaction!: DepositTransactionRecord;
}
