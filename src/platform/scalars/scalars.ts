import { GraphQLID, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import {
  GraphQLCountryCode,
  GraphQLCurrency,
  GraphQLDateTimeISO,
  GraphQLJSONObject,
  GraphQLLocalDate,
  GraphQLLocalDateTime,
  GraphQLUUID,
} from 'graphql-scalars';
import { isDay, utcInstantOf } from '../../shared/calendar.js';
import { CURRENCIES } from '../../shared/codes.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { MetadataChange } from '../../shared/metadata.js';

export const CountryCode = inCapitals(GraphQLCountryCode, {
  description: 'A country (ISO 3166-1 alpha-2), such as `US`.',
  specifiedByURL: 'https://www.iso.org/iso-3166-country-codes.html',
  // The library has XK as well, which ISO leaves to its users.
  pattern: (GraphQLCountryCode.extensions['jsonSchema'] as { readonly pattern: string }).pattern.replace('XK|', ''),
});

// The library's list lacks currencies of today, and has some that are gone.
export const Currency = inCapitals(GraphQLCurrency, {
  description: 'A currency (ISO 4217), such as `USD`.',
  specifiedByURL: 'https://www.iso.org/iso-4217-currency-codes.html',
  pattern: `^(${CURRENCIES.join('|')})$`,
});

const CAPITALS = /^[A-Z]{2,3}$/;

/**
 * A code as it is sent. The library accepts lower case, too, but codes are compared as text, so `jpy` would be another
 * currency than `JPY`. Records that have a code from before it was taken off the list still show it.
 */
function inCapitals(
  scalar: GraphQLScalarType<string, string>,
  { pattern, ...words }: { readonly description: string; readonly specifiedByURL: string; readonly pattern: string },
): GraphQLScalarType<string, string> {
  const config = scalar.toConfig();
  const codes = new RegExp(pattern);
  const checked = (value: unknown, form: RegExp): string => {
    if (typeof value === 'string' && form.test(value)) return value;
    throw new TypeError('A code must be a string of capital letters, such as "US" or "USD".');
  };
  return new GraphQLScalarType({
    ...config,
    ...words,
    extensions: { ...config.extensions, jsonSchema: { title: scalar.name, type: 'string', pattern } },
    serialize: value => checked(value, CAPITALS),
    parseValue: value => checked(value, codes),
    parseLiteral: node => checked(node.kind === Kind.STRING ? node.value : undefined, codes),
  });
}

export const JSONObject = new GraphQLScalarType({
  ...GraphQLJSONObject.toConfig(),
  description: 'A JSON object (RFC 8259), such as `{"last4":"4242"}`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
});

function metadataOf(value: unknown): MetadataChange {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMap && Object.values(value).every(text => typeof text === 'string' || text === null)) {
    return { ...(value as MetadataChange) };
  }
  throw new TypeError('Metadata must be an object of texts, such as {"ledger":"77-A"}.');
}

/**
 * Pairs of keys and texts as one value, in place of a list of pairs: a client's cache replaces it as a whole, its types
 * are those of a map, and it is the same over REST.
 */
export const MetadataScalar = new GraphQLScalarType<MetadataChange, MetadataChange>({
  name: 'Metadata',
  description:
    'A JSON object (RFC 8259) of up to 50 short texts by their keys, such as `{"ledger":"77-A"}`. In an input, null removes a key.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: metadataOf,
  parseValue: metadataOf,
  parseLiteral: (node, variables) => metadataOf(valueFromASTUntyped(node, variables)),
});

function dayOf(value: unknown): string {
  if (typeof value === 'string' && isDay(value)) return value;
  throw new TypeError('A day must be a string such as "2026-03-31".');
}

export const LocalDate = new GraphQLScalarType<string, string>({
  ...GraphQLLocalDate.toConfig(),
  description: 'A day (full-date of RFC 3339), such as `2026-03-31`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: dayOf,
  parseValue: dayOf,
  parseLiteral: node => dayOf(node.kind === Kind.STRING ? node.value : undefined),
});

const uuidConfig = GraphQLUUID.toConfig();

/**
 * The type of a field or an argument whose value is a UUID. Clients know one type of ids: the schema has `ID` for it
 * (`SCALARS_OF_CLASSES`), and what they send is read by `UuidScalar`.
 */
export class UUID {}

/** The scalars that stand in the schema for classes, as Type-GraphQL takes them. */
export const SCALARS_OF_CLASSES = [{ type: UUID, scalar: GraphQLID }];

/** A UUID in lower case however it was written, so that one id is one text everywhere (RFC 9562, section 4). */
export const UuidScalar = new GraphQLScalarType<string, string>({
  ...uuidConfig,
  description: 'A UUID (RFC 9562) in lower case, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  serialize: value => (typeof value === 'string' && UUID_TEXT.test(value) ? value : uuidConfig.serialize(value)),
  parseValue: value => uuidConfig.parseValue(value).toLowerCase(),
  parseLiteral: (node, variables) => uuidConfig.parseLiteral(node, variables).toLowerCase(),
});

const DECIMAL = /^-?(0|[1-9]\d{0,17})(\.\d{1,4})?$/;

/** Every decimal number of at most so many digits is another one in binary floating point, as JSON numbers are read. */
const EXACT_DIGITS = 15;

function decimal(value: unknown): string {
  if (typeof value === 'string' && DECIMAL.test(value)) return value;
  throw new TypeError('A decimal number must be a number or a string such as "1250.00".');
}

function decimalSent(value: unknown): string {
  if (typeof value !== 'number') return decimal(value);
  const text = decimal(String(value));
  if (text.replaceAll(/\D/g, '').length > EXACT_DIGITS) throw new TypeError('A longer number must be a string.');
  return text;
}

/** Money and other exact numbers. Sent as a string, and taken as a JSON number as well where that is exact. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description: `An exact number as a string, such as \`1250.00\`, with the digits of its currency. A JSON number of up to ${EXACT_DIGITS} digits is taken as well.`,
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  serialize: decimal,
  parseValue: decimalSent,
  // The digits of a literal are a text in the document, so all of them are exact.
  parseLiteral: node => decimal('value' in node ? node.value : undefined),
});

const localConfig = GraphQLLocalDateTime.toConfig();

/** Resolvers return local times in this form. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

export const LocalDateTime = new GraphQLScalarType<string, string>({
  ...localConfig,
  description: "A time in the account's zone (ISO 8601), such as `2026-03-31T14:05:00`.",
  specifiedByURL: 'https://www.iso.org/iso-8601-date-and-time-format.html',
  serialize: value => (typeof value === 'string' && LOCAL.test(value) ? value : localConfig.serialize(value)),
});

/** Resolvers return instants in this form; a client may send another offset or fewer digits. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function instantOf(value: unknown): string {
  const instant = typeof value === 'string' ? utcInstantOf(value) : null;
  if (instant === null) throw new TypeError('A date and time must be a string such as "2026-01-31T12:00:00.000Z".');
  return instant;
}

export const DateTimeISO = new GraphQLScalarType<string, string>({
  ...GraphQLDateTimeISO.toConfig(),
  description: 'An instant (RFC 3339), such as `2026-03-31T18:05:00.000Z`: in UTC, and accepted with any offset.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: value => (typeof value === 'string' && INSTANT.test(value) ? value : instantOf(value)),
  parseValue: instantOf,
  parseLiteral: node => instantOf(node.kind === Kind.STRING ? node.value : undefined),
});

function bytesOf(value: unknown): Buffer {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  // Node.js skips what is not base64, so a string is base64 if its bytes give the same string again.
  if (bytes.toString('base64') !== value) {
    throw new TypeError('Bytes must be base64 with padding and without line breaks.');
  }
  return bytes;
}

export const Base64 = new GraphQLScalarType<Buffer, string>({
  name: 'Base64',
  description: 'Base64 (RFC 4648, section 4) with padding, such as `JVBERi0xLjcK`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
  serialize: value => (value as Buffer).toString('base64'),
  parseValue: bytesOf,
});
