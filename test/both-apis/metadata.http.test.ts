import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newHold } from '../hold/support/holds.js';
import { newCard } from '../support/card.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { explained } from '../support/explained.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { testUnless } from '../support/unless.js';
import { pairOf } from '../transfer/support/transfers.js';

const planned = testUnless(differsOnCitus('plans'));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const PAIRS = { ledger: '77-A', 'crm.id': 'c:4711' };

/** A record of each kind that has metadata, made over REST with these pairs. */
async function recordsWith(metadata: object) {
  const { program, caller, from, to } = await pairOf(gateway);
  const me = gateway.as(caller);
  const [owner] = from.owners as [string];
  const { body: customer } = await me.rest.post('/customers', { name: { last: 'Ashdown' }, metadata });
  const accountId = unique('acc');
  const made = {
    account: await me.rest.post('/accounts', {
      accountId,
      accountType: 'SAVINGS',
      currency: 'USD',
      timeZone: 'UTC',
      interestBearing: false,
      owners: [customer.customerId],
      metadata,
    }),
    card: await me.rest.post('/cards/v1/cards', newCard(from.account, owner, { metadata })),
    hold: await me.rest.post(`/accounts/${from.account}/holds`, { ...newHold(), amount: 1.5, metadata }),
    transfer: await me.rest.post('/transfers', {
      fromAccountId: from.account,
      toAccountId: to.account,
      transferId: unique('tr'),
      amount: 1,
      metadata,
    }),
  };
  return { program, me, from, customer, accountId, made };
}

const LISTS = `query ($filter: Metadata!, $a: ID!) {
  customers(filter: { metadata: $filter }) { totalCount nodes { id: customerId metadata } }
  accounts(filter: { metadata: $filter }) { totalCount nodes { id: accountId metadata } }
  transfers(filter: { metadata: $filter }) { totalCount nodes { id: transferId metadata } }
  account(accountId: $a) { holds(filter: { metadata: $filter }) { totalCount nodes { id: holdId metadata } }
    cards(filter: { metadata: $filter }) { id: cardId metadata } } }`;

test('records keep pairs of a program, and are found by them among the records of the program alone', async () => {
  const { me, from, customer, accountId, made } = await recordsWith(PAIRS);
  await recordsWith(PAIRS);
  const ids = {
    customers: customer.customerId,
    accounts: accountId,
    transfers: made.transfer.body.transferId,
    holds: made.hold.body.holdId,
    cards: made.card.body.cardId,
  };
  for (const { status, body } of Object.values(made)) expect([status, body.metadata]).toEqual([201, PAIRS]);
  expect(customer.metadata).toEqual(PAIRS);
  const found = async (filter: object) => {
    const { data, errors } = await me.graphql(LISTS, { filter, a: from.account });
    expect(errors).toBeUndefined();
    const { account, ...lists } = data;
    return { ...lists, holds: account.holds, cards: { totalCount: account.cards.length, nodes: account.cards } };
  };
  for (const filter of [PAIRS, { ledger: '77-A' }]) {
    for (const [name, list] of Object.entries(await found(filter))) {
      expect([name, list]).toEqual([
        name,
        { totalCount: 1, nodes: [{ id: ids[name as keyof typeof ids], metadata: PAIRS }] },
      ]);
    }
  }
  for (const filter of [{ ...PAIRS, ledger: '77-B' }, { other: 'x' }]) {
    for (const list of Object.values(await found(filter))) expect(list).toEqual({ totalCount: 0, nodes: [] });
  }
});

test('a patch sets keys, removes those that are null or empty, and null removes all', async () => {
  const { me, customer, accountId } = await recordsWith(PAIRS);
  const account = `/accounts/${accountId}`;
  for (const path of [account, `/customers/${customer.customerId}`]) {
    const patched = await me.rest.patch(path, { metadata: { ledger: null, 'crm.id': '', tier: 'gold' } });
    expect(patched.body.metadata).toEqual({ tier: 'gold' });
    const before = (await me.rest.get(path)).headers.etag;
    // Nothing changes, so the version stays.
    await me.rest.patch(path, { metadata: { tier: 'gold', ledger: null } });
    expect((await me.rest.get(path)).headers.etag).toBe(before);
    expect((await me.rest.patch(path, { metadata: null })).body.metadata).toEqual({});
  }
  const { data } = await me.graphql(
    'mutation ($id: ID!) { updateAccount(input: { accountId: $id, patch: { metadata: { tier: "silver", ledger: "9" } } }) { account { metadata } } }',
    { id: accountId },
  );
  expect(data.updateAccount.account).toEqual({ metadata: { ledger: '9', tier: 'silver' } });
  const filled = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`key${n}`, 'x']));
  const full = await me.rest.patch(account, { metadata: filled });
  expect([full.status, full.body.errors]).toMatchObject([422, [{ pointer: '/metadata', code: 'metadata' }]]);
});

test.each([
  ['a key of another form', { '4711': 'x' }, 422, 'metadata'],
  ['a key of 41 characters', { [`k${'x'.repeat(40)}`]: 'x' }, 422, 'metadata'],
  ['a text of 501 characters', { key: 'x'.repeat(501) }, 422, 'metadata'],
  ['a text with what cannot be printed', { key: 'a\u0007b' }, 422, 'metadata'],
  ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`key${n}`, 'x'])), 422, 'metadata'],
  ['a number', { key: 7 }, 400, 'wrong_type'],
  ['a list', ['x'], 400, 'wrong_type'],
])('%s is refused, alike over both APIs', async (_what, metadata, status, code) => {
  const me = gateway.as(await gateway.caller({ program: gateway.given.program() }));
  const answer = await me.rest.post('/customers', { name: { last: 'Ashdown' }, metadata });
  expect([answer.status, answer.body.errors]).toMatchObject([status, [{ pointer: '/metadata', code }]]);
  const { errors } = await me.graphql(
    'mutation ($input: CustomerInput!) { createCustomer(input: { customer: $input }) { customer { customerId } } }',
    { input: { name: { last: 'Ashdown' }, metadata } },
  );
  expect(errors?.[0].extensions).toMatchObject({ errors: [{ pointer: '/input/customer/metadata', code }] });
});

test('a hold or a transfer with other metadata is another one, and equal metadata is equal in any order', async () => {
  const { me, from, made } = await recordsWith(PAIRS);
  const { transferId, fromAccountId, toAccountId } = made.transfer.body;
  const sent = { transferId, fromAccountId, toAccountId, amount: 1 };
  const turned = Object.fromEntries(Object.entries(PAIRS).toReversed());
  expect((await me.rest.post('/transfers', { ...sent, metadata: { ...turned, gone: null } })).status).toBe(201);
  expect((await me.rest.post('/transfers', sent)).body.code).toBe('transfer_mismatch');
  const hold = { ...newHold(), amount: 2 };
  const path = `/accounts/${from.account}/holds`;
  const key = keyed(unique('key'));
  expect((await me.rest.post(path, { ...hold, metadata: PAIRS }, key)).status).toBe(201);
  expect((await me.rest.post(path, { ...hold, metadata: turned }, key)).headers['idempotent-replayed']).toBe('true');
  expect((await me.rest.post(path, { ...hold, metadata: { ledger: '1' } })).body.code).toBe('hold_exists');
});

planned('records are found by an index, however many have other metadata', async () => {
  const { me, from, customer, accountId } = await recordsWith({ ledger: 'rare' });
  const clone = (table: string, key: string, id: string, value: string) =>
    gateway.sql.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('${key}', ${value}, 'metadata', jsonb_build_object('ledger', 'n' || n)))).*
        FROM ${table} t, generate_series(1, 5000) n WHERE t.${key}::text = $1`,
      [id],
    );
  await clone('customer', 'customer_id', customer.customerId, 'gen_random_uuid()');
  await clone('account', 'account_id', accountId, `'many-' || n`);
  await gateway.sql.query('VACUUM (ANALYZE) customer');
  await gateway.sql.query('VACUUM (ANALYZE) account');
  const query = LISTS.replaceAll('totalCount', '');
  for (const [table, index] of [
    ['customer', 'customer_metadata'],
    ['account', 'account_metadata'],
  ] as const) {
    const statements = await explained(gateway, [table], () =>
      me.graphql(query, { filter: { ledger: 'rare' }, a: from.account }),
    );
    const [found] = statements.filter(({ text }) => text.includes('jsonb_set'));
    expect(found?.reads.some(read => read.includes(index))).toBe(true);
    expect(found?.reads.filter(read => read.startsWith('Seq'))).toEqual([]);
    // Where the planner reads the index of the program as well, these are its 5,000 entries.
    expect(found?.blocks).toBeLessThan(100);
  }
});
