import { rule, type Rule } from '../platform/input/rules.js';
import { TIME_FORM, isReversed, isTime } from './transaction.criteria.js';

/** A day or an instant. GraphQL knows it as a text. */
export function Time(): Rule {
  return rule({
    code: 'wrong_type',
    detail: 'Must be a day (YYYY-MM-DD) or a UTC date-time (YYYY-MM-DDThh:mm:ssZ).',
    holds: time => time === null || (typeof time === 'string' && isTime(time)),
    isForm: true,
    said: { schema: { pattern: TIME_FORM.source } },
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

/** Not less than the amount in another field. */
export function NotLess(least: string): Rule {
  return rule({
    code: 'range',
    detail: `Must not be less than ${least}.`,
    holds: (amount, { [least]: other }) =>
      typeof amount !== 'string' || typeof other !== 'string' || Number(amount) >= Number(other),
  });
}
