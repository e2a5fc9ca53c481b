import { BigIntType } from '@mikro-orm/core';
import { Field, Int, ObjectType } from 'type-graphql';
import { Currency, DataClasses, DateTimeISO, Decimal, Entity, LocalDate, PrimaryKey, Property } from 'tillgate/noun';

/** The number of days of an overview, today included. */
export const SHOWN_DAYS = 30;
/** The number of currencies of an overview that are shown each for itself. */
export const MAX_CURRENCIES = 20;

/** A sum of minor units, as a text. Sums of a whole program may be greater than `bigint` holds. */
function Sum(): ReturnType<typeof Property> {
  return Property({ type: 'decimal', precision: 38, scale: 0 });
}

function Count(): ReturnType<typeof Property> {
  return Property({ type: new BigIntType('number') });
}

/** The sums of what was posted to the accounts of a program on a day, and the number that were opened on it. */
@Entity({ tableName: 'overview_day' })
@DataClasses<OverviewDaySum>({
  kept: 'without end',
  shownAs: ['OverviewDay'],
  internal: ['program', 'date', 'currency', 'creditCount', 'debitCount', 'openedAccountCount'],
  ledger: ['creditsMinor', 'debitsMinor'],
})
export class OverviewDaySum {
  @PrimaryKey({ type: 'text' }) program!: string;
  @PrimaryKey({ type: 'date' }) date!: string;
  @PrimaryKey({ type: 'text' }) currency!: string;
  @Sum() creditsMinor!: string;
  @Count() creditCount!: number;
  @Sum() debitsMinor!: string;
  @Count() debitCount!: number;
  @Count() openedAccountCount!: number;
}

/** The deposits of the accounts of a program in a currency, and the numbers of these accounts and of their cards. */
@Entity({ tableName: 'overview_total' })
@DataClasses<OverviewTotal>({
  kept: 'without end',
  shownAs: ['OverviewCurrency', 'ProgramOverview'],
  internal: ['program', 'currency', 'openAccountCount', 'inactiveCardCount', 'activeCardCount', 'frozenCardCount'],
  ledger: ['depositsMinor'],
})
export class OverviewTotal {
  @PrimaryKey({ type: 'text' }) program!: string;
  @PrimaryKey({ type: 'text' }) currency!: string;
  @Sum() depositsMinor!: string;
  @Count() openAccountCount!: number;
  @Count() inactiveCardCount!: number;
  @Count() activeCardCount!: number;
  @Count() frozenCardCount!: number;
}

/** The progress of counting the feed: one row. */
@Entity({ tableName: 'overview_reader' })
@DataClasses<OverviewReading>({
  kept: 'one row, without end',
  internal: ['id', 'position', 'countedAt'],
})
export class OverviewReading {
  @PrimaryKey({ type: 'integer', autoincrement: false }) id!: number;
  /** The position of the last event of the feed that was counted. */
  @Count() position!: number;
  /** The time of that event; null before the first one. */
  @Property({ type: 'datetime', length: 3, nullable: true }) countedAt!: Date | null;
}

@ObjectType({ description: 'A day of all accounts of a program in a currency.', simpleResolvers: true })
export class OverviewDay {
  @Field(() => LocalDate, { description: 'The day, which each account has in its own time zone.' })
  date!: string;

  @Field(() => Currency, { description: 'The currency of the amounts of the day.' })
  currency!: string;

  @Field(() => Decimal, { description: 'The sum of the credits that were posted on the day.' })
  credits!: string;

  @Field(() => Int, { description: 'The number of posted credits.' })
  creditCount!: number;

  @Field(() => Decimal, { description: 'The sum of the debits that were posted on the day, never negative.' })
  debits!: string;

  @Field(() => Int, { description: 'The number of posted debits.' })
  debitCount!: number;

  @Field(() => Int, { description: 'The number of accounts that were opened on the day.' })
  openedAccountCount!: number;
}

@ObjectType({ description: 'The accounts of a program in one currency.', simpleResolvers: true })
export class OverviewCurrency {
  @Field(() => Currency, { description: 'The currency of the accounts.' })
  currency!: string;

  @Field(() => Decimal, {
    description: 'The sum of the posted balances; below zero where more is overdrawn than deposited.',
  })
  deposits!: string;

  @Field(() => Int, { description: 'The number of accounts in the currency that are not closed.' })
  openAccountCount!: number;

  @Field(() => [OverviewDay], {
    description: `The last ${SHOWN_DAYS} days, the oldest first; the last one is today.`,
  })
  days!: readonly OverviewDay[];
}

@ObjectType({
  description: 'A program at a glance, in figures that follow the events a moment later.',
  simpleResolvers: true,
})
export class ProgramOverview {
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time up to which events are counted, which is now where all of them are; null before the first.',
  })
  asOf!: string | null;

  @Field(() => String, {
    description: 'The time zone whose today ends the days: that of most new accounts, such as `America/New_York`.',
  })
  timeZone!: string;

  @Field(() => Int, { description: 'The number of accounts of the program that are not closed.' })
  openAccountCount!: number;

  @Field(() => Int, { description: `The number of accounts that were opened in the last ${SHOWN_DAYS} days.` })
  openedAccountCount!: number;

  @Field(() => Int, { description: 'The number of cards that are not in use yet.' })
  inactiveCardCount!: number;

  @Field(() => Int, { description: 'The number of cards that can be used.' })
  activeCardCount!: number;

  @Field(() => Int, { description: 'The number of cards that are frozen.' })
  frozenCardCount!: number;

  @Field(() => Int, { description: 'The number of requests that wait until another person approves them.' })
  waitingApprovalCount!: number;

  @Field(() => [OverviewCurrency], {
    description: `The currencies of accounts, at most ${MAX_CURRENCIES}: those with the most open accounts first.`,
  })
  currencies!: readonly OverviewCurrency[];
}
