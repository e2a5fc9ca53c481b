import {
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLNamedInputType,
  type GraphQLNullableType,
} from 'graphql';
import type { FieldProblem } from '../../shared/errors.js';
import { UuidScalar } from '../scalars/scalars.js';
import { inputClassOf } from './input.js';
import { SPACES } from './json-schema.js';
import { brokenRule, ruledFields, type BrokenRule } from './rules.js';
import { readTypeOf } from './uuid-type.js';

/** The most problems that an answer lists, so that it stays small however large the input. */
export const MAX_PROBLEMS = 50;

/** A fault of a value, found while it is read as a type. */
export interface Findings {
  /** Wrong shape: types, unknown fields, missing ones. */
  readonly misshapen: FieldProblem[];
  /** Right shape, but a rule of the input class is broken. */
  readonly broken: FieldProblem[];
  readonly from: Origin;
  /**
   * An empty text means null where null is allowed, and so do words of spaces alone: in a record of the REST contract
   * and in the input of a mutation.
   */
  readonly emptyIsNull: boolean;
  /** Rules are not checked. */
  readonly shapesOnly: boolean;
}

/** Nothing found so far. One form of object for all of them, as these are read for each field of each request. */
export function noFindings(
  from: Origin,
  { emptyIsNull = false, shapesOnly = false }: Partial<Pick<Findings, 'emptyIsNull' | 'shapesOnly'>> = {},
): Findings {
  return { misshapen: [], broken: [], from, emptyIsNull, shapesOnly };
}

/**
 * Where a value comes from. In `json`, elements of a list that is too long are not read. A `variable` of GraphQL may be
 * a single value in place of a list of one, and elements of long lists are read, since all wrong shapes are reported
 * before anything runs. A `coerced` value has the right shape and parsed leaves from GraphQL, so only the rules are
 * checked.
 */
export type Origin = 'json' | 'variable' | 'coerced';

/** Gives a value at a pointer in the classes of the type, and adds what is wrong with it to the findings. */
export type Shaper = (value: unknown, pointer: string, findings: Findings) => unknown;

const shapers = new WeakMap<GraphQLInputType, Shaper>();

/** The shaper of a type. It is made once, since an import reads millions of lines as the same few types. */
export function shaperOf(type: GraphQLInputType): Shaper {
  let shaper = shapers.get(type);
  if (!shaper) {
    shaper = makeShaper(type);
    shapers.set(type, shaper);
  }
  return shaper;
}

function makeShaper(type: GraphQLInputType): Shaper {
  if (isNonNullType(type)) {
    const inner = valueShaper(type.ofType);
    return (value, pointer, findings) => {
      if (value !== undefined && value !== null) return inner(value, pointer, findings);
      findings.misshapen.push({ pointer, ...REQUIRED });
      return undefined;
    };
  }
  const shaper = valueShaper(type);
  const empty = isText(type) ? (type.toString() === 'String' ? BLANK : NOTHING) : null;
  return (value, pointer, findings) => {
    if (value === undefined || value === null) return value;
    const isEmpty = empty !== null && findings.emptyIsNull && typeof value === 'string' && empty.test(value);
    return isEmpty ? null : shaper(value, pointer, findings);
  };
}

/** The shaper of values other than null. */
function valueShaper(type: GraphQLInputType & GraphQLNullableType): Shaper {
  if (isListType(type)) return listShaper(type.ofType);
  return isInputObjectType(type) ? objectShaper(type) : leafShaper(type);
}

const NO_TEXTS: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean']);

/** Empty words: files of banks fill their columns up with spaces. */
const BLANK = new RegExp(SPACES);
/** Empty values of other types that JSON has as texts, such as dates. */
const NOTHING = /^$/;

/** True if JSON has a text for values of a type. */
export function isText(type: GraphQLInputType): boolean {
  return isLeafType(type) && !NO_TEXTS.has(type.name);
}

function listShaper(type: GraphQLInputType): Shaper {
  const inner = shaperOf(type);
  return (value, pointer, findings) => {
    if (!Array.isArray(value)) {
      return findings.from === 'json'
        ? misfit(pointer, 'Must be a list.', findings)
        : [inner(value, `${pointer}/0`, findings)];
    }
    const shaped: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      // Further problems would not be reported, and a body of a hundred thousand bad elements must not block the
      // process.
      if (findings.misshapen.length >= MAX_PROBLEMS) break;
      shaped.push(inner(value[index], `${pointer}/${index}`, findings));
    }
    return shaped;
  };
}

/**
 * Errors of graphql-js take a fifth of a millisecond, so they are not provoked: a file may have a bad value in each
 * cell.
 */
const PLAIN: Readonly<Record<string, string>> = { Int: 'number', Float: 'number', Boolean: 'boolean' };

function leafShaper(type: GraphQLLeafType): Shaper {
  const plain = PLAIN[type.name];
  const isMisfit = (value: unknown): boolean =>
    isEnumType(type)
      ? typeof value !== 'string' || !type.getValue(value)
      : plain !== undefined && typeof value !== plain;
  return (value, pointer, findings) => {
    // A UUID is an ID to GraphQL, which takes any text.
    if (findings.from === 'coerced' && type !== UuidScalar) return value;
    if (isMisfit(value)) return misfit(pointer, formOf(type), findings);
    try {
      return type.parseValue(value) as unknown;
    } catch {
      return misfit(pointer, formOf(type), findings);
    }
  };
}

/** The fields of an input, each with what reads it. */
function shapedFields(type: GraphQLInputObjectType) {
  return Object.values(type.getFields()).map(field => {
    const { name, defaultValue } = field;
    return { name, defaultValue, shaper: shaperOf(readTypeOf(type, field)) };
  });
}

function objectShaper(type: GraphQLInputObjectType): Shaper {
  const target = inputClassOf(type);
  const prototype = target?.prototype as object | undefined;
  const ruled = prototype ? [...ruledFields(prototype)] : [];
  // A type may contain itself, so the shapers of its fields are made when the first value comes.
  let fields: ReturnType<typeof shapedFields> | undefined;
  return (value, pointer, findings) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return misfit(pointer, formOf(type), findings);
    }
    fields ??= shapedFields(type);
    const sent = value as Record<string, unknown>;
    const isCoerced = findings.from === 'coerced';
    if (!isCoerced) refuseUnknown(type, sent, pointer, findings);
    const shaped: Record<string, unknown> = target ? (new target() as Record<string, unknown>) : {};
    const { shapesOnly } = findings;
    const tooLong = new Set<string>();
    for (const { name, defaultValue, shaper } of fields) {
      // Further problems would not be reported.
      if (findings.misshapen.length >= MAX_PROBLEMS) break;
      const own = Object.hasOwn(sent, name) ? sent[name] : defaultValue;
      const refused =
        prototype && !shapesOnly && Array.isArray(own) ? brokenRule(prototype, name, own, sent, 'first') : null;
      if (refused) {
        tooLong.add(name);
        addBroken(refused, `${pointer}/${name}`, findings);
        if (findings.from !== 'variable') continue;
      }
      const item = shaper(own, `${pointer}/${name}`, findings);
      if (item !== undefined) shaped[name] = item;
    }
    if (shapesOnly) return shaped;
    const checked = ruled.filter(name => !tooLong.has(name));
    checked.forEach(name => checkField(prototype as object, name, shaped, pointer, findings));
    return shaped;
  };
}

/** Adds the rule that a field breaks, if it breaks one, to the findings. */
export function checkField(
  prototype: object,
  name: string,
  all: Readonly<Record<string, unknown>>,
  pointer: string,
  findings: Findings,
): void {
  const broken = brokenRule(prototype, name, all[name], all);
  if (broken) addBroken(broken, `${pointer}/${name}`, findings);
}

function addBroken({ code, detail, at, isForm }: BrokenRule, pointer: string, findings: Findings): void {
  const problems = isForm && findings.from === 'json' ? findings.misshapen : findings.broken;
  if (problems.length >= MAX_PROBLEMS) return;
  problems.push({ pointer: at === null ? pointer : `${pointer}/${at}`, code, detail });
}

/** Looks like a field name. A number may be personal data, and none of our names has four digits in a row. */
export const FIELD_NAME = /^(?!.*\d{4})[A-Za-z_]\w{0,63}$/;

function refuseUnknown(
  type: GraphQLInputObjectType,
  sent: Record<string, unknown>,
  pointer: string,
  { misshapen }: Findings,
): void {
  const fields = type.getFields();
  for (const name in sent) {
    if (Object.hasOwn(fields, name)) continue;
    if (misshapen.length >= MAX_PROBLEMS) break;
    misshapen.push(unknownField(Object.keys(fields), pointer, name));
  }
}

/** The problem of an object at `pointer` that has a field which is none of the known ones. */
export function unknownField(names: readonly string[], pointer: string, name: string): FieldProblem {
  const advice = names.length > 0 ? `Use one of ${names.join(', ')}.` : 'Send no body.';
  return {
    pointer: FIELD_NAME.test(name) ? `${pointer}/${name}` : pointer,
    code: 'unknown_field',
    detail: `This field is unknown. ${advice}`,
  };
}

/** The problem of a value that is missing. */
export const REQUIRED: Omit<FieldProblem, 'pointer'> = { code: 'required', detail: 'This field is required.' };

function misfit(pointer: string, detail: string, { misshapen }: Findings): undefined {
  misshapen.push({ pointer, code: 'wrong_type', detail });
  return undefined;
}

/** Returns the rule for a value of a type, in words for people. */
export function formOf(type: GraphQLNamedInputType): string {
  if (isInputObjectType(type)) return 'Must be an object.';
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return `Must be one of ${names.join(', ')}.`;
  }
  return FORMS[type.name] ?? `Must be a ${type.name}.`;
}

const FORMS: Readonly<Record<string, string>> = {
  Int: 'Must be an integer.',
  Float: 'Must be a number.',
  String: 'Must be a string.',
  ID: 'Must be a string.',
  Boolean: 'Must be true or false.',
  UUID: 'Must be a UUID.',
  LocalDate: 'Must be a calendar date, YYYY-MM-DD.',
  CountryCode: 'Must be an ISO 3166 country code of two capital letters.',
  Currency: 'Must be the ISO 4217 code of a currency of today.',
  DateTimeISO: 'Must be a date and time with a time zone, such as "2026-01-31T12:00:00.000Z".',
  Metadata: 'Must be an object whose values are strings or null.',
  Base64: 'Must be base64 with padding and without line breaks.',
  Decimal: 'Must be a decimal number such as "1250.00", as a string where it has more than 15 digits.',
};
