import { validateSync } from 'class-validator';
import { GraphQLNonNull, isEnumType, isInputObjectType, isListType, isNonNullType, type GraphQLInputObjectType, type GraphQLInputType, type GraphQLLeafType } from 'graphql';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { inputClassOf, inputTypeOf, type InputClass } from './input.js';

/** What became of a value that was held against an input type: the value in the type's classes, and all that is wrong with it. */
export interface Reading {
  readonly value: unknown;
  /** Wrong shape: types, unknown fields, missing ones. */
  readonly misshapen: readonly FieldProblem[];
  /** Right shape, but a rule of the input class is broken. */
  readonly broken: readonly FieldProblem[];
}

/** Reads plain JSON as an input class. Throws `InvalidInput`, which names every bad field with its pointer into the JSON. */
export function readInput<T extends object>(target: InputClass<T>, json: unknown): T {
  const reading = holdAgainst(new GraphQLNonNull(inputTypeOf(target)), json, '', 'json');
  refuseIfBad(reading);
  return reading.value as T;
}

/** Throws `InvalidInput` if anything is wrong: malformed when the shape is, a broken rule otherwise. */
export function refuseIfBad({ misshapen, broken }: Pick<Reading, 'misshapen' | 'broken'>): void {
  if (misshapen.length > 0) throw new InvalidInput('malformed', [...misshapen, ...broken].slice(0, MAX_PROBLEMS));
  if (broken.length > 0) throw new InvalidInput('rule_broken', broken.slice(0, MAX_PROBLEMS));
}

/**
 * Holds a value against a GraphQL input type and the rules of the classes in it. `pointer` is where the value stands.
 * A GraphQL variable may give a single value for a list of one; a JSON body never means that.
 */
export function holdAgainst(type: GraphQLInputType, value: unknown, pointer: string, from: 'json' | 'variable'): Reading {
  const misshapen: FieldProblem[] = [];
  const shaped = shape(type, value, pointer, { problems: misshapen, singleIsList: from === 'variable' });
  const misplaced = new Set(misshapen.map(problem => problem.pointer));
  const broken = brokenRules(shaped, pointer).filter(problem => !misplaced.has(problem.pointer));
  return { value: shaped, misshapen, broken };
}

/** Every rule that an input object breaks, with those of the objects and lists inside it. */
export function brokenRules(value: unknown, pointer: string): FieldProblem[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => brokenRules(item, `${pointer}/${index}`));
  if (value === null || typeof value !== 'object' || value.constructor === Object) return [];
  const own = validateSync(value, { skipUndefinedProperties: true, forbidUnknownValues: false, stopAtFirstError: true });
  const problems = own.flatMap(({ property, constraints = {} }) =>
    Object.entries(constraints).map(([code, detail]) => ({ pointer: `${pointer}/${property}`, code, detail })),
  );
  // A list that is too long is refused for that: looking at each of its elements could take seconds.
  const refused = new Set(own.map(({ property }) => property));
  const inner = Object.entries(value)
    .filter(([name, item]) => !(Array.isArray(item) && refused.has(name)))
    .flatMap(([name, item]) => brokenRules(item, `${pointer}/${name}`));
  return [...problems, ...inner];
}

/** More problems than this help nobody, and the answer stays small however large the input. */
const MAX_PROBLEMS = 50;
const FIELD_NAME = /^[A-Za-z_]\w{0,63}$/;

interface Shaping {
  readonly problems: FieldProblem[];
  readonly singleIsList: boolean;
}

function shape(type: GraphQLInputType, value: unknown, pointer: string, shaping: Shaping): unknown {
  const { problems } = shaping;
  if (isNonNullType(type)) {
    if (value !== undefined && value !== null) return shape(type.ofType, value, pointer, shaping);
    problems.push({ pointer, code: 'required', detail: 'Is required.' });
    return undefined;
  }
  if (value === undefined || value === null) return value;
  if (isListType(type)) {
    if (Array.isArray(value)) return shapeList(type.ofType, value, pointer, shaping);
    return shaping.singleIsList ? [shape(type.ofType, value, pointer, shaping)] : misfit(pointer, 'Must be a list.', problems);
  }
  if (isInputObjectType(type)) return shapeObject(type, value, pointer, shaping);
  try {
    return type.parseValue(value);
  } catch {
    return misfit(pointer, leafForm(type), problems);
  }
}

function shapeList(type: GraphQLInputType, items: readonly unknown[], pointer: string, shaping: Shaping): unknown[] {
  const shaped: unknown[] = [];
  for (const [index, item] of items.entries()) {
    // Enough to fill the answer: a body of a hundred thousand bad elements must not keep everybody else waiting.
    if (shaping.problems.length >= MAX_PROBLEMS) break;
    shaped.push(shape(type, item, `${pointer}/${index}`, shaping));
  }
  return shaped;
}

function shapeObject(type: GraphQLInputObjectType, value: unknown, pointer: string, shaping: Shaping): unknown {
  const { problems } = shaping;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return misfit(pointer, 'Must be an object.', problems);
  const fields = type.getFields();
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(fields, name)) continue;
    if (problems.length >= MAX_PROBLEMS) break;
    const where = FIELD_NAME.test(name) ? `${pointer}/${name}` : pointer;
    problems.push({ pointer: where, code: 'unknown_field', detail: `Is not known here; known are ${Object.keys(fields).join(', ')}.` });
  }
  const target = inputClassOf(type);
  const shaped: Record<string, unknown> = target ? (new target() as Record<string, unknown>) : {};
  for (const field of Object.values(fields)) {
    const own = Object.hasOwn(given, field.name) ? given[field.name] : field.defaultValue;
    const item = shape(field.type, own, `${pointer}/${field.name}`, shaping);
    if (item !== undefined) shaped[field.name] = item;
  }
  return shaped;
}

function misfit(pointer: string, detail: string, problems: FieldProblem[]): undefined {
  problems.push({ pointer, code: 'wrong_type', detail });
  return undefined;
}

function leafForm(type: GraphQLLeafType): string {
  if (isEnumType(type)) return `Must be one of ${type.getValues().map(({ name }) => name).join(', ')}.`;
  return FORMS[type.name] ?? `Must be a ${type.name}.`;
}

const FORMS: Readonly<Record<string, string>> = {
  Int: 'Must be an integer.',
  Float: 'Must be a number.',
  String: 'Must be a text.',
  ID: 'Must be a text.',
  Boolean: 'Must be true or false.',
  UUID: 'Must be a UUID.',
  LocalDate: 'Must be a calendar date, YYYY-MM-DD.',
  CountryCode: 'Must be an ISO 3166 country code of two capital letters.',
  Currency: 'Must be an ISO 4217 currency code.',
  DateTimeISO: 'Must be an instant with its zone, such as "2026-01-31T12:00:00.000Z".',
  Decimal: 'Must be a decimal number in a text, such as "1250.00".',
};
