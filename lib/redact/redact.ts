import { types } from 'node:util';
import { redactText } from './redact-text.js';

const REDACTED = '[redacted]';
const MAX_DEPTH = 8;
const MAX_ENTRIES = 100;
/** The number of values that one copy has, on all levels together. */
const MAX_VALUES = 2000;

/**
 * A copy that may be logged: plain JSON data without secrets and personal data, found by the names of fields and by
 * what texts look like. Errors keep type, message, code, stack and cause only: those of PostgreSQL carry whole rows in
 * `detail`, `where`, `parameters` and `query`. What is too deep, too long, circular or unreadable is replaced by a word
 * that says so. Never throws, never changes what it is given.
 */
export function redact(value: unknown): unknown {
  return copy(value, { parents: [], left: MAX_VALUES });
}

/** True for an error, also one of another realm, for which `instanceof` is false. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

interface Walk {
  /** The objects around this one. */
  readonly parents: object[];
  left: number;
}

function copy(value: unknown, walk: Walk): unknown {
  if (--walk.left < 0) return '[too much]';
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'number':
      return redactNumber(value);
    case 'bigint':
      return redactText(String(value));
    case 'symbol':
    case 'function':
      return `[${typeof value}]`;
    case 'object':
      return value === null ? null : copyObject(value, walk);
    default:
      return value;
  }
}

/**
 * A card number may be a JSON number. Times in milliseconds (until 2033) stay: chance would hide one in ten of them.
 */
function redactNumber(number: number): unknown {
  if (!Number.isInteger(number) || Math.abs(number) < 2e12) return number;
  const text = String(Math.abs(number));
  const redacted = redactText(text);
  return redacted === text ? number : redacted;
}

function copyObject(value: object, walk: Walk): unknown {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return '[bytes]';
  if (walk.parents.includes(value)) return '[circular]';
  if (walk.parents.length >= MAX_DEPTH) return '[too deep]';
  walk.parents.push(value);
  try {
    return copyInside(value, walk);
  } catch {
    // A getter or a proxy threw. A log line is no reason to fail a request.
    return '[unreadable]';
  } finally {
    walk.parents.pop();
  }
}

function copyInside(value: object, walk: Walk): unknown {
  if (isError(value)) return copyError(value, walk);
  if (Array.isArray(value)) return copyList(value, walk);
  if (types.isSet(value)) return copyList([...value], walk);
  if (types.isMap(value)) {
    return copyEntries(
      [...value].map(([key, item]) => [typeof key === 'string' ? key : '[key]', item]),
      walk,
    );
  }
  if (hasJson(value)) return copy(value.toJSON(), walk);
  if (types.isBoxedPrimitive(value)) return copy(value.valueOf(), walk);
  return copyEntries(Object.entries(value), walk);
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function copyList(items: readonly unknown[], walk: Walk): unknown[] {
  const copied = items.slice(0, MAX_ENTRIES).map(item => copy(item, walk));
  return items.length > MAX_ENTRIES ? [...copied, `[${items.length - MAX_ENTRIES} more]`] : copied;
}

function copyEntries(entries: readonly [string, unknown][], walk: Walk): Record<string, unknown> {
  const copied = entries.slice(0, MAX_ENTRIES).map(([name, value]): [string, unknown] => {
    const verdict = judgeName(name);
    const hide =
      value !== null && value !== undefined && (verdict.sensitive || (verdict.name && typeof value === 'object'));
    return [verdict.shown, hide ? REDACTED : copy(value, walk)];
  });
  if (entries.length > MAX_ENTRIES) copied.push(['[more]', entries.length - MAX_ENTRIES]);
  return Object.fromEntries(copied);
}

function copyError(error: Error, walk: Walk): Record<string, unknown> {
  // The types are a convention: a library may set these to anything.
  const { name, message, stack, cause }: Partial<Record<keyof Error, unknown>> = error;
  const code = 'code' in error ? error.code : undefined;
  // Few classes set `name`, but every constructor has one.
  const type = redactText(textOf(error.constructor?.name) || textOf(name) || 'Error');
  const said = redactText(isSqlState(code) ? withoutQuotedValues(textOf(message)) : textOf(message));
  return {
    type,
    message: said,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: copy(code, walk) } : {}),
    ...(typeof stack === 'string' ? { stack: redactText([`${type}: ${said}`, ...frames(stack)].join('\n')) } : {}),
    ...(cause !== undefined ? { cause: copy(cause, walk) } : {}),
    // Where several attempts failed, such as to connect to each address of a host, only these say why.
    ...(error instanceof AggregateError ? { errors: copyList(error.errors, walk) } : {}),
  };
}

/** The stack without its first lines, which repeat the message as it was before redaction. */
function frames(stack: string): string[] {
  return stack.split('\n').filter(line => /^\s+at /.test(line));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isSqlState(code: unknown): boolean {
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
}

/**
 * PostgreSQL quotes bad input behind a colon (`invalid input syntax for type date: "..."`), and names of objects
 * without one.
 */
function withoutQuotedValues(message: string): string {
  return message.replace(/: ".*"/gs, `: "${REDACTED}"`).replace(/'[^']*'/g, `'${REDACTED}'`);
}

/**
 * Fields whose values are never logged. Names are compared in lower case without `_`, `-` and the like, so `taxId`,
 * `tax_id` and `TAX-ID` are one.
 */

/** The whole name: short words that are harmless inside of others (`pin` in `shipping`, `number` in `pageNumber`). */
const WHOLE_NAMES: ReadonlySet<string> = new Set([
  'number',
  'pan',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'pin',
  'newpin',
  'oldpin',
  'pinblock',
  'expiration',
  'ssn',
  'itin',
  'ein',
  'iban',
  'dob',
  'birthday',
  'address',
  'addresses',
  'homeaddress',
  'mailingaddress',
  'billingaddress',
  'shippingaddress',
  'street',
  'postalcode',
  'zip',
  'zipcode',
  'firstname',
  'middlename',
  'lastname',
  'fullname',
  'maidenname',
  'holdername',
  'nameoncard',
  'embossedname',
]);

/**
 * Any part of the name: words that say the same in every company (`newPassword`, `x-idempotency-key`, `emailAddress`).
 */
const PARTS = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'privatekey',
  'fieldkeys',
  'idempotencykey',
  'taxid',
  'governmentid',
  'dateofbirth',
  'birthdate',
  'cardnumber',
  'accountnumber',
  'securitycode',
  'cardholdername',
  'email',
  'phone',
  'addressline',
];
const ANY_PART = new RegExp(`${PARTS.join('|')}|^line[1-9]$`);

/** The way in which the name of a field is shown, and whether its value is. */
interface FieldDisplay {
  readonly shown: string;
  readonly sensitive: boolean;
  /** Ends in `name`. Commands and errors have names too, but only a person's is an object. */
  readonly name: boolean;
}

/** The verdicts so far, as all lines have the same few dozen names. Bounded, as names can come from outside. */
const verdicts = new Map<string, FieldDisplay>();
const MAX_VERDICTS = 2000;
const MAX_NAME_CHARACTERS = 100;

function judgeName(name: string): FieldDisplay {
  const earlier = verdicts.get(name);
  if (earlier !== undefined) return earlier;
  const word = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const verdict = {
    shown: redactText(name),
    sensitive: WHOLE_NAMES.has(word) || ANY_PART.test(word),
    name: word.endsWith('name'),
  };
  if (verdicts.size < MAX_VERDICTS && name.length <= MAX_NAME_CHARACTERS) verdicts.set(name, verdict);
  return verdict;
}
