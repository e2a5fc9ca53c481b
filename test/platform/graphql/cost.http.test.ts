import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getIntrospectionQuery } from 'graphql';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { entries, posting } from '../../transaction/support/ledger.js';
import { graphqlSettings } from './settings.js';
import { rounds } from '../../support/rounds.js';

/** Answers everything. */
let open: TestGateway;
/** Refuses whatever reads a record, and says what it would cost. */
let strict: TestGateway;
let program: string;
beforeAll(async () => {
  open = await startTestGateway(graphqlSettings({ GRAPHQL_MAX_COST: '1000000' }));
  strict = await startTestGateway(graphqlSettings({ GRAPHQL_MAX_COST: '1' }));
  program = open.given.program();
  for (let index = 0; index < 3; index++) {
    const given = await open.given.account({ program });
    await open.given.beneficiary({ of: given });
    await posting(open, given, entries(index * 4));
  }
});
afterAll(async () => {
  await open.stop();
  await strict.stop();
});

async function costOf(query: string, variables: object = {}): Promise<number | undefined> {
  const answer = await strict.as(await strict.caller({ program })).graphql(query, variables);
  if (!answer.errors) return 1;
  expect(answer.errors).toEqual([
    {
      message: expect.stringContaining('the limit is 1.'),
      locations: expect.anything(),
      extensions: { code: 'QUERY_TOO_COSTLY', cost: expect.any(Number), limit: 1, requestId: expect.any(String) },
    },
  ]);
  return answer.errors[0].extensions.cost;
}

const NODES = (first: string) => `{ accounts(first: ${first}) { nodes { accountId } } }`;
const PAGED =
  'query ($first: Int, $last: Int) { account(accountId: "a") { transactions(first: $first, last: $last) { nodes { amount } } } }';
const LISTED =
  'query ($ids: [ID!], $first: Int = 100) { accounts(first: $first, filter: { accountIds: $ids }) { nodes { accountId } } }';
const FILTERED = 'query ($filter: AccountFilter) { accounts(first: 100, filter: $filter) { nodes { accountId } } }';
const OWNERS =
  'mutation ($ids: [ID!]!) { addAccountOwners(input: { accountId: "a", customerIds: $ids }) { results { customerId owner { customerId } } } }';
const VALUES = [
  'id',
  'accountId',
  'accountType',
  'currency',
  'timeZone',
  'status',
  'openedOn',
  'interestBearing',
  'availableBalance',
  'version',
  'updatedAt',
  'closedAt',
  'metadata',
  'restriction { reason restrictedAt }',
  'balances { currency posted available held overdraftLimit }',
];
const BY_IDS = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Account { currency } ... on Card { last4 } } }';
const ONE_OF_SEVERAL = `{ node(id: "a") { id ... on Account { id a: id ${VALUES.join(' ')} } ... on Card { id last4 type } } }`;
const aliased = (fields: readonly string[]) =>
  fields.flatMap(field => Array.from({ length: 15 }, (_, n) => `${field.split(' ')[0]}${n}: ${field}`)).join(' ');
const UUIDS = Array.from({ length: 7 }, () => '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11');

test('a question about the whole schema costs what it takes, and the usual one of tools is within the limit', async () => {
  const cost = await costOf(getIntrospectionQuery());
  expect(cost).toBeGreaterThan(100);
  expect(cost).toBeLessThan(graphqlSettings({}).graphql.limits.maxCost);
});

test.each<[number, string, string, object]>([
  [11, 'a page has ten records unless it says otherwise', '{ accounts { nodes { accountId } } }', {}],
  [2, 'a page without its records costs one read, and its total another', '{ accounts { totalCount } }', {}],
  [
    21,
    'records are counted wherever they are asked for',
    '{ accounts { nodes { accountId } edges { node { accountId } } } }',
    {},
  ],
  [5, 'as many as first', NODES('4'), {}],
  [101, 'but no page is larger than a hundred', NODES('2147483647'), {}],
  [11, 'null for first is the same as nothing', NODES('null'), {}],
  [11, 'what is no size costs as much as nothing', NODES('-5'), {}],
  [8, 'variables count', PAGED, { first: 6 }],
  [12, 'absent variables too', PAGED, {}],
  [12, 'and null', PAGED, { first: null, last: null }],
  [102, 'and what is huge', PAGED, { first: 2_000_000_000 }],
  [7, 'last counts where both are given', PAGED, { first: 90, last: 5 }],
  [101, 'the default of a variable counts', LISTED, {}],
  [3, 'no more records than ids', LISTED, { ids: ['a', 'b'] }],
  [2, 'one id in the place of a list is one', LISTED, { ids: 'a' }],
  [6, 'and no more than the page holds', LISTED, { ids: Array.from({ length: 50 }, () => 'a'), first: 5 }],
  [101, 'null for the ids is the same as none', LISTED, { ids: null }],
  [4, 'ids in a filter that is a variable', FILTERED, { filter: { accountIds: ['a', 'b', 'c'] } }],
  [101, 'a filter without ids bounds nothing', FILTERED, { filter: { statuses: ['OPEN'] } }],
  [
    5,
    'a list without pages is short',
    '{ account(accountId: "a") { owners { customerId name { first } contact { email } } } }',
    {},
  ],
  [17, 'a write costs ten, and the list in its answer counts as three', OWNERS, { ids: UUIDS }],
  [
    241,
    'lists inside of lists multiply',
    '{ accounts(first: 20) { nodes { beneficiaries(first: 4) { nodes { taxId } } transactions(first: 5) { nodes { amount } } } } }',
    {},
  ],
  [
    10_201,
    'a hundred times a hundred',
    '{ accounts(first: 100) { nodes { transactions(first: 100) { nodes { amount } } } } }',
    {},
  ],
  [111, 'aliases add up', '{ a: accounts { nodes { accountId } } b: accounts(first: 99) { nodes { accountId } } }', {}],
  [11, 'every value of a record may be asked for once', `{ accounts { nodes { ${VALUES.join(' ')} } } }`, {}],
  [
    151,
    'what aliases ask for fifteen times over costs fifteen times',
    `{ accounts { nodes { ${aliased(VALUES)} } } }`,
    {},
  ],
  [
    191,
    'wherever a fragment writes it',
    `{ accounts { nodes { owners { customerId } ...F } } } fragment F on Account { ${aliased(VALUES)} }`,
    {},
  ],
  [
    11,
    'what is selected twice is read once',
    '{ accounts { nodes { accountId } ...F } accounts { nodes { currency } } } fragment F on AccountConnection { nodes { status } }',
    {},
  ],
  [
    11,
    'what a directive leaves out today counts',
    '{ accounts { nodes @skip(if: true) { accountId } pageInfo { hasNextPage } } }',
    {},
  ],
  [7, 'records by their ids are a list of as many', BY_IDS, { ids: UUIDS.slice(1) }],
  [2, 'of records of several types the type counts of which most is asked', ONE_OF_SEVERAL, {}],
  [1, 'the name of a type costs what the least costs', '{ __type(name: "Account") { name } }', {}],
])('%i: %s', async (cost, _rule, query, variables) => {
  expect(await costOf(query, variables)).toBe(cost);
});

// --- any operation

const size = fc.option(fc.integer({ min: 1, max: 5 }), { nil: null });
const page = (name: string, fields: string) =>
  fc.record({ first: size, edges: fc.boolean(), both: fc.boolean() }).map(({ first, edges, both }) => {
    const inside = [edges || both ? `edges { node { ${fields} } }` : '', !edges || both ? `nodes { ${fields} }` : ''];
    return { text: `${name}(first: ${first}) { ${inside.join(' ')} }`, name };
  });
const child = fc.oneof(
  page('beneficiaries', 'beneficiaryId name { first }'),
  page('transactions', 'transactionId additionalInformation { key }'),
  page('statements', 'statementId'),
  fc.constant({ text: 'owners { customerId name { first } contact { email } }', name: 'owners' }),
  fc.constant({ text: 'cards { cardId }', name: 'cards' }),
);
const account = fc
  .array(child, { maxLength: 4 })
  .map(children => ['accountId', ...children.map(({ text, name }, index) => `${name}${index}: ${text}`)].join(' '));
const operation = fc
  .array(
    account.chain(fields => page('accounts', fields)),
    { minLength: 1, maxLength: 3 },
  )
  .map(roots => `{ ${roots.map(({ text }, index) => `a${index}: ${text}`).join(' ')} }`);

/** How many records an answer holds: objects with an id. */
function recordsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((total, item) => total + recordsIn(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const isRecord = Object.keys(value).some(key => key.endsWith('Id'));
  return Object.values(value).reduce<number>((total, item) => total + recordsIn(item), isRecord ? 1 : 0);
}

test('no answer holds more records than its operation may cost, whatever it asks for', async () => {
  const caller = open.as(await open.caller({ program }));
  await fc.assert(
    fc.asyncProperty(operation, async query => {
      const { data, errors } = await caller.graphql(query);
      expect(errors).toBeUndefined();
      const records = recordsIn(data);
      expect(records).toBeGreaterThan(0);
      expect(await costOf(query)).toBeGreaterThan(records);
    }),
    { numRuns: rounds(60) },
  );
});

test('an operation costs the same with variables as with literals', async () => {
  await fc.assert(
    fc.asyncProperty(
      size,
      size,
      fc.option(fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 }), { nil: null }),
      async (one, two, named) => {
        const query = (first: unknown, filter: unknown, inner: unknown): string =>
          `{ accounts(first: ${String(first)}, filter: { accountIds: ${String(filter)} }) { nodes { transactions(first: ${String(inner)}) { nodes { amount } } } } }`;
        const literal = await costOf(query(one, JSON.stringify(named), two));
        const variable = `query ($one: Int, $named: [ID!], $two: Int) ${query('$one', '$named', '$two')}`;
        expect(await costOf(variable, { one, named, two })).toBe(literal);
      },
    ),
    { numRuns: rounds(60) },
  );
});

// --- however it is written

/** A field with its arguments, the type that it gives, and what is selected inside. */
interface SelectedNode {
  readonly field: string;
  readonly type: string;
  readonly inner: readonly SelectedNode[];
}

const connection = (field: string, type: string, inside: fc.Arbitrary<SelectedNode[]>): fc.Arbitrary<SelectedNode> =>
  fc.tuple(fc.integer({ min: 1, max: 100 }), inside).map(([first, inner]) => ({
    field: `${field}(first: ${first})`,
    type: `${type}Connection`,
    inner: [{ field: 'nodes', type, inner }],
  }));
const leaf = (field: string): SelectedNode => ({ field, type: '', inner: [] });
const inner = fc
  .tuple(
    connection('transactions', 'Transaction', fc.constant([leaf('amount')])),
    connection(
      'beneficiaries',
      'Beneficiary',
      fc.constant([leaf('taxId'), { field: 'name', type: 'Name', inner: [leaf('first')] }]),
    ),
  )
  .chain(both => fc.subarray([...both, leaf('currency')], { minLength: 1 }));
const whole = connection('accounts', 'Account', inner).map(field => [field]);

function flat(selected: readonly SelectedNode[]): string {
  return selected
    .map(({ field, inner: inside }) => (inside.length > 0 ? `${field} { ${flat(inside)} }` : field))
    .join(' ');
}

/** The operation with its fields in fragments of all kinds, some of them twice. */
function folded(selected: readonly SelectedNode[], within: string, dice: () => number, fragments: string[]): string {
  const written = selected.map(({ field, type, inner: inside }) => {
    const text = inside.length > 0 ? `${field} { ${folded(inside, type, dice, fragments)} }` : field;
    const way = dice();
    if (way === 0) return `... { ${text} }`;
    if (way === 1) return `... on ${within} @include(if: true) { ${text} }`;
    if (way === 2) return `${text} ${text}`;
    if (way === 3 || fragments.length === 20) return text;
    const name = `F${fragments.length}`;
    fragments.push(`fragment ${name} on ${within} { ${text} }`);
    return `...${name} ...${name}`;
  });
  return written.join(' ');
}

test('an operation costs the same however its fields are put into fragments or repeated', async () => {
  await fc.assert(
    fc.asyncProperty(
      whole,
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 7, maxLength: 7 }),
      async (selected, dice) => {
        let thrown = 0;
        const fragments: string[] = [];
        const text = folded(selected, 'Query', () => dice[thrown++ % dice.length] as number, fragments);
        expect(await costOf(`{ ${text} } ${fragments.join(' ')}`)).toBe(await costOf(`{ ${flat(selected)} }`));
      },
    ),
    { numRuns: rounds(100) },
  );
});
