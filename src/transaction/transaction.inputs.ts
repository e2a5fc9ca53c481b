import { Field, ID } from 'type-graphql';
import { DateTimeISO, Decimal } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachMatches, Matches, Size, Text } from '../platform/input/rules.js';
import { NotBefore, NotLess, Time } from './transaction.rules.js';
import { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';
import { BOOKED } from '../shared/calendar.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';

/** How many transactions one call may post. */
export const MAX_POSTINGS_A_CALL = 500;
/** The longest lists inside one transaction. */
const MAX_DETAILS = 50;

/** Categories and types are open sets, but each is one word. */
const WORD = /^[A-Za-z0-9_.-]{1,64}$/;
const WORD_FORM = 'one word of up to 64 letters, digits, _ . or -';
/** What PostgreSQL can store, in some length that an image's id may have. */
const IMAGE_ID = /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u;

const INSTANT_FORM = 'an instant from 1850 to 2099';

@Input('A named piece of further information about a transaction.')
export class KeyValueInput {
  @Text(1, 64)
  @Field(() => String, { description: 'What it is about, such as `usage`, 1 to 64 characters.' })
  key!: string;

  @Text(0, 200)
  @Field(() => String, { description: 'What there is to say about it, such as `MONETARY`, up to 200 characters.' })
  value!: string;
}

@Input('One line of a transaction that has several.')
export class LineItemInput {
  @Text(0, 200)
  @Field(() => String, { nullable: true, description: 'What this part of the amount is for, up to 200 characters.' })
  description?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'What a bookkeeper finds it by, such as `INV-2041`, up to 64 characters.',
  })
  reference?: string | null;

  @EachMatches(IMAGE_ID, '1 to 200 printable characters')
  @Size(0, MAX_DETAILS)
  @Field(() => [String], {
    nullable: true,
    description: `Ids of images that belong to it, up to ${MAX_DETAILS} of up to 200 characters.`,
  })
  imageIds?: string[] | null;

  @Size(0, 0)
  @Field(() => [String], {
    nullable: true,
    description: 'Always empty, as in the REST contract; taken so that a record can be sent as it was shown.',
  })
  links?: string[] | null;
}

/** What posting and import have in common: all of a transaction but its amounts. */
@Input('A transaction without its amounts.')
export class TransactionDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    description: `Names the transaction within its account, such as \`tx-20260331-7\`: ${BANK_ID_FORM}. The same transaction again is posted once.`,
  })
  transactionId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description:
      'A related transaction of the account, such as `tx-20260330-2`: the pending one that this one posts, or the one that it reverses.',
  })
  referenceTransactionId?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'What a bookkeeper finds it by, such as `INV-2041`, up to 64 characters.',
  })
  reference?: string | null;

  @Field(() => DebitCreditMemo, { description: 'In which direction the amount moves.' })
  debitCreditMemo!: DebitCreditMemo;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, { description: `How the money moves, such as \`ACH\`: ${WORD_FORM}. An open set.` })
  category!: string;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, {
    description: `What the money is, such as \`FEE\`: ${WORD_FORM}. An open set; \`INTEREST\` counts for a Form 1099-INT.`,
  })
  transactionType!: string;

  @Field(() => TransactionStatus, { description: 'How far it has come. Only POSTED ones move the balance.' })
  status!: TransactionStatus;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: 'What it is, for a person to read, up to 500 characters.' })
  description?: string | null;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: 'A note of whoever sends it, up to 500 characters.' })
  memo?: string | null;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, { description: 'When it happened, such as `2026-03-31T18:05:00Z`; from 1850 to 2099.' })
  transactionTimestamp!: string;

  @Matches(BOOKED, INSTANT_FORM)
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'When it was posted, such as `2026-04-01T06:00:00Z`; from 1850 to 2099. Required of a POSTED one.',
  })
  postedTimestamp?: string | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [KeyValueInput], {
    nullable: true,
    description: `Whatever else is known about it, by name, up to ${MAX_DETAILS}.`,
  })
  additionalInformation?: KeyValueInput[] | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [LineItemInput], {
    nullable: true,
    description: `The parts of its amount, where it has several, up to ${MAX_DETAILS}.`,
  })
  lineItem?: LineItemInput[] | null;
}

@Input('An entry to be added at the end of the history of an account.')
export class TransactionInput extends TransactionDetails {
  @Field(() => Decimal, {
    description:
      "How much, such as `1250.00`: not negative, with at most the digits of the account's currency, up to 10^15 of its smallest unit.",
  })
  amount!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'The balance after it, such as `15721.99`. If it is given it is checked, and another balance refuses the posting.',
  })
  availableBalance?: string | null;
}

/** The filters that both doors write alike. */
@Input('Which transactions.')
class TransactionConditions {
  @Time()
  @Field(() => String, {
    nullable: true,
    description:
      "Posted at this instant or later, such as `2026-03-01T05:00:00Z`; or on this day of the account's own calendar or later, such as `2026-03-01`. Leaves out what is not posted.",
  })
  startTime?: string | null;

  @NotBefore('startTime')
  @Time()
  @Field(() => String, {
    nullable: true,
    description:
      "Posted before this instant, such as `2026-04-01T04:00:00Z`; or on this day of the account's own calendar or before, such as `2026-03-31`. Leaves out what is not posted.",
  })
  endTime?: string | null;

  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], {
    nullable: true,
    description: 'In one of these categories, such as `ACH`: 1 to 20, letter for letter.',
  })
  category?: string[] | null;

  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], {
    nullable: true,
    description: 'Of one of these types, such as `FEE`: 1 to 20, letter for letter.',
  })
  transactionType?: string[] | null;

  @Size(1, 4)
  @Field(() => [TransactionStatus], { nullable: true, description: 'In one of these states, 1 to 4.' })
  status?: TransactionStatus[] | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Of at least this amount in the account's currency, such as `100.00`.",
  })
  minAmount?: string | null;

  @NotLess('minAmount')
  @Field(() => Decimal, {
    nullable: true,
    description: "Of at most this amount in the account's currency, such as `250.00`.",
  })
  maxAmount?: string | null;

  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description:
      'With this text in `description` or `memo`, such as `coffee`, in any case of letters; 1 to 100 characters.',
  })
  search?: string | null;
}

@Input('Which transactions: those that fit everything that is given.')
export class TransactionFilter extends TransactionConditions {
  @Field(() => DebitCreditMemo, { nullable: true, description: 'With money moving in this direction.' })
  debitCreditMemo?: DebitCreditMemo | null;
}

@Input('The same as query parameters, where every choice may be repeated.')
export class TransactionQuery extends TransactionConditions {
  @Size(1, 3)
  @Field(() => [DebitCreditMemo], { nullable: true, description: 'Of one of these directions.' })
  debitCreditMemo?: DebitCreditMemo[] | null;
}
