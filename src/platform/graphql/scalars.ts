import { GraphQLScalarType } from 'graphql';
import { GraphQLCountryCode, GraphQLCurrency, GraphQLDateTimeISO, GraphQLLocalDate, GraphQLUUID } from 'graphql-scalars';

export { GraphQLCountryCode as CountryCode, GraphQLCurrency as Currency, GraphQLDateTimeISO as DateTimeISO, GraphQLLocalDate as LocalDate };

const uuidConfig = GraphQLUUID.toConfig();

/** A UUID in lower case however it was written, so that one id is one text everywhere (RFC 9562, section 4). */
export const UUID = new GraphQLScalarType<string, string>({
  ...uuidConfig,
  description: 'A UUID (RFC 9562), for example "7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11". Answers have it in lower case.',
  parseValue: value => String(uuidConfig.parseValue(value)).toLowerCase(),
  parseLiteral: (node, variables) => String(uuidConfig.parseLiteral(node, variables)).toLowerCase(),
});

const DECIMAL = /^-?(0|[1-9]\d{0,17})(\.\d{1,4})?$/;

function decimal(value: unknown): string {
  if (typeof value !== 'string' || !DECIMAL.test(value)) throw new TypeError('A decimal number is written as a text such as "1250.00".');
  return value;
}

/** Money and other exact numbers: a text, since a JSON number would pass through binary floating point. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description: 'An exact decimal number as a text, for example "1250.00". Amounts have the digits of their currency.',
  serialize: decimal,
  parseValue: decimal,
});
