import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHANGED, Stream, itemsOf } from '../platform/graphql/subscriptions/listening.js';
import { newCard } from '../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { restCode } from '../support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FIELDS = `accountId accountType currency timeZone status openedOn interestBearing availableBalance`;
const OPEN = `mutation ($input: AccountInput!) { openAccount(input: { account: $input }) { account { ${FIELDS} owners { customerId isPrimary } } } }`;
const UPDATE = `mutation ($id: ID!, $input: AccountPatch!) { updateAccount(input: { accountId: $id, patch: $input }) { account { ${FIELDS} } } }`;
const STEP = (name: string) =>
  `mutation ($id: ID!, $reason: String${name === 'unrestrict' ? '' : '!'}) { ${name}Account(input: { accountId: $id, reason: $reason }) { account { ${FIELDS} } } }`;
const EVENTS = `query ($id: ID!) { events(filter: { accountId: $id }, order: NEWEST_FIRST) { nodes { audit { action data } type object } } }`;

type Rest = 'restrict' | 'unrestrict' | 'close';

async function operator(program = gateway.given.program()) {
  const { customer } = await gateway.given.customer({ program });
  const me = gateway.as(await gateway.caller({ program }));
  return { program, customer, rest: me.rest, graphql: me.graphql.bind(me) };
}
type Operator = Awaited<ReturnType<typeof operator>>;

function newAccount({ customer }: Pick<Operator, 'customer'>, changes: object = {}) {
  return {
    accountId: unique('acc'),
    accountType: 'SAVINGS',
    currency: 'USD',
    timeZone: 'America/New_York',
    interestBearing: true,
    openedOn: '2026-02-28',
    owners: [customer],
    ...changes,
  };
}

async function code(answer: Promise<{ errors?: readonly { extensions: { code: string } }[] | undefined }>) {
  return (await answer).errors?.map(({ extensions }) => restCode(extensions.code));
}

describe('an account that is opened', () => {
  test('is there for its program, over REST', async () => {
    const of = await operator();
    const input = newAccount(of, { overdraftLimit: 500 });
    const { owners: _, overdraftLimit: __, ...kept } = input as typeof input & { overdraftLimit: unknown };
    const answer = await of.rest.post('/accounts', input);
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe(`/accounts/${input.accountId}`);
    expect(answer.text).toContain('"overdraftLimit":500.00');
    expect(answer.body).toEqual({
      ...kept,
      status: 'OPEN',
      metadata: {},
      updatedAt: expect.any(String),
      closedAt: '',
      availableBalance: 0,
      balances: {
        posted: 0,
        available: 0,
        held: 0,
        overdraftLimit: 500,
      },
    });
    const read = await of.rest.get(answer.headers.location as string);
    expect([read.status, read.text]).toEqual([200, answer.text]);
  });

  test('gets an id where it has none, alike over REST and GraphQL, and the same one in a retry', async () => {
    const of = await operator();
    const { accountId: _, ...input } = newAccount(of);
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    const post = () => of.rest.post('/accounts', input, keyed('opened-once'));
    const [first, again] = [await post(), await post()];
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(first.body.accountId).toMatch(uuid);
    expect(again.body).toEqual(first.body);
    expect((await of.rest.get(first.headers.location as string)).body.accountId).toBe(first.body.accountId);

    const { data } = await of.graphql(OPEN, { input });
    expect(data.openAccount.account.accountId).toMatch(uuid);
    expect(data.openAccount.account.accountId).not.toBe(first.body.accountId);
    expect((await of.rest.post('/accounts', { ...input, accountId: '' })).body.accountId).toMatch(uuid);
  });

  test('is there for its program, over GraphQL', async () => {
    const of = await operator();
    const input = newAccount(of, { overdraftLimit: '500.00' });
    const { owners: _, overdraftLimit: __, ...kept } = input as typeof input & { overdraftLimit: unknown };
    const { data } = await of.graphql(OPEN, { input });
    const opened = { ...kept, status: 'OPEN', availableBalance: '0.00' };
    expect(data.openAccount.account).toEqual({ ...opened, owners: [{ customerId: of.customer, isPrimary: true }] });
    const read = await of.graphql(`query ($id: ID!) { account(accountId: $id) { ${FIELDS} } }`, {
      id: input.accountId,
    });
    expect(read.data.account).toEqual(opened);
  });

  test('has its owners in their order, and is seen by them', async () => {
    const of = await operator();
    const { customer: second } = await gateway.given.customer({ program: of.program });
    const input = newAccount(of, { owners: [second, of.customer.toUpperCase()] });
    const { data } = await of.graphql(OPEN, { input });
    expect(data.openAccount.account.owners.map(({ customerId }: { customerId: string }) => customerId)).toEqual([
      second,
      of.customer,
    ]);
    const owner = gateway.as(await gateway.caller({ program: of.program, customerId: second }));
    expect((await owner.rest.get(`/accounts/${input.accountId}`)).status).toBe(200);
  });

  test('is opened today in its time zone if nobody says when', async () => {
    const of = await operator();
    const { openedOn: _, ...input } = newAccount(of, { timeZone: 'Pacific/Kiritimati' });
    const before = new Date();
    const { body } = await of.rest.post('/accounts', input);
    const days = [before, new Date()].map(instant => new Date(instant.getTime() + 14 * 3600_000).toISOString());
    expect(days.map(day => day.slice(0, 10))).toContain(body.openedOn);
  });

  test('is opened once under a key, whichever API asks again', async () => {
    const of = await operator();
    const input = newAccount(of);
    const key = keyed(unique('key'));
    const first = await of.rest.post('/accounts', { ...input, overdraftLimit: 12.5 }, key);
    const again = await of.rest.post('/accounts', { ...input, overdraftLimit: 12.5 }, key);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await of.graphql(OPEN, { input: { ...input, overdraftLimit: '12.50' } }, { headers: key });
    expect(other.data.openAccount.account).toMatchObject({ accountId: input.accountId, status: 'OPEN' });
    const changed = await of.rest.post('/accounts', { ...input, overdraftLimit: 13 }, key);
    expect(changed.body.code).toBe('idempotency_key_reused');
  });

  test('has the event of its opening at the beginning of its chain', async () => {
    const of = await operator();
    const input = newAccount(of, { overdraftLimit: 500 });
    await of.rest.post('/accounts', input);
    await gateway.feedReady();
    const { data } = await of.graphql(EVENTS, { id: input.accountId });
    const facts = {
      accountType: 'SAVINGS',
      currency: 'USD',
      interestBearing: true,
      openedOn: '2026-02-28',
      status: 'OPEN',
    };
    expect(data.events.nodes).toEqual([
      {
        type: 'account.opened',
        object: `account/${input.accountId}`,
        audit: {
          action: 'account.open',
          data: {
            ...facts,
            customerIds: [of.customer],
            overdraftLimit: '500.00',
          },
        },
      },
    ]);
    const feed = await of.rest.get(`/events?accountId=${input.accountId}`);
    expect(feed.body.events).toMatchObject([
      { type: 'account.opened', data: { accountId: input.accountId, sequence: 1, ...facts } },
    ]);
    expect(feed.text).not.toContain('overdraftLimit');
  });

  test('is on record like one that was imported: both can be changed by either', async () => {
    const of = await operator();
    const input = newAccount(of);
    await of.rest.post('/accounts', input);
    const { rows } = await gateway.sql.query('SELECT * FROM account WHERE account_id = $1', [input.accountId]);
    expect(rows).toEqual([
      expect.objectContaining({ program: of.program, balance_minor: '0', held_minor: '0', last_seq: '0' }),
    ]);
  });
});

describe('opening is refused', () => {
  test.each([
    ['an id that is none', { accountId: 'has space' }, 422, ['/accountId format']],
    ['an unknown kind', { accountType: 'WOOD' }, 400, ['/accountType wrong_type']],
    ['a currency that is none', { currency: 'usd' }, 400, ['/currency wrong_type']],
    ['a short name of a time zone', { timeZone: 'EST' }, 422, ['/timeZone time_zone']],
    ['a day before banks', { openedOn: '0001-01-01' }, 422, ['/openedOn format']],
    ['nobody as owner', { owners: [] }, 422, ['/owners size']],
    [
      'an owner twice',
      { owners: [`${'0'.repeat(8)}-0000-4000-8000-000000000001`, `${'0'.repeat(8)}-0000-4000-8000-000000000001`] },
      422,
      ['/owners/1 distinct'],
    ],
    [
      'a strange owner',
      { owners: [`${'0'.repeat(8)}-0000-4000-8000-000000000001`] },
      422,
      ['/owners/0 unknown_customer'],
    ],
    ['a negative limit', { overdraftLimit: -1 }, 422, ['/overdraftLimit range']],
    ['too many digits', { overdraftLimit: 0.001 }, 422, ['/overdraftLimit currency_digits']],
    ['a limit beyond all measure', { overdraftLimit: 1e30 }, 422, ['/overdraftLimit currency_digits']],
    ['a field that there is not', { colour: 'red' }, 400, ['/colour unknown_field']],
  ])('for %s', async (_, changes, status, problems) => {
    const of = await operator();
    const input = newAccount(of, changes);
    const before = await gateway.rows();
    const answer = await of.rest.post('/accounts', input, keyed(unique('key')));
    const errors = (answer.body.errors as { pointer: string; code: string }[]).map(one => `${one.pointer} ${one.code}`);
    expect([answer.status, errors]).toEqual([status, problems]);
    expect(await gateway.rows()).toEqual(before);
  });

  test('for an id that is taken; of one of another program it says no more than that it cannot be used', async () => {
    const [of, other] = [await operator(), await operator()];
    const input = newAccount(of);
    await of.rest.post('/accounts', input);
    const own = await of.rest.post('/accounts', input);
    const foreign = await other.rest.post('/accounts', newAccount(other, { accountId: input.accountId }));
    expect([own.status, own.body.code]).toEqual([409, 'account_exists']);
    expect([foreign.status, foreign.body.errors]).toEqual([
      422,
      [{ pointer: '/accountId', code: 'unusable_id', detail: expect.any(String) }],
    ]);
    expect(await code(other.graphql(OPEN, { input: newAccount(other, { accountId: input.accountId }) }))).toEqual([
      'rule_broken',
    ]);
    expect((await other.rest.get(`/accounts/${input.accountId}`)).status).toBe(404);
  });

  test('for a customer of another program as owner', async () => {
    const [of, other] = [await operator(), await operator()];
    const { body } = await of.rest.post('/accounts', newAccount(other));
    expect(body.errors).toMatchObject([{ pointer: '/owners/0', code: 'unknown_customer' }]);
  });
});

test('of many openings of one account at once one wins, whichever programs ask', async () => {
  const operators = await Promise.all(Array.from({ length: 4 }, () => operator()));
  const accountId = unique('raced');
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => {
      const of = operators[index % operators.length] as Operator;
      return of.rest.post('/accounts', newAccount(of, { accountId }), keyed(unique('key')));
    }),
  );
  const codes = answers.map(({ status, body }): string => (status === 201 ? 'opened' : body.code));
  expect(codes.filter(told => told === 'opened')).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['opened', 'account_exists', 'rule_broken']));
  const { rows } = await gateway.sql.query(
    `SELECT (SELECT count(*)::int FROM account_owner WHERE account_id = $1) owners,
      (SELECT count(*)::int FROM event WHERE account_id = $1 AND outcome = 'DONE') events`,
    [accountId],
  );
  expect(rows).toEqual([{ owners: 1, events: 1 }]);
});

describe('a change', () => {
  test('leaves what it does not name, alike over both APIs', async () => {
    const of = await operator();
    const input = newAccount(of, { overdraftLimit: 20 });
    await of.rest.post('/accounts', input);
    const path = `/accounts/${input.accountId}`;
    const typed = await of.rest.patch(path, { accountType: 'CHECKING' });
    expect(typed.body).toMatchObject({
      accountType: 'CHECKING',
      interestBearing: true,
      balances: { overdraftLimit: 20 },
    });
    const { data } = await of.graphql(UPDATE, { id: input.accountId, input: { interestBearing: false } });
    expect(data.updateAccount.account).toMatchObject({ accountType: 'CHECKING', interestBearing: false });
    const cleared = await of.rest.patch(
      path,
      { overdraftLimit: null },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(cleared.body.balances.overdraftLimit).toBe(0);
    expect((await of.rest.get(path)).text).toBe(cleared.text);
  });

  test('is an event that names the fields, and what they were before', async () => {
    const of = await operator();
    const { account } = await gateway.given.account({ program: of.program });
    await of.rest.patch(`/accounts/${account}`, { overdraftLimit: 75.5 });
    const { data } = await of.graphql(EVENTS, { id: account });
    expect(data.events.nodes).toMatchObject([
      {
        type: 'account.updated',
        audit: { data: { changed: ['overdraftLimit'], overdraftLimit: '75.50', before: { overdraftLimit: '0.00' } } },
      },
    ]);
  });

  test.each([
    ['another currency', { currency: 'EUR' }, ['/currency unknown_field']],
    ['no kind', { accountType: null }, ['/accountType required']],
    ['a negative limit', { overdraftLimit: -0.01 }, ['/overdraftLimit range']],
    ['a limit with too many digits', { overdraftLimit: 1.005 }, ['/overdraftLimit currency_digits']],
  ])('to %s is refused', async (_, patch, problems) => {
    const { account, caller } = await gateway.given.account();
    const { body } = await gateway.as(caller).rest.patch(`/accounts/${account}`, patch);
    expect((body.errors as { pointer: string; code: string }[]).map(one => `${one.pointer} ${one.code}`)).toEqual(
      problems,
    );
  });

  test('of a closed account is refused', async () => {
    const { account, caller } = await gateway.given.account({ status: 'CLOSED' });
    const me = gateway.as(caller);
    expect((await me.rest.patch(`/accounts/${account}`, { accountType: 'CD' })).body.code).toBe('account_closed');
    expect(await code(me.graphql(UPDATE, { id: account, input: {} }))).toEqual(['account_closed']);
  });
});

describe('the steps of an account', () => {
  const take = (of: { caller: string; account: string }, step: Rest, reason: string | null) =>
    gateway.as(of.caller).rest.post(`/accounts/${of.account}/${step}`, reason === null ? {} : { reason });

  test('lead from open to restricted and back, and to closed', async () => {
    const of = await gateway.given.account();
    expect((await take(of, 'restrict', 'Court order')).body).toMatchObject({ status: 'RESTRICTED' });
    expect((await take(of, 'unrestrict', null)).body).toMatchObject({ status: 'OPEN' });
    expect((await take(of, 'restrict', 'Again')).body).toMatchObject({ status: 'RESTRICTED' });
    expect((await take(of, 'close', 'Fraud')).body).toMatchObject({ status: 'CLOSED' });
    const { body } = await gateway.as(of.caller).rest.get(`/accounts/${of.account}`);
    expect(body.status).toBe('CLOSED');
  });

  test('lead the same way over GraphQL', async () => {
    const { account: id, caller } = await gateway.given.account();
    const me = gateway.as(caller);
    const steps = [
      ['restrict', 'RESTRICTED'],
      ['unrestrict', 'OPEN'],
      ['close', 'CLOSED'],
    ] as const;
    for (const [step, status] of steps) {
      const { data } = await me.graphql(STEP(step), { id, reason: 'Because' });
      expect(data[`${step}Account`].account).toMatchObject({ accountId: id, status });
    }
  });

  test('say when the account was restricted and why, to operators, and when it was closed, to its owners as well', async () => {
    const of = await gateway.given.account();
    const query = `query ($id: ID!) { account(accountId: $id) { updatedAt closedAt restriction { reason restrictedAt } } }`;
    const seen = async (caller = of.caller) => {
      const { data, errors } = await gateway.as(caller).graphql(query, { id: of.account });
      return { ...data.account, refused: errors?.map(({ path, extensions }) => [path?.at(-1), extensions.code]) };
    };
    expect(await seen()).toMatchObject({ closedAt: null, restriction: null });
    await take(of, 'restrict', 'Court order 2026-114');
    const { updatedAt, ...restricted } = await seen();
    expect(restricted).toEqual({
      closedAt: null,
      restriction: { reason: 'Court order 2026-114', restrictedAt: updatedAt },
    });
    const owner = await gateway.caller({ program: of.program, customerId: of.owners[0] as string });
    expect(await seen(owner)).toMatchObject({
      restriction: null,
      refused: [['restriction', 'PROGRAM_WIDE_ONLY']],
    });
    await take(of, 'unrestrict', null);
    expect(await seen()).toMatchObject({ restriction: null });
    await take(of, 'restrict', 'Again');
    const { body } = await take(of, 'close', 'Fraud');
    const closed = await seen(owner);
    expect(closed).toMatchObject({ closedAt: closed.updatedAt, restriction: null });
    expect(body).toMatchObject({ closedAt: closed.closedAt, updatedAt: closed.closedAt });
  });

  test.each([
    ['OPEN', 'unrestrict', 'account_not_restricted'],
    ['RESTRICTED', 'restrict', 'account_restricted'],
    ['CLOSED', 'restrict', 'account_closed'],
    ['CLOSED', 'unrestrict', 'account_closed'],
    ['CLOSED', 'close', 'account_closed'],
  ] as const)('begin from the right status: %s, %s', async (status, step, refusal) => {
    const of = await gateway.given.account({ status });
    expect(await take(of, step, 'Because')).toMatchObject({ status: 409, body: { code: refusal } });
    expect(await code(gateway.as(of.caller).graphql(STEP(step), { id: of.account, reason: 'Because' }))).toEqual([
      refusal,
    ]);
    expect((await gateway.as(of.caller).graphql(EVENTS, { id: of.account })).data.events.nodes).toEqual([]);
  });

  test.each([
    ['restrict', ' '],
    ['restrict', 'x'.repeat(201)],
    ['close', ''],
    ['close', 'two\nlines'],
    ['unrestrict', 'x'.repeat(201)],
  ] as const)('%s needs a reason that can be kept', async (step, reason) => {
    const of = await gateway.given.account({ status: step === 'unrestrict' ? 'RESTRICTED' : 'OPEN' });
    expect((await take(of, step, reason)).body.errors).toMatchObject([{ pointer: '/reason' }]);
    const { errors } = await gateway.as(of.caller).graphql(STEP(step), { id: of.account, reason });
    expect(errors).toMatchObject([
      { extensions: { code: 'RULE_BROKEN', errors: [{ pointer: '/input/reason', code: 'text' }] } },
    ]);
  });

  test('are of accounts that the operator sees', async () => {
    const { account } = await gateway.given.account();
    const other = await operator();
    for (const step of ['restrict', 'unrestrict', 'close'] as const) {
      const answer = await other.rest.post(`/accounts/${account}/${step}`, { reason: 'Because' });
      expect([answer.status, answer.body.code]).toEqual([404, 'account_not_found']);
    }
    expect((await other.rest.patch(`/accounts/${account}`, {})).status).toBe(404);
    expect((await other.rest.get(`/accounts/${account}`)).status).toBe(404);
  });

  test('keep their reason for operators alone', async () => {
    const of = await gateway.given.account();
    const reason = unique('Suspicion of');
    await take(of, 'restrict', reason);
    await take(of, 'unrestrict', reason);
    await take(of, 'close', reason);
    await gateway.feedReady();
    const me = gateway.as(of.caller);
    const { data } = await me.graphql(EVENTS, { id: of.account });
    expect(data.events.nodes.map(({ audit }: { audit: { data: { reason: string } } }) => audit.data.reason)).toEqual([
      reason,
      reason,
      reason,
    ]);
    const feed = await me.rest.get(`/events?accountId=${of.account}`);
    expect(feed.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'account.restricted',
      'account.unrestricted',
      'account.closed',
    ]);
    expect(feed.text).not.toContain(reason);
    const oldestFirst = await me.graphql(EVENTS.replace('NEWEST_FIRST', 'OLDEST_FIRST'), { id: of.account });
    expect(oldestFirst.data.events.nodes).toHaveLength(3);
  });
});

test('a customer who follows the account hears what the bank did, and not why', async () => {
  const of = await gateway.given.account();
  const reason = unique('Suspicion of');
  const customer = await gateway.caller({ program: of.program, customerId: of.owners[0] as string });
  const stream = await Stream.open(gateway, customer, { query: CHANGED, variables: { account: of.account } });
  const { rest } = gateway.as(of.caller);
  for (const step of ['restrict', 'unrestrict', 'close']) {
    await rest.post(`/accounts/${of.account}/${step}`, { reason });
  }
  await until(() => stream.results.length >= 3);
  expect(itemsOf(stream).map(({ node }) => [node.type, node.data.status])).toEqual([
    ['account.restricted', 'RESTRICTED'],
    ['account.unrestricted', 'OPEN'],
    ['account.closed', 'CLOSED'],
  ]);
  expect(JSON.stringify(stream.results)).not.toContain(reason);
  stream.close();
  const read = await gateway.as(customer).graphql(EVENTS, { id: of.account });
  expect(await code(Promise.resolve(read))).toEqual(['program_wide_only']);
});

describe('closing', () => {
  test('is refused while there is money, or a debt', async () => {
    for (const balanceMinor of [1n, -1n]) {
      const { account, caller } = await gateway.given.account({ balanceMinor });
      const me = gateway.as(caller);
      const { body } = await me.rest.post(`/accounts/${account}/close`, { reason: 'Because' });
      expect(body.code).toBe('account_not_empty');
      expect(await code(me.graphql(STEP('close'), { id: account, reason: 'Because' }))).toEqual(['account_not_empty']);
      expect((await me.rest.get(`/accounts/${account}`)).body.status).toBe('OPEN');
    }
  });

  test('is refused while something is held', async () => {
    const { account, caller } = await gateway.given.account();
    await gateway.sql.query('UPDATE account SET held_minor = 1 WHERE account_id = $1', [account]);
    const { body } = await gateway.as(caller).rest.post(`/accounts/${account}/close`, { reason: 'Because' });
    expect(body.code).toBe('account_has_holds');
  });

  test('closes the cards that may still be used, each with its event, and no others', async () => {
    const { account, owners, caller } = await gateway.given.account();
    const me = gateway.as(caller);
    const made = ['Active', 'Frozen', 'Inactive', 'Lost', 'Closed'];
    for (const status of made) {
      const card = newCard(account, owners[0] as string, { cardId: status, status });
      expect((await me.rest.post('/cards/v1/cards', card)).status).toBe(201);
    }
    await me.rest.post(`/accounts/${account}/close`, { reason: 'Because' });
    await gateway.feedReady();
    const { data } = await me.graphql('query ($id: ID!) { account(accountId: $id) { cards { cardId status } } }', {
      id: account,
    });
    const states = Object.fromEntries(
      data.account.cards.map(({ cardId, status }: { cardId: string; status: string }) => [cardId, status]),
    );
    expect(states).toEqual({ Active: 'CLOSED', Frozen: 'CLOSED', Inactive: 'CLOSED', Lost: 'LOST', Closed: 'CLOSED' });
    const feed = await me.rest.get(`/events?accountId=${account}&types=card.closed,account.closed`);
    const events = feed.body.events as { type: string; data: { cardId?: string; cardIds?: string[] } }[];
    const ofCards = events.filter(({ type }) => type === 'card.closed').map(event => event.data.cardId);
    expect(new Set(ofCards)).toEqual(new Set(['Active', 'Frozen', 'Inactive']));
    expect(events.at(-1)).toMatchObject({ type: 'account.closed', data: { status: 'CLOSED' } });
    expect(new Set(events.at(-1)?.data.cardIds)).toEqual(new Set(ofCards));
  });

  test('ends what an account may get', async () => {
    const { program, account, owners, caller } = await gateway.given.account({ status: 'CLOSED' });
    const { customer } = await gateway.given.customer({ program });
    const me = gateway.as(caller);
    const added = await me.rest.post(`/accounts/${account}/owners/add`, { holders: [{ customerId: customer }] });
    expect(added.body.code).toBe('account_closed');
    const beneficiary = { name: { first: 'A', last: 'B' }, beneficiaryType: 'PRIMARY', relationship: 'CHILD' };
    const named = await me.rest.post(`/accounts/${account}/beneficiaries`, { ...beneficiary, sharePercentage: 1 });
    expect(named.body.code).toBe('account_closed');
    const removed = await me.rest.post(`/accounts/${account}/owners/remove`, { holders: [{ customerId: owners[0] }] });
    expect(removed.status).toBe(200);
  });

  test('and postings at the same time never leave money on a closed account', async () => {
    const POST = `mutation ($id: ID!, $t: [TransactionInput!]!) { postAccountTransactions(input: { accountId: $id, transactions: $t }) { transactions { transactionId } } }`;
    const entry = (direction: string) => ({
      transactionId: unique('tx'),
      amount: '1.00',
      direction,
      category: 'ACH',
      transactionType: 'FEE',
      status: 'POSTED',
      transactedAt: '2026-03-02T15:00:00Z',
      postedAt: '2026-03-02T15:00:00Z',
    });
    for (let round = 0; round < 5; round++) {
      const { account: id, caller } = await gateway.given.account();
      const me = gateway.as(caller);
      const close = () => me.rest.post(`/accounts/${id}/close`, { reason: 'Because' });
      const writes = Array.from({ length: 30 }, (_, index) =>
        index % 5 === 4 ? close() : me.graphql(POST, { id, t: [entry(index % 2 === 0 ? 'CREDIT' : 'DEBIT')] }),
      );
      await Promise.all(writes);
      const { rows } = await gateway.sql.query(
        `SELECT a.status, a.balance_minor::int balance,
          (SELECT count(*)::int FROM event e WHERE e.account_id = a.account_id AND e.action = 'account.close') closings
         FROM account a WHERE account_id = $1`,
        [id],
      );
      const [{ status, balance, closings }] = rows as [{ status: string; balance: number; closings: number }];
      expect([status, closings, status === 'CLOSED' ? balance : 0]).toEqual(
        status === 'CLOSED' ? ['CLOSED', 1, 0] : ['OPEN', 0, 0],
      );
    }
  });
});
