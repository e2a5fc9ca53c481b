import { ValidateBy, type ValidationArguments } from 'class-validator';

/**
 * The rules that an input class puts on its fields, beyond their type. A rule's name is the stable code of the problem,
 * its message says what to do; neither repeats the value. Absent fields break no rule: whether a field is required is its type.
 */
export type Rule = PropertyDecorator;

function rule(code: string, holds: (value: unknown, all: Record<string, unknown>) => boolean, detail: string): Rule {
  return ValidateBy({
    name: code,
    validator: {
      validate: (value: unknown, args?: ValidationArguments) =>
        value === null || holds(value, (args?.object ?? {}) as Record<string, unknown>),
      defaultMessage: () => detail,
    },
  });
}

// Control characters and lone surrogates have no place in a name or an address, and PostgreSQL cannot store U+0000.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** A line of printable text, from `min` to `max` characters. A required text is not blank. */
export function Text(min: number, max: number): Rule {
  const fits = (value: unknown) =>
    typeof value === 'string' && value.length <= max && !UNPRINTABLE.test(value) && (min === 0 || value.trim().length >= min);
  return rule('text', fits, `Must be ${min} to ${max} printable characters.`);
}

/** A text of a given form. `form` describes it to a person: "nine digits". */
export function Matches(pattern: RegExp, form: string): Rule {
  return rule('format', value => typeof value === 'string' && pattern.test(value), `Must be ${form}.`);
}

/** An integer from `min` to `max`. */
export function Between(min: number, max: number): Rule {
  return rule('range', value => typeof value === 'number' && value >= min && value <= max, `Must be from ${min} to ${max}.`);
}

/** A list of `min` to `max` elements. */
export function Size(min: number, max: number): Rule {
  const fits = (value: unknown) => Array.isArray(value) && value.length >= min && value.length <= max;
  return rule('size', fits, `Must have ${min} to ${max} elements.`);
}

/** A date (YYYY-MM-DD) before today in UTC and after 1 January 1850, so that a mistyped century is found. */
export function PastDate(): Rule {
  const fits = (value: unknown) =>
    typeof value === 'string' && value >= '1850-01-01' && value < new Date().toISOString().slice(0, 10);
  return rule('past_date', fits, 'Must be a date in the past.');
}

/** This field and `other` come together or not at all. */
export function Together(other: string): Rule {
  return rule('together', (_, all) => all[other] !== undefined && all[other] !== null, `Comes together with ${other}, or neither is given.`);
}

/** In a patch: `null` clears a field, and this one cannot be cleared. */
export function NotCleared(): Rule {
  return ValidateBy({
    name: 'required',
    validator: { validate: (value: unknown) => value !== null, defaultMessage: () => 'Is required, so it cannot be cleared.' },
  });
}
