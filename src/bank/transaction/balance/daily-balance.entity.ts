import { Field, ObjectType } from 'type-graphql';
import { Decimal, LocalDate } from '../../../platform/scalars/scalars.js';

@ObjectType({ description: 'What was posted by the end of a day.', simpleResolvers: true })
export class DailyBalance {
  @Field(() => LocalDate, { description: "The day in the account's time zone." })
  date!: string;

  @Field(() => Decimal, {
    description: 'At the end of the day; below zero when overdrawn.',
  })
  balance!: string;
}
