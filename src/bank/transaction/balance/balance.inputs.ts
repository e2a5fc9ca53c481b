import { Field } from 'type-graphql';
import { Input } from '../../../platform/input/input.js';
import { rule } from '../../../platform/input/rules.js';
import { LocalDate } from '../../../platform/scalars/scalars.js';

/** The most days of one request: a leap year. */
export const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

export const FROM = "The first day in the account's time zone.";
export const TO = `The last day in the account's time zone; at most ${MAX_DAYS} days in all.`;

@Input('The days of which the balances are asked for.')
export class BalanceQuery {
  @Field(() => LocalDate, { description: FROM })
  from!: string;

  @rule({
    code: 'range',
    detail: `Must be the first day or one of the ${MAX_DAYS - 1} days after it.`,
    holds: (to, { from }) => {
      const days = (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS;
      return Number.isNaN(days) || (days >= 0 && days < MAX_DAYS);
    },
  })
  @Field(() => LocalDate, { description: TO })
  to!: string;
}
