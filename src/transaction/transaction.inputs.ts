import { Field, ID } from 'type-graphql';
import { DateTimeISO, Decimal } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachMatches, Matches, Size, Text } from '../platform/input/rules.js';
import { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';
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

/** A year that makes sense: a mistyped century is found, and PostgreSQL has no year 0. */
const INSTANT = /^(18[5-9]|19\d|20\d)\d-/;
const INSTANT_FORM = 'an instant from 1850 to 2099';

@Input('A named piece of further information.')
export class KeyValueInput {
  @Text(1, 64)
  @Field(() => String, { description: 'What it is about.' })
  key!: string;

  @Text(0, 200)
  @Field(() => String, { description: 'What it says.' })
  value!: string;
}

@Input('One line of a transaction that has several.')
export class LineItemInput {
  @Text(0, 200)
  @Field(() => String, { nullable: true, description: 'What the line is for.' })
  description?: string | null;

  @Text(0, 64)
  @Field(() => String, { nullable: true, description: 'Reference of the line.' })
  reference?: string | null;

  @EachMatches(IMAGE_ID, '1 to 200 printable characters')
  @Size(0, MAX_DETAILS)
  @Field(() => [String], { nullable: true, description: 'Images that belong to the line.' })
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
  @Field(() => ID, { description: 'Identifies the transaction in its account.' })
  transactionId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description: 'A related transaction: the pending one that this one posts, the one that it reverses.',
  })
  referenceTransactionId?: string | null;

  @Text(0, 64)
  @Field(() => String, { nullable: true, description: 'Reference identifier.' })
  reference?: string | null;

  @Field(() => DebitCreditMemo, { description: 'The direction of the amount.' })
  debitCreditMemo!: DebitCreditMemo;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, { description: 'How the money moves, for example "ACH". An open set.' })
  category!: string;

  @Matches(WORD, WORD_FORM)
  @Field(() => String, { description: 'What it is, for example "FEE". An open set.' })
  transactionType!: string;

  @Field(() => TransactionStatus, { description: 'How far it has come. Only posted ones move the balance.' })
  status!: TransactionStatus;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: 'What it is, for a person; up to 500 characters.' })
  description?: string | null;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: 'Free text, up to 500 characters.' })
  memo?: string | null;

  @Matches(INSTANT, INSTANT_FORM)
  @Field(() => DateTimeISO, { description: 'When it happened.' })
  transactionTimestamp!: string;

  @Matches(INSTANT, INSTANT_FORM)
  @Field(() => DateTimeISO, { nullable: true, description: 'When it was posted; a posted transaction has it.' })
  postedTimestamp?: string | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [KeyValueInput], { nullable: true, description: 'Further information.' })
  additionalInformation?: KeyValueInput[] | null;

  @Size(0, MAX_DETAILS)
  @Field(() => [LineItemInput], { nullable: true, description: 'Its lines, if it has several.' })
  lineItem?: LineItemInput[] | null;
}

@Input('A transaction to be posted.')
export class TransactionInput extends TransactionDetails {
  @Field(() => Decimal, { description: "How much, not negative, with at most the digits of the account's currency." })
  amount!: string;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The balance after it. If given it is checked, and another balance refuses the posting.',
  })
  availableBalance?: string | null;
}

/** The filters that both doors write alike. */
@Input('Which transactions.')
class TransactionConditions {
  @Field(() => String, { nullable: true, description: 'Posted at this instant (UTC) or on this day, or later.' })
  startTime?: string | null;

  @Field(() => String, { nullable: true, description: 'Posted before this instant (UTC), or on this day or before.' })
  endTime?: string | null;

  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], { nullable: true, description: 'Of one of these categories, up to 20.' })
  category?: string[] | null;

  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], { nullable: true, description: 'Of one of these types, up to 20.' })
  transactionType?: string[] | null;

  @Size(1, 4)
  @Field(() => [TransactionStatus], { nullable: true, description: 'In one of these states.' })
  status?: TransactionStatus[] | null;

  @Field(() => Decimal, { nullable: true, description: 'Of at least this amount.' })
  minAmount?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Of at most this amount.' })
  maxAmount?: string | null;

  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'With this text in description or memo, in any case of letters.',
  })
  search?: string | null;
}

@Input('Which transactions: those that fit everything given.')
export class TransactionFilter extends TransactionConditions {
  @Field(() => DebitCreditMemo, { nullable: true, description: 'Of this direction.' })
  debitCreditMemo?: DebitCreditMemo | null;
}

@Input('The same as query parameters, where every choice may be repeated.')
export class TransactionQuery extends TransactionConditions {
  @Size(1, 3)
  @Field(() => [DebitCreditMemo], { nullable: true, description: 'Of one of these directions.' })
  debitCreditMemo?: DebitCreditMemo[] | null;
}
