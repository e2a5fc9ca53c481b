import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from '../support/answers.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { leastBeneficiary } from '../support/given.js';
import { newHold } from '../hold/support/holds.js';

/** The most attempts of one caller on one account that are recorded in a minute. */
const MAX_DENIED_A_MINUTE = 100;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const EVENTS = `query ($first: Int, $after: String, $filter: EventFilter) { events(first: $first, after: $after, filter: $filter) {
  totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
  nodes { eventId occurredAt audit { outcome clientId subject requestId action data chainSeq hash } accountId object } } }`;

interface EventsQuery {
  readonly first?: number;
  readonly after?: string;
  readonly filter?: Record<string, unknown>;
}

interface RecordedEvent {
  readonly accountId: string | null;
  readonly eventId: string;
  readonly occurredAt: string;
}

interface EventAudit {
  readonly action: string;
  readonly data: unknown;
  readonly chainSeq: number | null;
  readonly hash: string | null;
}

/** A page of events, each with what its audit says. */
async function eventsOf(
  caller: string,
  asked: EventsQuery = {},
): Promise<Omit<Connection<RecordedEvent & EventAudit>, 'edges'>> {
  await gateway.recorded();
  const { data, errors } = await gateway
    .as(caller)
    .graphql<{ events: Connection<RecordedEvent & { audit: EventAudit }> }>(EVENTS, asked);
  expect(errors).toBeUndefined();
  const { totalCount, pageInfo, nodes } = data.events;
  return { totalCount, pageInfo, nodes: nodes.map(({ audit, ...event }) => ({ ...event, ...audit })) };
}

/** An account whose beneficiary was added, changed and deleted, in a program of its own. */
async function changedAccount() {
  const of = await gateway.given.account();
  const { rest } = gateway.as(of.caller);
  const path = `/accounts/${of.account}/beneficiaries`;
  const { beneficiaryId } = (await rest.post(path, leastBeneficiary(), { 'x-request-id': 'req-add' })).body;
  await rest.patch(`${path}/${beneficiaryId}`, { sharePercentage: 7 });
  await rest.delete(`${path}/${beneficiaryId}`);
  return { ...of, path, beneficiaryId };
}

test('what was done over either API is told newest first: who, what, which object, under which request', async () => {
  const of = await gateway.given.account();
  const client = gateway.as(of.caller);
  const path = `/accounts/${of.account}/beneficiaries`;
  const before = new Date().toISOString();
  const { beneficiaryId } = (await client.rest.post(path, leastBeneficiary(), { 'x-request-id': 'req-of-rest' })).body;
  await client.graphql(
    `mutation { deleteBeneficiary(input: { accountId: "${of.account}", beneficiaryId: "${beneficiaryId}" }) { beneficiary { beneficiaryId } } }`,
    {},
    { headers: { 'x-request-id': 'req-of-graphql' } },
  );
  const { totalCount, nodes } = await eventsOf(of.caller);
  expect(totalCount).toBe(2);
  const common = { outcome: 'DONE', clientId: 'test-client', subject: 'test-client', accountId: of.account };
  const object = `beneficiary/${beneficiaryId}`;
  expect(nodes).toMatchObject([
    { ...common, action: 'beneficiary.delete', requestId: 'req-of-graphql', object, chainSeq: 2 },
    { ...common, action: 'beneficiary.add', requestId: 'req-of-rest', object, chainSeq: 1 },
  ]);
  for (const { hash, occurredAt } of nodes) {
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(occurredAt >= before).toBe(true);
  }
});

test('a replay, a refusal by a rule and a failed shape are no events', async () => {
  const of = await gateway.given.account();
  const { rest } = gateway.as(of.caller);
  const path = `/accounts/${of.account}/beneficiaries`;
  const [key, input] = [unique('key'), leastBeneficiary()];
  await rest.post(path, input, keyed(key));
  expect((await rest.post(path, input, keyed(key))).headers['idempotent-replayed']).toBe('true');
  expect((await rest.post(path, { ...input, sharePercentage: 101 })).status).toBe(422);
  expect((await rest.post(path, { ...input, colour: 'red' })).status).toBe(400);
  expect((await rest.delete(`${path}/7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`)).status).toBe(404);
  expect((await eventsOf(of.caller)).totalCount).toBe(1);
});

test('pages by cursor give every event once, while new ones are made', async () => {
  const of = await changedAccount();
  for (let n = 0; n < 4; n++) await gateway.as(of.caller).rest.post(of.path, leastBeneficiary());
  const all = (await eventsOf(of.caller, { first: 100 })).nodes.map(({ eventId }) => eventId);
  const seen: string[] = [];
  let after: string | null | undefined;
  for (let page = 0; ; page++) {
    const { nodes, pageInfo } = await eventsOf(of.caller, { first: 2, ...(after && { after }) });
    seen.push(...nodes.map(({ eventId }) => eventId));
    expect(pageInfo.hasPreviousPage).toBe(page > 0);
    if (page === 1) await gateway.as(of.caller).rest.post(of.path, leastBeneficiary());
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(all).toHaveLength(7);
  expect(seen).toEqual(all);
});

test('filters: account, command, outcome, client, subject, request and time, alone and together', async () => {
  const of = await changedAccount();
  const other = await gateway.given.account({ program: of.program });
  const friend = await gateway.caller({ program: of.program, clientId: 'other-client', subject: 'somebody' });
  await gateway.as(friend).rest.post(`/accounts/${other.account}/beneficiaries`, leastBeneficiary());
  const actions = async (filter: Record<string, unknown>) => {
    const { nodes, totalCount } = await eventsOf(of.caller, { filter });
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ action }) => action);
  };
  const [added, changed, deleted] = ['beneficiary.add', 'beneficiary.update', 'beneficiary.delete'];
  expect(await actions({ accountId: of.account })).toEqual([deleted, changed, added]);
  expect(await actions({ actions: [changed, deleted] })).toEqual([deleted, changed]);
  expect(await actions({ outcome: 'DENIED' })).toEqual([]);
  expect(await actions({ clientId: 'other-client' })).toEqual([added]);
  expect(await actions({ subject: 'somebody', accountId: of.account })).toEqual([]);
  expect(await actions({ requestId: 'req-add' })).toEqual([added]);
  const { nodes } = await eventsOf(of.caller, { filter: { accountId: of.account } });
  expect(await actions({ occurredFrom: nodes[0]?.occurredAt, accountId: of.account })).toEqual([deleted]);
  expect(await actions({ occurredBefore: nodes[1]?.occurredAt })).toEqual([added]);
  expect(await actions({ accountId: 'not-an-account' })).toEqual([]);
});

test.each<[string, Record<string, unknown>, string]>([
  ['a page of none', { first: 0 }, '/first'],
  ['a cursor of another list', { after: 'YWNjLTE' }, '/after'],
  [
    'a cursor with a day that is none',
    { after: Buffer.from('2026-02-30T00:00:00.000Z x').toString('base64url') },
    '/after',
  ],
  ['an action that is none', { filter: { actions: ['Drop Table'] } }, '/filter/actions/0'],
  ['too many actions', { filter: { actions: Array.from({ length: 21 }, () => 'card.freeze') } }, '/filter/actions'],
  ['an account id with a space', { filter: { accountId: 'a b' } }, '/filter/accountId'],
  ['a time without a zone', { filter: { occurredFrom: '2026-01-01T00:00:00' } }, '/filter/occurredFrom'],
])('%s is refused and says where', async (_what, asked, pointer) => {
  const { errors } = await gateway.as(await gateway.caller()).graphql(EVENTS, asked);
  expect(errors).toHaveLength(1);
  expect(errors?.[0].extensions.errors).toMatchObject([{ pointer }]);
});

describe('a denied attempt is on record', () => {
  test('when the scope is missing, over GraphQL and REST, in a chain of the program and in none of an account', async () => {
    const of = await changedAccount();
    const reader = gateway.as(
      await gateway.caller({ program: of.program, scopes: ['accounts.read'], subject: 'prying' }),
    );
    expect((await reader.rest.post(of.path, leastBeneficiary(), { 'x-request-id': 'req-denied' })).status).toBe(403);
    const mutation = `mutation { freezeCard(input: { accountId: "${of.account}", cardId: "c-1" }) { card { cardId } } }`;
    expect((await reader.graphql(mutation)).errors?.[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
    const { nodes } = await eventsOf(of.caller, { filter: { outcome: 'DENIED' } });
    const common = {
      outcome: 'DENIED',
      subject: 'prying',
      accountId: of.account,
      object: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(nodes).toMatchObject([
      { ...common, action: 'card.freeze', data: { code: 'insufficient_scope' }, chainSeq: 2 },
      {
        ...common,
        action: 'beneficiary.add',
        data: { code: 'insufficient_scope' },
        requestId: 'req-denied',
        chainSeq: 1,
      },
    ]);
    await gateway.as(of.caller).rest.post(of.path, leastBeneficiary());
    expect((await eventsOf(of.caller, { first: 1 })).nodes[0]).toMatchObject({ outcome: 'DONE', chainSeq: 4 });
  });

  test('when somebody reaches for an account of others: its own program learns of it, the other one nothing', async () => {
    const of = await gateway.given.account();
    const stranger = await gateway.caller({ program: gateway.given.program(), clientId: 'stranger' });
    const customer = (await gateway.given.customer({ program: of.program })).customer;
    const neighbour = await gateway.caller({ program: of.program, customerId: customer });
    for (const caller of [stranger, neighbour]) {
      const answer = await gateway
        .as(caller)
        .rest.post(`/accounts/${of.account}/beneficiaries`, leastBeneficiary(), keyed(unique('key')));
      expect([answer.status, answer.body.code]).toEqual([404, 'account_not_found']);
    }
    const { nodes } = await eventsOf(of.caller);
    expect(nodes).toMatchObject([
      { outcome: 'DENIED', accountId: of.account, subject: customer, data: { code: 'account_not_found' } },
      { outcome: 'DENIED', clientId: 'stranger', data: { code: 'account_not_found', program: expect.any(String) } },
    ]);
    expect((await eventsOf(stranger)).totalCount).toBe(0);
  });

  test('without what was sent in place of an account: an id that names none is not kept', async () => {
    const program = gateway.given.program();
    const [caller, reader] = [
      await gateway.caller({ program }),
      await gateway.caller({ program, scopes: ['accounts.read'] }),
    ];
    const path = '/accounts/4111111111111111/beneficiaries';
    expect((await gateway.as(caller).rest.post(path, leastBeneficiary())).status).toBe(404);
    expect((await gateway.as(reader).rest.post(path, leastBeneficiary())).status).toBe(403);
    expect((await eventsOf(caller)).nodes).toMatchObject([
      { outcome: 'DENIED', accountId: null, data: { code: 'insufficient_scope' } },
    ]);
  });

  test('up to a number a minute and subject; the last one says that more may have followed', async () => {
    const of = await gateway.given.account();
    const path = `/accounts/${of.account}/beneficiaries`;
    const prying = await gateway.caller({ program: of.program, scopes: ['accounts.read'], subject: 'prying' });
    for (let n = 0; n < MAX_DENIED_A_MINUTE + 5; n++) await gateway.as(prying).rest.post(path, leastBeneficiary());
    const { totalCount, nodes } = await eventsOf(of.caller, { first: MAX_DENIED_A_MINUTE });
    expect(totalCount).toBe(MAX_DENIED_A_MINUTE);
    // Those of the same millisecond are listed in any order.
    const recorded = nodes.toSorted((a, b) => (a.chainSeq ?? 0) - (b.chainSeq ?? 0)).map(({ data }) => data);
    const [last, ...others] = recorded.toReversed();
    expect(last).toEqual({ code: 'insufficient_scope', furtherRecorded: false });
    expect(new Set(others.map(data => JSON.stringify(data)))).toEqual(new Set(['{"code":"insufficient_scope"}']));
    const another = await gateway.caller({ program: of.program, scopes: ['accounts.read'], subject: 'another' });
    await gateway.as(another).rest.post(path, leastBeneficiary());
    expect((await eventsOf(of.caller)).totalCount).toBe(MAX_DENIED_A_MINUTE + 1);
  });
});

describe('attempts on a program are recorded there, however many there are elsewhere:', () => {
  const OTHERS = 40;

  test.each([
    ['over REST', true],
    ['over GraphQL', false],
  ])('after many at home, %s', async (_how, isRest) => {
    const [home, hurt] = [await gateway.given.account(), await gateway.given.account()];
    const stranger = { program: home.program, subject: unique('s') };
    const prying = gateway.as(await gateway.caller({ ...stranger, scopes: ['accounts.read'] }));
    for (let n = 0; n < MAX_DENIED_A_MINUTE + 10; n++) {
      await prying.rest.post(`/accounts/${home.account}/beneficiaries`, leastBeneficiary());
    }
    const able = gateway.as(await gateway.caller(stranger));
    const { account } = hurt;
    const freezing = `mutation { freezeCard(input: { accountId: "${account}", cardId: "c-1" }) { card { cardId } } }`;
    for (let n = 0; n < OTHERS; n++) {
      if (!isRest) await able.graphql(freezing);
      else if (n % 2 === 0) await able.rest.post(`/accounts/${account}/restrict`, { reason: 'Because' });
      else await able.rest.post(`/accounts/${account}/holds`, { ...newHold(), amount: 1 });
    }
    const { totalCount, nodes } = await eventsOf(hurt.caller, { first: 100, filter: { outcome: 'DENIED' } });
    expect(totalCount).toBe(OTHERS);
    expect(new Set(nodes.map(({ accountId }) => accountId))).toEqual(new Set([account]));
  });

  test('and what is left out is said there, by each program for itself', async () => {
    const [first, second] = [await gateway.given.account(), await gateway.given.account()];
    const stranger = gateway.as(await gateway.caller({ program: gateway.given.program(), subject: unique('s') }));
    for (const { account } of [first, second]) {
      for (let n = 0; n < MAX_DENIED_A_MINUTE + 1; n++) {
        await stranger.rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
      }
    }
    for (const { caller } of [first, second]) {
      const { totalCount, nodes } = await eventsOf(caller, { first: 100 });
      expect(totalCount).toBe(MAX_DENIED_A_MINUTE);
      expect(
        nodes.filter(({ data }) => (data as { furtherRecorded?: boolean }).furtherRecorded === false),
      ).toHaveLength(1);
    }
  });

  test("tokens of the program's own customers included, who have counts of their own", async () => {
    const of = await gateway.given.account();
    const { customer } = await gateway.given.customer({ program: of.program });
    const neighbour = gateway.as(
      await gateway.caller({ program: of.program, customerId: customer, subject: customer }),
    );
    const strange = gateway.as(await gateway.caller({ program: gateway.given.program(), subject: customer }));
    const path = `/accounts/${of.account}/beneficiaries`;
    for (let n = 0; n < MAX_DENIED_A_MINUTE; n++) await strange.rest.post(path, leastBeneficiary());
    await neighbour.rest.post(path, leastBeneficiary());
    const { totalCount } = await eventsOf(of.caller);
    expect(totalCount).toBe(MAX_DENIED_A_MINUTE + 1);
  });
});

test('writes of one account at the same moment make one chain without a gap', async () => {
  const of = await gateway.given.account();
  const { rest } = gateway.as(of.caller);
  const path = `/accounts/${of.account}/beneficiaries`;
  const made = await Promise.all(Array.from({ length: 30 }, () => rest.post(path, leastBeneficiary())));
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  const { nodes } = await eventsOf(of.caller, { first: 100 });
  const numbers = nodes.map(({ chainSeq }) => chainSeq ?? 0).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

describe.each(['account_event', 'program_event', 'denied_attempt'])('rows of %s', table => {
  for (const [what, statement] of [
    ['changed', `UPDATE ${table} SET data = '{}'`],
    ['deleted', `DELETE FROM ${table}`],
    ['truncated', `TRUNCATE ${table}`],
  ] as const) {
    // Of these tables only the first has rows here, and the last one is the coordinator's own.
    const isAlike = table === 'denied_attempt' || (table === 'account_event' && what !== 'truncated');
    testUnless(isAlike ? null : differsOnCitus('statementTriggers'))(
      `cannot be ${what}, even by who may write to the table`,
      async () => {
        await expect(gateway.sql.query(statement)).rejects.toThrow('append-only');
      },
    );
  }
});
