import { Field, Float, ID } from 'type-graphql';
import { DateTimeISO, Decimal } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachText, Matches, Size, Text } from '../platform/input/rules.js';
import { MAX_DESCRIPTION } from './transaction.description.js';
import { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';
import { BOOKED } from '../shared/calendar.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';

/** How many transactions one call may post. */
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
    description: 'The description of this part of the amount, up to 200 characters.',
  })
  description?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'A reference for bookkeeping, such as `INV-2041`, up to 64 characters.',
  })
  reference?: string | null;

  @EachText(1, MAX_IMAGE_ID)
  @Size(0, MAX_DETAILS)
  @Field(() => [String], {
    nullable: true,
    description: `The ids of images of the line, up to ${MAX_DETAILS} of up to 200 characters.`,
  })
  imageIds?: string[] | null;

  @Size(0, 0)
  @Field(() => [String], {
    nullable: true,
    description: 'Always empty, as in the REST contract; accepted so that a record that was read can be sent back.',
  })
  links?: string[] | null;
}

/** What posting and import have in common: all of a transaction but its amounts. */
@Input('A transaction without its amounts.')
export class TransactionDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    description: `The id of the transaction within its account, such as \`tx-20260331-7\`: ${BANK_ID_FORM}. Sending the same transaction again posts nothing.`,
  })
  transactionId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description:
      'A related transaction of the account, such as `tx-20260330-2`: the pending transaction that this one posts, or the transaction that it reverses.',
  })
  referenceTransactionId?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'A reference for bookkeeping, such as `INV-2041`, up to 64 characters.',
  })
  reference?: string | null;

  @Field(() => DebitCreditMemo, { description: 'The direction of the amount.' })
  debitCreditMemo!: DebitCreditMemo;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, { description: `The payment rail, such as \`ACH\`: ${WORD_FORM}. Any such word is accepted.` })
  category!: string;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, {
    description: `The type of the transaction, such as \`FEE\`: ${WORD_FORM}. Any such word is accepted; \`INTEREST\` counts for a Form 1099-INT.`,
  })
  transactionType!: string;

  @Field(() => TransactionStatus, { description: 'The status. Only POSTED transactions change the balance.' })
  status!: TransactionStatus;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `The description for people, up to ${MAX_DESCRIPTION} characters.`,
  })
  description?: string | null;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: 'A note of the sender, up to 500 characters.' })
  memo?: string | null;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, {
    description: 'When the transaction happened, such as `2026-03-31T18:05:00Z`; from 1850 to 2099.',
  })
  transactionTimestamp!: string;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, {
    nullable: true,
    description:
      'When the transaction was posted, such as `2026-04-01T06:00:00Z`; from 1850 to 2099. Required if the status is POSTED.',
  })
  postedTimestamp?: string | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [KeyValueInput], {
    nullable: true,
    description: `Additional information, up to ${MAX_DETAILS} entries.`,
  })
  additionalInformation?: KeyValueInput[] | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [LineItemInput], {
    nullable: true,
    description: `The lines of the transaction, up to ${MAX_DETAILS}.`,
  })
  lineItem?: LineItemInput[] | null;
}

@Input('A transaction to add at the end of the history of an account.')
export class TransactionInput extends TransactionDetails {
  @Field(() => Decimal, {
    description:
      "The amount, such as `1250.00`: not negative, with no more decimal digits than the account's currency has, up to 10^15 minor units.",
  })
  amount!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'The balance after the transaction, such as `15721.99`. If it is given and the ledger gives another balance, the posting is refused.',
  })
  availableBalance?: string | null;
}

/** The contract's `depositTransaction` (2.4), as the bank's other systems write it. */
@Input('A transaction with its amounts as JSON numbers.')
export class DepositTransactionRecord extends TransactionDetails {
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
