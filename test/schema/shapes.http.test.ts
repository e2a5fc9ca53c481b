import { afterAll, expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isObjectType, type GraphQLField } from 'graphql';
import { startTestGateway } from '../support/gateway.js';
import { servedBy, servedSchema } from '../support/served.js';

// With the sandbox, which adds to what production serves.
const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const schema = await servedSchema(gateway);
const types = Object.values(schema.getTypeMap());
const fields = types
  .filter(isObjectType)
  .flatMap(type => Object.values(type.getFields()).map(field => ({ name: `${type.name}.${field.name}`, field })))
  .filter(({ field }) => !field.deprecationReason);

const typeOf = ({ type }: GraphQLField<unknown, unknown>): string => getNamedType(type).name;
const ofType = (scalar: string): string[] =>
  fields.filter(({ field }) => typeOf(field) === scalar).map(({ name }) => name);

test('instants end in At, days in On, and times of the account in AtLocal, but for terms of the trade', () => {
  expect(
    ofType('DateTimeISO')
      .filter(name => !name.endsWith('At'))
      .toSorted(),
  ).toEqual(['ClockMove.now', 'SimulatedClock.now']);
  expect(ofType('LocalDateTime').filter(name => !name.endsWith('AtLocal'))).toEqual([]);
  expect(
    ofType('LocalDate')
      .filter(name => !name.endsWith('On'))
      .toSorted(),
  ).toEqual([
    'Beneficiary.dateOfBirth',
    'Customer.dateOfBirth',
    'DailyBalance.date',
    'RevealedPersonalData.dateOfBirth',
    'Statement.statementDate',
  ]);
});

test('an amount has its currency in the same object', () => {
  const withAmounts = types.filter(isObjectType).filter(type => {
    const all = Object.values(type.getFields());
    return all.some(field => typeOf(field) === 'Decimal') && !all.some(field => typeOf(field) === 'Currency');
  });
  expect(withAmounts.map(({ name }) => name)).toEqual([]);
  const texts = types
    .filter(isInputObjectType)
    .flatMap(type => Object.values(type.getFields()).map(({ name, type: of }) => ({ name, of: getNamedType(of).name })))
    .filter(
      ({ name, of }) => /^amount$|Amount$|Above$|^per[A-Z0-9]|Limit$/.test(name) && ['String', 'Float'].includes(of),
    );
  expect(texts).toEqual([]);
});

test('arguments begin with the account and the ids, the filter is before the page, and what may be left out is last', () => {
  const ORDER = [
    /^accountId$/,
    /Id$|^id$/,
    /^from$/,
    /^to$/,
    /^filter$/,
    /^order$/,
    /^first$/,
    /^after$/,
    /^last$/,
    /^before$/,
  ];
  const placeOf = (name: string): number => ORDER.findIndex(form => form.test(name));
  const wrong = fields.filter(({ field }) => {
    const places = field.args.map(({ name }) => placeOf(name)).filter(place => place >= 0);
    return places.some((place, index) => place < (places[index - 1] ?? 0));
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
  const late = fields.filter(({ field: { args } }) => {
    const [one, ...more] = args.toReversed().filter(({ name }) => name === 'dryRun');
    return one && (args.at(-1) !== one || more.length > 0);
  });
  expect(late.map(({ name }) => name)).toEqual([]);
});

test('the values of enums are named as they are in the database, so they are sent as they are', async () => {
  const values = await servedBy(gateway).enumValues();
  expect(values.length).toBeGreaterThan(200);
  expect(values.filter(({ name, value }) => value !== name)).toEqual([]);
});
