import { Field } from 'type-graphql';
import { DateTimeISO, Decimal, LocalDate } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { EachMatches, Size, Text, rule, type Rule } from '../../platform/input/rules.js';
import { isDay, utcInstantOf } from '../../shared/calendar.js';
import { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';
import { WORD, WORD_FORM } from './transaction.inputs.js';

// The forms of a day and of an instant. The calendar knows which of them exist.
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
const DAY_MS = 86_400_000;

/** The conditions that GraphQL and REST have in common. What each field selects is in transaction.criteria.ts. */
@Input('A filter of transactions.')
class TransactionConditions {
  @Field(() => Decimal, {
    nullable: true,
    description: 'The least amount to list.',
  })
  minAmount?: string | null;

  @NotLess('minAmount')
  @Field(() => Decimal, {
    nullable: true,
    description: 'The greatest amount to list.',
  })
  maxAmount?: string | null;

  @Text(1, 100, { symbols: true })
  @Field(() => String, {
    nullable: true,
    description: 'A text in `description` or `memo`, such as `coffee`; 1 to 100 characters.',
  })
  search?: string | null;
}

const START = {
  nullable: true,
  description:
    "The instant at or after which listed transactions were posted, such as `2026-03-01T05:00:00Z`, or the first day in the account's time zone, such as `2026-03-01`. Transactions that are not posted do not match.",
};
const END = {
  nullable: true,
  description:
    "The instant before which listed transactions were posted, such as `2026-04-01T04:00:00Z`, or the last day in the account's time zone, such as `2026-03-31`. Transactions that are not posted do not match.",
};

@Input('A filter of transactions, which must match every field.')
export class TransactionFilter extends TransactionConditions {
  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], {
    nullable: true,
    description: 'The categories to list, 1 to 20, such as `ACH`; case-sensitive.',
  })
  categories?: string[] | null;

  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], {
    nullable: true,
    description: 'The types to list, 1 to 20, such as `FEE`; case-sensitive.',
  })
  transactionTypes?: string[] | null;

  @Size(1, 4)
  @Field(() => [TransactionStatus], {
    nullable: true,
    description: 'The statuses to list, 1 to 4.',
  })
  statuses?: TransactionStatus[] | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The instant at or after which listed transactions were posted.',
  })
  postedFrom?: string | null;

  @NotBefore('postedFrom')
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The instant before which listed transactions were posted.',
  })
  postedBefore?: string | null;

  @NotWith('postedFrom')
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day of the account on or after which listed transactions were posted, in place of `postedFrom`.',
  })
  postedOnFrom?: string | null;

  @NotBefore('postedOnFrom')
  @NotWith('postedBefore')
  @Field(() => LocalDate, {
    nullable: true,
    description:
      'The day of the account on or before which listed transactions were posted, in place of `postedBefore`.',
  })
  postedOnTo?: string | null;

  @Size(1, 3)
  @Field(() => [DebitCreditMemo], { nullable: true, description: 'The directions to list.' })
  directions?: DebitCreditMemo[] | null;
}

@Input('The filter as query parameters; each parameter with several values can be repeated.')
export class TransactionQuery extends TransactionConditions {
  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], {
    nullable: true,
    description: 'The categories to list, 1 to 20, such as `ACH`; case-sensitive.',
  })
  category?: string[] | null;

  @EachMatches(WORD, WORD_FORM)
  @Size(1, 20)
  @Field(() => [String], {
    nullable: true,
    description: 'The types to list, 1 to 20, such as `FEE`; case-sensitive.',
  })
  transactionType?: string[] | null;

  @Size(1, 4)
  @Field(() => [TransactionStatus], {
    nullable: true,
    description: 'The statuses to list, 1 to 4.',
  })
  status?: TransactionStatus[] | null;

  @Time()
  @Field(() => String, START)
  startTime?: string | null;

  @NotBefore('startTime')
  @Time()
  @Field(() => String, END)
  endTime?: string | null;

  @Size(1, 3)
  @Field(() => [DebitCreditMemo], { nullable: true, description: 'The directions to list.' })
  debitCreditMemo?: DebitCreditMemo[] | null;
}

/** Turns the filter of GraphQL into a query by the names of REST. */
export function criteriaOf(filter: TransactionFilter | null): TransactionQuery {
  const { postedFrom, postedOnFrom, postedBefore, postedOnTo, directions, ...others } = filter ?? {};
  const { categories, transactionTypes, statuses, ...conditions } = others;
  return {
    ...conditions,
    category: categories,
    transactionType: transactionTypes,
    status: statuses,
    startTime: postedFrom ?? postedOnFrom,
    endTime: postedBefore ?? postedOnTo,
    debitCreditMemo: directions,
  };
}

/** A day or an instant. GraphQL knows it as a text. */
function Time(): Rule {
  return rule({
    code: 'wrong_type',
    detail: 'Must be a day (YYYY-MM-DD) or a UTC date-time (YYYY-MM-DDThh:mm:ssZ).',
    holds: time => time === null || (typeof time === 'string' && isTime(time)),
    isForm: true,
    said: { schema: { pattern: `${DAY.source}|${UTC_TIME.source}` } },
  });
}

/** Not before the time in another field. */
export function NotBefore(start: string): Rule {
  return rule({
    code: 'range',
    detail: `Must not be before ${start}.`,
    holds: (time, { [start]: other }) =>
      typeof time !== 'string' || typeof other !== 'string' || !isTime(other) || !isReversed(other, time),
  });
}

/** Not beside another field that says the same otherwise. */
function NotWith(...names: readonly string[]): Rule {
  return rule({
    code: 'range',
    detail: `Must not be sent with ${names.join(' or ')}.`,
    holds: (value, all) => value === null || names.every(name => (all[name] ?? null) === null),
  });
}

/** Not less than the amount in another field. */
function NotLess(least: string): Rule {
  return rule({
    code: 'range',
    detail: `Must not be less than ${least}.`,
    holds: (amount, { [least]: other }) =>
      typeof amount !== 'string' || typeof other !== 'string' || Number(amount) >= Number(other),
  });
}

/** A day, or an instant in UTC, that the calendar has. */
function isTime(text: string): boolean {
  return isDay(text) || (UTC_TIME.test(text) && utcInstantOf(text) !== null);
}

/** True if a range of times ends before it begins, wherever the account is. */
function isReversed(start: string, end: string): boolean {
  if (DAY.test(start) === DAY.test(end)) return Date.parse(start) > Date.parse(end);
  // A day against an instant depends on the account's zone, so only what is reversed in every zone is refused.
  return Date.parse(start) - Date.parse(end) > 2 * DAY_MS;
}
