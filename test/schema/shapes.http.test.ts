import { afterAll, expect, test } from '@jest/globals';
import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLType,
} from 'graphql';
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
  ).toEqual(['ClockMove.now', 'ProgramOverview.asOf', 'SimulatedClock.now']);
  expect(ofType('LocalDateTime').filter(name => !name.endsWith('AtLocal'))).toEqual([]);
  expect(
    ofType('LocalDate')
      .filter(name => !name.endsWith('On'))
      .toSorted(),
  ).toEqual([
    'Beneficiary.dateOfBirth',
    'Customer.dateOfBirth',
    'DailyBalance.date',
    'OverviewDay.date',
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
});

test('a mutation takes one input and gives a payload, both of its own name, that says if it is a replay', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(mutations.length).toBeGreaterThan(40);
  const wrong = mutations.filter(({ name, args, type }) => {
    const own = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const [input, ...others] = args;
    const isInput = others.length === 0 && input?.name === 'input' && isInputObjectType(getNamedType(input.type));
    // Simulations share the inputs of what they simulate.
    const isOwn = name.startsWith('simulate') || getNamedType(input?.type as GraphQLInputType).name === `${own}Input`;
    const replayed = isObjectType(type) ? type.getFields()['replayed'] : undefined;
    return (
      !isInput ||
      !isOwn ||
      !isObjectType(type) ||
      type.name !== `${own}Payload` ||
      String(replayed?.type) !== 'Boolean!'
    );
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('what moves money or rights can be tried, and what overwrites a record can expect its version', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const fieldsOf = ({ args }: GraphQLField<unknown, unknown>): readonly string[] => {
    const type = getNamedType(args[0]?.type as GraphQLInputType);
    return isInputObjectType(type) ? Object.keys(type.getFields()) : [];
  };
  const without = (field: string, isMeant: RegExp): string[] =>
    mutations
      .filter(one => isMeant.test(one.name) && !one.name.startsWith('simulate') && !fieldsOf(one).includes(field))
      .map(({ name }) => name);
  expect(
    without('dryRun', /(Account|AccountOwners|Beneficiary|Card|Hold|Transfers?|Transactions?|Limits|Program)$/),
  ).toEqual([]);
  expect(without('expectedVersion', /^(update|set)/)).toEqual([]);
});

test('lists are named in the plural and counts end in Count', () => {
  const all = types.flatMap(type =>
    isObjectType(type) || isInputObjectType(type)
      ? Object.values(type.getFields()).map(field => ({
          where: `${type.name}.${field.name}`,
          name: field.name,
          of: field.type,
        }))
      : [],
  );
  const lists = all.filter(({ where, of }) => isListType(getNullableType(of)) && !where.startsWith('_'));
  // A verb, mass nouns, thresholds by currency, which are above something, and two words of the contract.
  const isPlural =
    /(s|people|rejected|leftOut|metadata)$|^(search|skip|additionalInformation|viewBox|\w+Above|lineItem|email)$/;
  expect(lists.filter(({ name }) => !isPlural.test(name)).map(({ where }) => where)).toEqual([]);
  const counts = all.filter(({ of }) => String(getNullableType(of)) === 'Int');
  expect(
    counts
      .map(({ where }) => where)
      .filter(where => /\.(events|captures|accounts|forms|transactions|statements|documents|lines)$/.test(where)),
  ).toEqual([]);
});

/** Ids of records; those of taxpayers, clients and requests are texts of others. */
const RECORD_ID =
  /\.id$|(account|customer|beneficiary|card|hold|transaction|transfer|statement|approval|endpoint|delivery|run|session|note|revocation|event|program|filing)Ids?$/i;

test('an id is an ID, whoever assigned it', () => {
  const ids = types.flatMap(type =>
    isObjectType(type) || isInputObjectType(type)
      ? Object.values(type.getFields()).map(field => ({
          where: `${type.name}.${field.name}`,
          of: getNamedType(field.type as GraphQLType).name,
        }))
      : [],
  );
  const wrong = ids.filter(({ where, of }) => RECORD_ID.test(where) && of !== 'ID');
  expect(wrong.map(({ where }) => where)).toEqual([]);
});

test('the values of enums are named as they are in the database, so they are sent as they are', async () => {
  const values = await servedBy(gateway).enumValues();
  expect(values.length).toBeGreaterThan(200);
  expect(values.filter(({ name, value }) => value !== name)).toEqual([]);
});
