import type { FieldCode } from '../../shared/field-problems.js';
import type { JsonSchema } from './json-schema.js';

/**
 * The rules of an input class for its fields, beyond their type. Each has a stable code and says what to do, without
 * the value. Absent fields break no rule: whether a field is required is a matter of its type.
 */
export type Rule = PropertyDecorator;

interface Check {
  readonly code: FieldCode;
  readonly detail: string;
  readonly holds: (value: unknown, all: Readonly<Record<string, unknown>>) => boolean;
  /** Of a list: the position of the wrong element. */
  readonly at?: (value: unknown) => number;
  /** Of a list: checked before its elements, since checking a hundred thousand of them takes seconds. */
  readonly isFirst?: boolean;
  /** The rule is about the form of a text, as a GraphQL type could be: in JSON a value that breaks it is malformed. */
  readonly isForm?: boolean;
  readonly said?: RuleInWords;
}

/** A rule in the words of JSON Schema, as far as it has any. */
export interface RuleInWords {
  readonly schema?: JsonSchema;
  readonly forbidsNull?: boolean;
}

/** A rule that a value breaks. `at` is the wrong element of a list. */
export interface BrokenRule {
  readonly code: FieldCode;
  readonly detail: string;
  readonly at: number | null;
  /** Whether the value is malformed where it comes as JSON. */
  readonly isForm: boolean;
}

const ownChecks = new Map<object, Map<string, Check[]>>();
const allChecks = new Map<object, ReadonlyMap<string, readonly Check[]>>();

/** Adds a check to a field. The check nearest to the field comes first, and one broken rule of a field is reported. */
export function rule(check: Check): Rule {
  return (prototype, property) => {
    const checks = ownChecks.get(prototype) ?? new Map<string, Check[]>();
    ownChecks.set(prototype, checks.set(String(property), [...(checks.get(String(property)) ?? []), check]));
  };
}

/** The names of the fields with rules, those of base classes included. */
export function ruledFields(prototype: object): Iterable<string> {
  return checksOf(prototype).keys();
}

/**
 * The first rule that a field's value breaks. With `which` 'first' only those that come before the elements of a list.
 */
export function brokenRule(
  prototype: object,
  field: string,
  value: unknown,
  all: Readonly<Record<string, unknown>>,
  which: 'all' | 'first' = 'all',
): BrokenRule | null {
  if (value === undefined) return null;
  for (const { code, detail, holds, at, isFirst, isForm = false } of checksOf(prototype).get(field) ?? []) {
    if (which === 'first' && !isFirst) continue;
    if (!holds(value, all)) return { code, detail, at: at ? at(value) : null, isForm };
  }
  return null;
}

/** The rules of a field in words, the one nearest to the field first. */
export function rulesInWords(prototype: object, field: string): RuleInWords[] {
  return (checksOf(prototype).get(field) ?? []).flatMap(({ said }) => said ?? []);
}

function checksOf(prototype: object): ReadonlyMap<string, readonly Check[]> {
  let checks = allChecks.get(prototype);
  if (!checks) {
    const base: object | null = Object.getPrototypeOf(prototype) as object | null;
    checks = new Map([...(base ? checksOf(base) : []), ...(ownChecks.get(prototype) ?? [])]);
    allChecks.set(prototype, checks);
  }
  return checks;
}

const unless = (isFine: (value: unknown) => boolean, holds: (value: unknown) => boolean) => (value: unknown) =>
  isFine(value) || holds(value);
const isNull = (value: unknown): boolean => value === null;
const isNoList = (value: unknown): boolean => !Array.isArray(value);

// Names and addresses have no control characters and lone surrogates, and PostgreSQL cannot store U+0000.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
/** The same for the regular expressions of all languages. JSON in UTF-8 has no lone surrogates. */
const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;
const PRINTABLE = `^[^${CONTROLS}]*$`;
const PRINTABLE_NOT_BLANK = String.raw`^[^${CONTROLS}]*[^\s${CONTROLS}][^${CONTROLS}]*$`;

/** A line of printable text, from `min` to `max` characters. A required text is not blank. */
export function Text(min: number, max: number): Rule {
  const fits = (value: unknown) =>
    typeof value === 'string' &&
    value.length <= max &&
    (min === 0 || value.trim().length >= min) &&
    !UNPRINTABLE.test(value);
  const pattern = min > 0 ? PRINTABLE_NOT_BLANK : PRINTABLE;
  return rule({
    code: 'text',
    detail: `Must be ${min} to ${max} printable characters.`,
    holds: unless(isNull, fits),
    said: { schema: { ...(min > 0 && { minLength: min }), maxLength: max, pattern } },
  });
}

/** A text of a given form. `form` describes it for a person: "nine digits". */
export function Matches(pattern: RegExp, form: string): Rule {
  const fits = (value: unknown) => typeof value === 'string' && pattern.test(value);
  return rule({
    code: 'format',
    detail: `Must be ${form}.`,
    holds: unless(isNull, fits),
    said: { schema: { pattern: pattern.source } },
  });
}

/** A text for which `fits` is true; `schema` says as much of that as JSON Schema can. */
export function Fits(code: FieldCode, fits: (text: string) => boolean, detail: string, schema: JsonSchema = {}): Rule {
  const holds = unless(isNull, value => typeof value === 'string' && fits(value));
  return rule({ code, detail, holds, said: { schema } });
}

/** A list whose texts all have a given form. The problem points to the first that has not. */
export function EachMatches(pattern: RegExp, form: string): Rule {
  // An element that is no text is reported as such already.
  const isBad = (item: unknown): boolean => typeof item === 'string' && !pattern.test(item);
  return rule({
    code: 'format',
    detail: `Must be ${form}.`,
    holds: unless(isNoList, value => !(value as unknown[]).some(isBad)),
    at: value => (value as unknown[]).findIndex(isBad),
    said: { schema: { items: { pattern: pattern.source } } },
  });
}

/** A list without repeated elements. The problem points to the first repetition. */
export function Distinct(): Rule {
  // Elements without a value are misshapen, and reported as such already.
  const repeated = (list: readonly unknown[]): number => {
    const seen = new Set<unknown>();
    return list.findIndex(item => item !== undefined && seen.size === seen.add(item).size);
  };
  return rule({
    code: 'distinct',
    detail: 'The list contains this element twice. Remove one of them.',
    holds: unless(isNoList, value => repeated(value as unknown[]) === -1),
    at: value => repeated(value as unknown[]),
    said: { schema: { uniqueItems: true } },
  });
}

/** An integer from `min` to `max`. */
export function Between(min: number, max: number): Rule {
  const fits = (value: unknown) => typeof value === 'number' && value >= min && value <= max;
  return rule({
    code: 'range',
    detail: `Must be between ${min} and ${max}.`,
    holds: unless(isNull, fits),
    said: { schema: { minimum: min, maximum: max } },
  });
}

/** A list of `min` to `max` elements. */
export function Size(min: number, max: number): Rule {
  const fits = (value: unknown) => Array.isArray(value) && value.length >= min && value.length <= max;
  return rule({
    code: 'size',
    detail: `Must have ${min} to ${max} elements.`,
    holds: unless(isNull, fits),
    isFirst: true,
    said: { schema: { ...(min > 0 && { minItems: min }), maxItems: max } },
  });
}

/** A date (YYYY-MM-DD) before today in UTC and not before 1850, so that a mistyped century is found. */
export function PastDate(): Rule {
  const fits = (value: unknown) =>
    typeof value === 'string' && value >= '1850-01-01' && value < new Date().toISOString().slice(0, 10);
  return rule({
    code: 'past_date',
    detail: 'Must be a date before today and not before 1850-01-01.',
    holds: unless(isNull, fits),
  });
}

/** This field and `other` come together or not at all. */
export function Together(other: string): Rule {
  return rule({
    code: 'together',
    detail: `This field and ${other} must be given together. Send both, or neither.`,
    holds: (value, all) => value === null || (all[other] !== undefined && all[other] !== null),
  });
}

/** In a patch: `null` clears a field, and this one cannot be cleared. */
export function NotCleared(): Rule {
  return rule({
    code: 'required',
    detail: 'This field is required and cannot be cleared. Send a value, or leave it out.',
    holds: value => value !== null,
    said: { forbidsNull: true },
  });
}
