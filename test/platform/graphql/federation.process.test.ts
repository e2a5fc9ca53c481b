import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Scope } from '../../../src/shared/caller.js';
import { newCard } from '../../support/card.js';
import { scopesWithout, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { graphqlSettings } from './settings.js';

const ENTITIES = `query ($of: [_Any!]!) { _entities(representations: $of) { __typename
  ... on Account { accountId currency } ... on Card { cardId number } ... on Beneficiary { beneficiaryId taxId } } }`;
/** More often than it takes for a query to be compiled. */
const TIMES = 6;

let gateway: TestGateway;
let of: GivenAccount;
let card: string;
beforeAll(async () => {
  gateway = await startTestGateway(graphqlSettings({ FEDERATION: 'true' }));
  of = await gateway.given.account();
  await gateway.given.beneficiaries(of, 1);
  const made = await gateway.as(of.caller).rest.post('/cards/v1/cards', newCard(of.account, of.owners[0] as string));
  card = made.body.cardId;
});
afterAll(() => gateway.stop());

const entities = (representations: readonly object[], token = of.caller) =>
  gateway.as(token).graphql(ENTITIES, { of: representations });
const accountOf = (accountId: string) => ({ __typename: 'Account', accountId });

test('the subgraph tells its schema with keys and shared types, and without the fields of routers', async () => {
  const { data } = await gateway.as(of.caller).graphql('{ _service { sdl } }');
  const sdl: string = data._service.sdl;
  const directives = `scalar Import
    directive @link(url: String, import: [Import]) on SCHEMA
    directive @key(fields: String) repeatable on OBJECT
    directive @shareable on OBJECT
    directive @authenticated on FIELD_DEFINITION
    directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION
    directive @cost(weight: Int!) on OBJECT | FIELD_DEFINITION
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean) on FIELD_DEFINITION`;
  const schema = buildSchema(`${sdl} ${directives}`);
  expect(schema.getType('_Any')).toBeUndefined();
  for (const line of [
    'type Account implements Node @key(fields: "id") @key(fields: "accountId")',
    'type Card implements Node @key(fields: "id") @key(fields: "accountId cardId")',
    'type Beneficiary implements Node @key(fields: "id")',
    'type Customer implements Node @key(fields: "id") @key(fields: "customerId")',
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@cost", "@listSize"])',
    '@refuses(codes: [ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, TOO_MANY_BENEFICIARIES])',
    'type PageInfo @shareable @cost(weight: 0)',
    'type Name @shareable',
    'type Address @shareable',
  ]) {
    expect(sdl).toContain(line);
  }
  // A router must know every specification that is `for: SECURITY`, and @apollo/gateway knows none of these.
  expect(sdl).not.toMatch(/@requiresScopes|@authenticated|federation__Scope/);
});

test('docs/federation.md names every entity with its keys, and every shared type', async () => {
  const { data } = await gateway.as(of.caller).graphql('{ _service { sdl } }');
  const page = await readFile(new URL('../../../docs/federation.md', import.meta.url), 'utf8');
  const named = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  const rows = [...page.matchAll(/^\| +(`.*?) +\| +(`id`.*?) +\|$/gm)];
  const told = rows.flatMap(([, types = '', keys = '']) =>
    named(types).map(type => `${type} has ${keys.split(';').length}`),
  );
  const served = [...data._service.sdl.matchAll(/^type (\w+)[^@{]*((?:@key\(fields: "[^"]*"\) ?)+)/gm)];
  expect(told.toSorted()).toEqual(
    served.map(([, type, keys = '']) => `${type} has ${keys.split('@key').length - 1}`).toSorted(),
  );
  const shared = [...data._service.sdl.matchAll(/^type (\w+)[^{]*@shareable/gm)].map(([, type]) => type as string);
  expect(named(/^(.*)are `@shareable`/m.exec(page)?.[1] ?? '').toSorted()).toEqual(shared.toSorted());
});

test('a subgraph tells routers that verify tokens which scopes its fields take', async () => {
  const telling = await startTestGateway(graphqlSettings({ FEDERATION: 'true', FEDERATION_AUTHORIZATION: 'true' }));
  try {
    const { data } = await telling.as(await telling.caller()).graphql('{ _service { sdl } }');
    for (const line of [
      'import: ["@key", "@shareable", "@authenticated", "@requiresScopes", "@cost", "@listSize"]',
      '@requiresScopes(scopes: [["operations.read"], ["operations"]])',
    ]) {
      expect(data._service.sdl).toContain(line);
    }
  } finally {
    await telling.stop();
  }
});

test('where introspection is off, the schema of the subgraph needs the scope operations.read', async () => {
  const hidden = await startTestGateway(graphqlSettings({ FEDERATION: 'true', GRAPHQL_INTROSPECTION: 'false' }));
  try {
    const sdlFor = async (scopes: readonly Scope[]) =>
      hidden.as(await hidden.caller({ scopes })).graphql('{ _service { sdl } }');
    const refused = await sdlFor(['accounts.read']);
    expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(JSON.stringify(refused)).not.toContain('type Account');
    expect((await sdlFor(['operations.read'])).data._service.sdl).toContain('type Account');
  } finally {
    await hidden.stop();
  }
});

test('entities come in the order of what stands for them, masked, by either key, and null where nothing is seen', async () => {
  const found = await gateway
    .as(of.caller)
    .graphql(
      'query ($id: ID!) { account(accountId: $id) { beneficiaries { nodes { id beneficiaryId taxId } } cards { id number } } }',
      {
        id: of.account,
      },
    );
  const { beneficiaries, cards } = found.data.account;
  const [{ id, ...beneficiary }] = beneficiaries.nodes;
  const elsewhere = await gateway.given.account({ program: unique('other') });
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { data, errors } = await entities([
      { __typename: 'Card', accountId: of.account, cardId: card },
      accountOf(of.account),
      { __typename: 'Beneficiary', id },
      accountOf(elsewhere.account),
      accountOf(unique('none')),
      { __typename: 'Account', id },
      { __typename: 'Account' },
      { __typename: 'Account', accountId: 7 },
      { __typename: 'Customer', customerId: randomUUID() },
      { __typename: 'Query', id: 'x' },
    ]);
    expect([errors, data]).toEqual([
      undefined,
      {
        _entities: [
          { __typename: 'Card', cardId: card, number: cards[0].number },
          { __typename: 'Account', accountId: of.account, currency: 'USD' },
          { __typename: 'Beneficiary', ...beneficiary },
          ...Array.from({ length: 7 }, () => null),
        ],
      },
    ]);
  }
});

test('an entity for which a scope is missing is null with an error, and the others are given', async () => {
  const token = await gateway.caller({ program: of.program, scopes: scopesWithout('cards.read') });
  const { data, errors } = await entities(
    [{ __typename: 'Card', accountId: of.account, cardId: card }, accountOf(of.account)],
    token,
  );
  expect(data._entities).toEqual([null, { __typename: 'Account', accountId: of.account, currency: 'USD' }]);
  expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'INSUFFICIENT_SCOPE' } }]);
});

test('entities are charged like a list, and their number is limited', async () => {
  const many = Array.from({ length: 1001 }, (_, at) => accountOf(`none-${at}`));
  const { errors } = await entities(many);
  expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY', cost: 1002, limit: 1000 } }]);
  const wide = await startTestGateway(graphqlSettings({ FEDERATION: 'true', GRAPHQL_MAX_COST: '5000' }));
  const caller = await wide.caller();
  const refused = await wide.as(caller).graphql(ENTITIES, { of: many });
  expect(refused.errors).toMatchObject([
    { extensions: { code: 'RULE_BROKEN', errors: [{ pointer: '/representations', code: 'size' }] } },
  ]);
  const allowed = await wide.as(caller).graphql(ENTITIES, { of: many.slice(1) });
  expect([allowed.errors, allowed.data._entities.length]).toEqual([undefined, 1000]);
  await wide.stop();
});

test.each([[7], ['x'], [{}], [{ __typename: 7 }]])('%j stands for nothing, and is refused', async representation => {
  const { status, errors } = await entities([representation as object]);
  expect([status, errors]).toMatchObject([400, [{ extensions: { code: 'INVALID_INPUT' } }]]);
});
