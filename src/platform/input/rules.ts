import type { FieldCode } from '../../shared/field-problems.js';
import { NAMING_TEXT, OPTIONAL_TEXT, SHOWING_TEXT, charactersIn } from '../../shared/written.js';
import type { JsonSchema } from './json-schema.js';

/**
 * The rules that an input class puts on its fields, beyond their type. Each has a stable code and says what to do;
 * neither repeats the value. Absent fields break no rule: whether a field is required is its type.
 */
export type Rule = PropertyDecorator;

interface Check {
  readonly code: FieldCode;
  readonly detail: string;
  readonly holds: (value: unknown, all: Readonly<Record<string, unknown>>) => boolean;
  /** Finds the element at fault, for a rule of a list. */
  readonly at?: (value: unknown) => number;
  /**
   * True for a rule of a list that is checked before its elements are read, since reading a hundred thousand of them
   * takes seconds.
   */
  readonly isFirst?: boolean;
  /** The rule is about how a text is written, as a type of GraphQL is: in JSON a text that breaks it is malformed. */
  readonly isForm?: boolean;
  readonly said?: RuleInWords;
}

/** The words of a rule in the schema of a field, as far as JSON Schema has words for it. */
export interface RuleInWords {
  readonly schema?: JsonSchema;
  readonly forbidsNull?: boolean;
}

/** A rule that a value breaks. `at`: the element, where the value is a list and one of its elements is at fault. */
export interface BrokenRule {
  readonly code: FieldCode;
  readonly detail: string;
  readonly at: number | null;
  /** True if the value is malformed where it comes as JSON. */
  readonly isForm: boolean;
}

const ownChecks = new Map<object, Map<string, Check[]>>();
const allChecks = new Map<object, ReadonlyMap<string, readonly Check[]>>();

/** Puts a check on a field. The one nearest to the field is made first, and only the first broken rule is reported. */
export function rule(check: Check): Rule {
  return (prototype, property) => {
    const checks = ownChecks.get(prototype) ?? new Map<string, Check[]>();
    ownChecks.set(prototype, checks.set(String(property), [...(checks.get(String(property)) ?? []), check]));
  };
}

/** The names of the fields of an input class that have rules, those of its base classes included. */
export function ruledFields(prototype: object): Iterable<string> {
  return checksOf(prototype).keys();
}

/** The first rule that a value breaks. `which` 'first' makes only the checks that come before a list is read. */
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

/** Returns the words of the rules of a field, the one nearest to the field first. */
export function rulesInWords(prototype: object, field: string): RuleInWords[] {
  return (checksOf(prototype).get(field) ?? []).flatMap(({ said }) => said ?? []);
}

/** The first rule of a field that a value of the right form can break. */
export function breakableRule(prototype: object, field: string): Pick<BrokenRule, 'code' | 'detail'> | undefined {
  return checksOf(prototype)
    .get(field)
    ?.find(({ isForm }) => !isForm);
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

/** A text for which `fits` is true; `schema` says as much of that as JSON Schema can. */
export function Fits(code: FieldCode, fits: (text: string) => boolean, detail: string, schema: JsonSchema = {}): Rule {
  const holds = (value: unknown) => value === null || (typeof value === 'string' && fits(value));
  return rule({ code, detail, holds, said: { schema } });
}

/**
 * A line of text from `min` to `max` characters (code points) in which nothing is hidden (see written.ts). In a
 * required one a letter or a digit shows, as in every name; `symbols`: any character that shows will do, as in an
 * optional one that is not empty.
 */
export function Text(min: number, max: number, { symbols = false }: { readonly symbols?: boolean } = {}): Rule {
  const { fits, detail, schema } = lineOf(min, max, symbols);
  return Fits('text', fits, detail, schema);
}

/** A list of such lines. */
export function EachText(min: number, max: number): Rule {
  const { fits, detail, schema } = lineOf(min, max, false);
  const isBad = (item: unknown): boolean => typeof item === 'string' && !fits(item);
  return NoneBad('format', detail, list => list.findIndex(isBad), { items: schema });
}

/** Most texts are ASCII, for which the long patterns are slow. */
const ASCII = /^[\x20-\x7e]*[\dA-Za-z][\x20-\x7e]*$/;

function lineOf(min: number, max: number, symbols: boolean) {
  const pattern = min === 0 ? OPTIONAL_TEXT : symbols ? SHOWING_TEXT : NAMING_TEXT;
  const readable = new RegExp(pattern, 'u');
  const isLong = (text: string): boolean => charactersIn(text, max) > max;
  const isShort = (text: string): boolean => min > 1 && charactersIn(text.trim(), max) < min;
  const names = min > 0 && !symbols ? ', at least one of them a letter or a digit' : '';
  return {
    fits: (text: string) => !isLong(text) && !isShort(text) && (ASCII.test(text) || readable.test(text)),
    detail: `Must be ${min} to ${max} printable characters${names}.`,
    // Many readers of OpenAPI compile patterns without the mode of Unicode that this one needs.
    schema: { ...(min > 0 && { minLength: min }), maxLength: max },
  };
}

/** A text of a given form. `form` describes it to a person: "nine digits". */
export function Matches(pattern: RegExp, form: string): Rule {
  return Fits('format', text => pattern.test(text), `Must be ${form}.`, { pattern: pattern.source });
}

/** A date (YYYY-MM-DD) before today in UTC and after 1 January 1850, so that a mistyped century is found. */
export function PastDate(): Rule {
  const fits = (day: string) => day >= '1850-01-01' && day < new Date().toISOString().slice(0, 10);
  return Fits('past_date', fits, 'Must be a date before today and not before 1850-01-01.');
}

/** An integer from `min` to `max`. */
export function Between(min: number, max: number): Rule {
  return rule({
    code: 'range',
    detail: `Must be between ${min} and ${max}.`,
    holds: value => value === null || (typeof value === 'number' && value >= min && value <= max),
    said: { schema: { minimum: min, maximum: max } },
  });
}

/** A list of `min` to `max` elements. */
export function Size(min: number, max: number): Rule {
  return rule({
    code: 'size',
    detail: `Must have ${min} to ${max} elements.`,
    holds: value => value === null || (Array.isArray(value) && value.length >= min && value.length <= max),
    isFirst: true,
    said: { schema: { ...(min > 0 && { minItems: min }), maxItems: max } },
  });
}

/** A list without a bad element. The problem points to the first one. */
function NoneBad(
  code: FieldCode,
  detail: string,
  firstBad: (list: readonly unknown[]) => number,
  schema: JsonSchema,
): Rule {
  const at = (value: unknown) => (Array.isArray(value) ? firstBad(value) : -1);
  return rule({ code, detail, holds: value => at(value) === -1, at, said: { schema } });
}

/** A list whose texts all have a given form. */
export function EachMatches(pattern: RegExp, form: string): Rule {
  const isBad = (item: unknown): boolean => typeof item === 'string' && !pattern.test(item);
  return NoneBad('format', `Must be ${form}.`, list => list.findIndex(isBad), { items: { pattern: pattern.source } });
}

/** A list without an element twice; the problem points to the second one. */
export function Distinct(): Rule {
  const repeated = (list: readonly unknown[]): number => {
    const seen = new Set<unknown>();
    return list.findIndex(item => item !== undefined && seen.size === seen.add(item).size);
  };
  const detail = 'The list contains this element twice. Remove one of them.';
  return NoneBad('distinct', detail, repeated, { uniqueItems: true });
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
