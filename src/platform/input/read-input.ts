import { GraphQLNonNull, OperationTypeNode, getNamedType, type GraphQLInputType } from 'graphql';
import type { ValidatorFn } from 'type-graphql';
import { InvalidInput, TooLarge, type FieldProblem } from '../../shared/errors.js';
import { repeatedName, sizeOfJson } from '../../shared/repeated-name.js';
import { inputClassOf, inputTypeOf, type InputClass } from './input.js';
import { brokenRule, ruledFields } from './rules.js';
import {
  FIELD_NAME,
  MAX_PROBLEMS,
  checkField,
  noFindings,
  shaperOf,
  unknownField,
  type Findings,
  type Shaper,
} from './shape.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The most names and values of a JSON text. What reads, checks and compares them takes about a microsecond for each, so
 * a text of any length holds up the process for some milliseconds at most.
 */
const MAX_JSON_VALUES = 20_000;

/**
 * The value of a JSON text in UTF-8. Throws `TooLarge` for more values than `MAX_JSON_VALUES`, `InvalidInput` if an
 * object has a name twice, and `SyntaxError` or `TypeError` if it is not JSON.
 */
export function valueOfJson(bytes: Uint8Array): unknown {
  const text = UTF8.decode(bytes);
  const size = sizeOfJson(text, MAX_JSON_VALUES);
  if (size.values > MAX_JSON_VALUES) {
    throw new TooLarge(`The JSON has more than ${MAX_JSON_VALUES} names and values. Send less at once.`);
  }
  const value = JSON.parse(text) as unknown;
  const path = repeatedName(text, value, size);
  if (path) {
    throw new InvalidInput('malformed', [
      { pointer: pointerTo(path), code: 'repeated', detail: 'The object contains this name twice. Send it once.' },
    ]);
  }
  return value;
}

/** Ends before a name that does not look like one of ours, since that may be personal data. */
function pointerTo(path: readonly (string | number)[]): string {
  const hidden = path.findIndex(step => typeof step === 'string' && !FIELD_NAME.test(step));
  return (hidden < 0 ? path : path.slice(0, hidden)).map(step => `/${step}`).join('');
}

const readers = new Map<InputClass, Shaper>();

/** Reads JSON as an input class. Throws `InvalidInput`, which names every bad field with its pointer into the JSON. */
export function readInput<T extends object>(target: InputClass<T>, json: unknown): T {
  return read(target, json, false);
}

/**
 * Reads a record of the REST contract, in a body or in a line of an import, as an input class. In the contract an
 * absent text is an empty one, so `""` and spaces alone mean null where null is allowed. Throws as `readInput`.
 */
export function readRecord<T extends object>(target: InputClass<T>, json: unknown): T {
  return read(target, json, true);
}

/** Reads what has nothing to say: only an empty object may be there. Throws `InvalidInput`. */
export function readNothing(json: unknown): void {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new InvalidInput('malformed', [{ pointer: '', code: 'wrong_type', detail: 'Must be an empty object.' }]);
  }
  const names = Object.keys(json).slice(0, MAX_PROBLEMS);
  refuseIfBad({ misshapen: names.map(name => unknownField([], '', name)), broken: [] });
}

function read<T extends object>(target: InputClass<T>, json: unknown, emptyIsNull: boolean): T {
  let reader = readers.get(target);
  if (!reader) {
    reader = shaperOf(new GraphQLNonNull(inputTypeOf(target)));
    readers.set(target, reader);
  }
  const findings = noFindings('json', { emptyIsNull });
  const value = reader(json, '', findings);
  refuseIfBad(findings);
  return value as T;
}

/**
 * Reads what GraphQL coerced to a type as its input classes. Throws `InvalidInput`, which names every broken rule. In
 * the input of a mutation an empty text, or one of spaces alone, means null where null is allowed, as in a record over
 * REST.
 */
export function readCoerced(type: GraphQLInputType, coerced: unknown, pointer: string, emptyIsNull = false): unknown {
  const findings = noFindings('coerced', { emptyIsNull });
  const value = shaperOf(type)(coerced, pointer, findings);
  refuseIfBad(findings);
  return value;
}

/**
 * Checks an argument by the rules of its input classes, for Type-GraphQL's `validateFn`. It is called for each argument
 * that a method takes, once Type-GraphQL has made the argument an instance of its class. Empty texts of mutations that
 * mean null are changed in that instance. Throws `InvalidInput`, whose pointers start at the arguments of the field.
 */
export const validateArgument: ValidatorFn = (value, type, { info }) => {
  if (value === null || typeof value !== 'object') return;
  const { args } = info.parentType.getFields()[info.fieldName] ?? { args: [] };
  // Type-GraphQL says the class of the argument and not its name; `@Args` classes have no argument of their own.
  const argument = args.find(candidate => inputClassOf(getNamedType(candidate.type)) === type);
  const isMutation = info.operation.operation === OperationTypeNode.MUTATION;
  if (argument) Object.assign(value, readCoerced(argument.type, value, `/${argument.name}`, isMutation));
  else refuseIfBad({ misshapen: [], broken: brokenRules(value, '') });
};

/** Throws `InvalidInput` if anything is wrong: malformed when the shape is, a broken rule otherwise. */
export function refuseIfBad({ misshapen, broken }: Pick<Findings, 'misshapen' | 'broken'>): void {
  if (misshapen.length > 0) throw new InvalidInput('malformed', [...misshapen, ...broken].slice(0, MAX_PROBLEMS));
  if (broken.length > 0) throw new InvalidInput('rule_broken', broken.slice(0, MAX_PROBLEMS));
}

/** Every rule that is broken by an input object, which is in its class, or by the objects and lists in it. */
export function brokenRules(value: unknown, pointer: string): FieldProblem[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => brokenRules(item, `${pointer}/${index}`));
  if (value === null || typeof value !== 'object' || value.constructor === Object) return [];
  // A document is one value; as an object it would have a field for each of its bytes.
  if (value instanceof Uint8Array) return [];
  const all = value as Record<string, unknown>;
  const prototype = Object.getPrototypeOf(value) as object;
  const findings = noFindings('coerced');
  for (const name of ruledFields(prototype)) checkField(prototype, name, all, pointer, findings);
  // The elements of a list that is too long are not checked.
  const inner = Object.entries(all)
    .filter(([name, item]) => brokenRule(prototype, name, item, all, 'first') === null)
    .flatMap(([name, item]) => brokenRules(item, `${pointer}/${name}`));
  return [...inner, ...findings.broken];
}
