import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { importing } from '../cli/importing.js';
import type { Connection } from '../support/answers.js';
import { newCard } from '../support/card.js';
import { startTestGateway, unique, type Answer, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';
import { pdfOf } from '../support/statement.js';
import { until } from '../support/until.js';
import type * as Inside from './feed.inside.js';
import { inputsOf } from '../support/postings.js';

const feed = (of: TestGateway) => of.module<typeof Inside>('test/event/feed');
const followers = (of: TestGateway): Promise<number> => feed(of).followers();

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

interface Event {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Read {
  readonly events: readonly Event[];
  readonly page: { readonly cursor: string; readonly hasMore: boolean };
  readonly links: { readonly next: { readonly href: string } };
}

async function read(caller: string, path: string): Promise<Read> {
  const { status, body } = await gateway.as(caller).rest.get<Read>(path);
  expect(status).toBe(200);
  return body;
}

async function readAll(caller: string, path = '/events?limit=100'): Promise<Event[]> {
  const { events, page, links } = await read(caller, path);
  return page.hasMore ? [...events, ...(await readAll(caller, links.next.href))] : [...events];
}

async function write(caller: string, field: string, variables: Record<string, unknown>): Promise<void> {
  const names = Object.keys(variables);
  const declared = {
    accountId: 'ID!',
    cardId: 'ID!',
    transactions: '[TransactionInput!]!',
    loss: 'CardLoss!',
  } as const;
  const heads = names.map(name => `$${name}: ${declared[name as keyof typeof declared]}`);
  const args = names.map(name => `${name}: $${name}`);
  const query = `mutation (${heads.join(', ')}) { ${field}(input: { ${args.join(', ')} }) { __typename } }`;
  const { errors } = await gateway.as(caller).graphql(query, variables);
  expect(errors).toBeUndefined();
}

function posting(transactionId: string) {
  return {
    transactionId,
    amount: '1.00',
    debitCreditMemo: 'CREDIT',
    category: 'ACH',
    status: 'POSTED',
    transactionType: 'DIRECTDEPOSIT',
    transactionTimestamp: '2026-05-01T12:00:00Z',
    postedTimestamp: '2026-05-01T12:00:00Z',
  };
}

/** Everything that is an event of an account, once, but the documents that the gateway issues. */
async function everything({ program, account, owners, caller }: GivenAccount): Promise<void> {
  const { rest } = gateway.as(caller);
  const path = `/accounts/${account}/beneficiaries`;
  const { beneficiaryId } = (await rest.post(path, leastBeneficiary())).body;
  await rest.patch(`${path}/${beneficiaryId}`, { sharePercentage: 7 });
  await rest.delete(`${path}/${beneficiaryId}`);
  const { customer } = await gateway.given.customer({ program });
  await rest.post(`/accounts/${account}/owners/add`, { holders: [{ customerId: customer }] });
  for (const _ of ['removed', 'not there']) {
    await rest.post(`/accounts/${account}/owners/remove`, { holders: [{ customerId: customer }] });
  }
  const card = newCard(account, owners[0] as string, { status: 'Inactive' });
  await rest.post('/cards/v1/cards', card);
  const of = { accountId: account, cardId: card.cardId };
  for (const step of ['activateCard', 'freezeCard', 'unfreezeCard', 'closeCard']) await write(caller, step, of);
  const lost = newCard(account, owners[0] as string);
  await rest.post('/cards/v1/cards', lost);
  await write(caller, 'reportCard', { accountId: account, cardId: lost.cardId, loss: 'STOLEN' });
  const transactions = [posting('t1'), posting('t2')];
  for (const _ of ['posted', 'there already']) {
    await write(caller, 'postAccountTransactions', { accountId: account, transactions: inputsOf(transactions) });
  }
  const imported = { depositTransaction: { ...posting('t3'), accountId: account, amount: 1 } };
  expect(await importing(gateway, 'transactions', program, [imported])).toEqual(['new']);
  const upload = `/accounts/${account}/statements?statementDate=2026-05-31`;
  const headers = { 'content-type': 'application/pdf' };
  await gateway.as(caller).raw({ method: 'POST', path: upload, headers, body: pdfOf() });
}

describe('the feed', () => {
  test('tells every change in the words of its type, as its schema says', async () => {
    const of = await gateway.given.account();
    await everything(of);
    await gateway.feedReady();
    const events = await readAll(of.caller);
    expect(events.map(({ type }) => type)).toEqual([
      'beneficiary.added',
      'beneficiary.updated',
      'beneficiary.deleted',
      'account.owner_added',
      'account.owner_removed',
      'card.created',
      'card.activated',
      'card.frozen',
      'card.unfrozen',
      'card.closed',
      'card.created',
      'card.reported',
      'transaction.posted',
      'transactions.imported',
      'statement.uploaded',
    ]);
    expect(events.slice(-3).map(({ data }) => data)).toMatchObject([
      { accountId: of.account, transactions: 2, firstSeq: 1, lastSeq: 2, transactionIds: ['t1', 't2'] },
      { accountId: of.account, transactions: 1, firstSeq: 3, lastSeq: 3 },
      { accountId: of.account, statementDate: '2026-05-31' },
    ]);
    const ajv = formats.default(new Ajv2020({ allErrors: true }));
    const isEvent = ajv.compile((await gateway.as(null).rest.get<object>('/events.schema.json')).body);
    for (const event of events) expect({ event, valid: isEvent(event) }).toEqual({ event, valid: true });
  });

  test('gives an example of each type that is as its schema says', async () => {
    const { schema, examples } = await feed(gateway).documented();
    const isEvent = formats.default(new Ajv2020({ allErrors: true })).compile(schema);
    for (const event of examples) {
      expect({ event, valid: isEvent(event) }).toEqual({ event, valid: true });
    }
  });

  test('goes on from its cursor, page by page, by type and by account', async () => {
    const of = await gateway.given.account();
    const other = await gateway.given.account({ program: of.program });
    const { rest } = gateway.as(of.caller);
    for (const account of [of.account, other.account, of.account]) {
      const path = `/accounts/${account}/beneficiaries`;
      await rest.delete(`${path}/${(await rest.post(path, leastBeneficiary())).body.beneficiaryId}`);
    }
    await gateway.feedReady();
    const all = await readAll(of.caller, '/events?limit=1');
    expect(all).toHaveLength(6);
    expect(await readAll(of.caller, '/events?limit=4')).toEqual(all);
    expect(await readAll(of.caller, '/events?types=beneficiary.added&limit=2')).toEqual(
      all.filter((_, n) => n % 2 === 0),
    );
    expect(await readAll(of.caller, `/events?accountId=${other.account}`)).toEqual(all.slice(2, 4));
    const { page } = await read(of.caller, '/events?limit=100');
    expect(await read(of.caller, `/events?after=${page.cursor}`)).toMatchObject({
      events: [],
      page: { hasMore: false },
    });
  });

  test('lets a request wait for the next event, and answers when it is committed', async () => {
    const of = await gateway.given.account();
    const { page } = await read(of.caller, '/events');
    const waiting = read(of.caller, `/events?after=${page.cursor}&types=beneficiary.added&wait=30`);
    await until(async () => (await followers(gateway)) > 0);
    await gateway.as(of.caller).rest.post(`/accounts/${of.account}/beneficiaries`, leastBeneficiary());
    expect(await waiting).toMatchObject({ events: [{ type: 'beneficiary.added', data: { accountId: of.account } }] });
  });

  test('begins with what comes next where it is asked to', async () => {
    const of = await gateway.given.account();
    const path = `/accounts/${of.account}/beneficiaries`;
    await gateway.as(of.caller).rest.post(path, leastBeneficiary());
    await gateway.feedReady();
    const { events, links } = await read(of.caller, '/events?after=latest');
    expect(events).toEqual([]);
    const added = await gateway.as(of.caller).rest.post(path, leastBeneficiary());
    await gateway.feedReady();
    const next = await read(of.caller, links.next.href);
    expect(next.events.map(({ data }) => data['beneficiaryId'])).toEqual([added.body.beneficiaryId]);
  });

  test('ends a wait without an event, with the same place to go on from', async () => {
    const of = await gateway.given.account();
    const { page } = await read(of.caller, '/events');
    const { events, page: next } = await read(of.caller, `/events?after=${page.cursor}&wait=1`);
    expect(events).toEqual([]);
    expect(next.hasMore).toBe(false);
  });

  test('answers requests that wait when the gateway stops', async () => {
    const stopping = await startTestGateway({ databaseUrl: gateway.databaseUrl });
    const caller = await stopping.caller({ program: unique('stopping') });
    const waiting = stopping.as(caller).rest.get<Read>('/events?wait=30');
    await until(async () => (await followers(stopping)) > 0);
    await stopping.stopServing();
    expect(await waiting).toMatchObject({ status: 200, body: { events: [] } });
    await stopping.stop();
  });

  test.each([
    ['after=nonsense', 'after', 'format'],
    ['types=no.such_type', 'types/0', 'unknown_event_type'],
    ['types=card.created,NO', 'types/1', 'format'],
    ['limit=0', 'limit', 'range'],
    ['wait=31', 'wait', 'range'],
    ['wait=soon', 'wait', 'wrong_type'],
    ['accountId=a%20b', 'accountId', 'format'],
    ['from=1', 'from', 'unknown_parameter'],
  ])('refuses %s and says where it is wrong', async (query, pointer, code) => {
    const answer: Answer = await gateway.as(await gateway.caller()).rest.get(`/events?${query}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.errors).toMatchObject([{ pointer: `/${pointer}`, code }]);
  });

  test('refuses the cursor of another program', async () => {
    const [one, other] = [await gateway.given.account(), await gateway.given.account()];
    const { page } = await read(one.caller, '/events');
    const answer = await gateway.as(other.caller).rest.get(`/events?after=${page.cursor}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/after', code: 'format' }] } });
  });
});

describe('events over GraphQL', () => {
  const EVENTS = `query ($first: Int, $after: String, $order: EventOrder, $filter: EventFilter) {
    events(first: $first, after: $after, order: $order, filter: $filter) {
      edges { cursor node { type audit { action } object } } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount } }`;
  type Shown = Connection<{ type: string }> & { edges: { cursor: string; node: { type: string } }[] };

  async function ask(caller: string, variables: object): Promise<Shown> {
    const { data, errors } = await gateway.as(caller).graphql<{ events: Shown }>(EVENTS, variables);
    expect(errors).toBeUndefined();
    return data.events;
  }

  test('come oldest first, and after a cursor of that order go on in it', async () => {
    const of = await gateway.given.account();
    const { rest } = gateway.as(of.caller);
    const path = `/accounts/${of.account}/beneficiaries`;
    const { beneficiaryId } = (await rest.post(path, leastBeneficiary())).body;
    await rest.patch(`${path}/${beneficiaryId}`, { sharePercentage: 7 });
    await rest.delete(`${path}/${beneficiaryId}`);
    await gateway.feedReady();
    const first = await ask(of.caller, { order: 'OLDEST_FIRST', first: 1 });
    expect(first.edges.map(({ node }) => node.type)).toEqual(['beneficiary.added']);
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const after = first.edges[0]?.cursor;
    const next = await ask(of.caller, { after, first: 5 });
    expect(next.edges.map(({ node }) => node.type)).toEqual(['beneficiary.updated', 'beneficiary.deleted']);
    const deleted = await ask(of.caller, { after, filter: { types: ['beneficiary.deleted'] } });
    expect(deleted.edges.map(({ node }) => node.type)).toEqual(['beneficiary.deleted']);
    // REST takes this cursor as well.
    expect((await read(of.caller, `/events?after=${after}`)).events).toHaveLength(2);
    const { errors } = await gateway.as(of.caller).graphql(EVENTS, { after, order: 'NEWEST_FIRST' });
    expect(errors?.[0]).toMatchObject({ extensions: { errors: [{ pointer: '/after', code: 'format' }] } });
  });
});

test('latest and feedCursor begin behind everything that was answered before, time after time', async () => {
  const of = await gateway.given.account();
  for (let time = 0; time < 10; time++) {
    const path = `/accounts/${of.account}/beneficiaries`;
    expect((await gateway.as(of.caller).rest.post(path, leastBeneficiary())).status).toBe(201);
    const [{ events, page }, { data }] = await Promise.all([
      read(of.caller, '/events?after=latest'),
      gateway.as(of.caller).graphql('{ feedCursor }'),
    ]);
    expect(events).toEqual([]);
    expect((await read(of.caller, `/events?after=${page.cursor}`)).events).toEqual([]);
    expect((await read(of.caller, `/events?after=${data.feedCursor}`)).events).toEqual([]);
  }
});

test('latest begins behind what was answered before, while somebody else holds the places of the feed', async () => {
  const { account, caller } = await gateway.given.account();
  const holder = await gateway.sql.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM feed_state FOR SHARE');
    const added = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
    expect(added.status).toBe(201);
    const asked = read(caller, '/events?after=latest');
    await Promise.race([asked, sleep(300)]);
    await holder.query('ROLLBACK');
    const { page } = await asked;
    await gateway.feedReady();
    expect((await read(caller, `/events?after=${page.cursor}`)).events).toEqual([]);
  } finally {
    holder.release();
  }
});

test('a cursor tells no number, and belongs to its program', async () => {
  const of = await gateway.given.account();
  const stranger = await gateway.given.account();
  await gateway.as(of.caller).rest.post(`/accounts/${of.account}/beneficiaries`, leastBeneficiary());
  const { page } = await read(of.caller, '/events?after=latest');
  const text = Buffer.from(page.cursor, 'base64url').toString();
  expect(text).toMatch(/^feed [\w-]{22}$/);
  const { rows } = await gateway.sql.query<{ position: string }>('SELECT position FROM feed_state');
  const position = String(rows[0]?.position);
  expect(Buffer.from(text.slice(5), 'base64url').includes(Buffer.from(position))).toBe(false);
  for (const cursor of [page.cursor, `${page.cursor.slice(0, -4)}AAAA`]) {
    const { status, body } = await gateway.as(stranger.caller).rest.get(`/events?after=${cursor}`);
    expect([status, body.errors[0].pointer]).toEqual([422, '/after']);
  }
});
