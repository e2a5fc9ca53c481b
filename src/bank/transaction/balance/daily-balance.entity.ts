import { Field, ObjectType } from 'type-graphql';
import { Currency, Decimal, LocalDate } from '../../../platform/scalars/scalars.js';

@ObjectType({ description: 'The posted balance at the end of a day.', simpleResolvers: true })
export class DailyBalance {
  @Field(() => LocalDate, { description: "The day in the account's time zone." })
  date!: string;

  @Field(() => Currency, { description: 'The currency of the account.' })
  currency!: string;

  @Field(() => Decimal, {
    description: 'The balance at the end of the day; below zero when overdrawn.',
  })
  balance!: string;
}
