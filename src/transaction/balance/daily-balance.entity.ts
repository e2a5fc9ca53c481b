import { Field, ObjectType } from 'type-graphql';
import { Decimal, LocalDate } from '../../platform/scalars/scalars.js';

@ObjectType({ description: 'What was posted to an account by the end of a day.', simpleResolvers: true })
export class DailyBalance {
  @Field(() => LocalDate, { description: "The day in the account's time zone, such as `2026-03-31`." })
  date!: string;

  @Field(() => Decimal, {
    description:
      "The posted balance at the end of the day in the account's currency, such as `15721.99`. Below zero when overdrawn.",
  })
  balance!: string;
}
