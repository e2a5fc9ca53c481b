import { Field } from 'type-graphql';
import { Input } from '../../../platform/input/input.js';
import { Matches } from '../../../platform/input/rules.js';
import { LocalDate } from '../../../platform/scalars/scalars.js';
import { BOOKED } from '../../../shared/calendar.js';
import { NotBefore } from '../transaction.filter.js';

/** The filter of a list has the same names for the same days. */
@Input('The days of a file of transactions.')
export class ReportQuery {
  @Matches(BOOKED, 'a day from 1850 to 2099')
  @Field(() => LocalDate, { description: "The first day in the account's time zone." })
  startTime!: string;

  @NotBefore('startTime')
  @Matches(BOOKED, 'a day from 1850 to 2099')
  @Field(() => LocalDate, { description: "The last day in the account's time zone, such as `2026-03-31`." })
  endTime!: string;
}
