import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { restCode } from '../../../support/answers.js';
import { newCard } from '../../../support/card.js';
import { startTestGateway, unique, type TestGateway } from '../../../support/gateway.js';
import { leastBeneficiary } from '../../../support/given.js';
import { until } from '../../../support/until.js';
import { entries, entry, importing, line, post, postSome } from '../../../transaction/support/ledger.js';
import {
  CHANGED,
  POSTED,
  RECORDED,
  Stream,
  itemsOf,
  listen,
  socketClient,
  subscriptions,
  transactionIds,
  type SubscriptionLog,
  type SubscriptionClient,
  MULTIPART,
} from './listening.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

interface Both {
  readonly stream: Stream;
  readonly socket: SubscriptionClient;
  end(): Promise<void>;
}

/** Opens a subscription over each transport. */
async function both(caller: string, query: string, variables: object): Promise<Both> {
  const before = await gateway.openSubscriptions();
  const stream = await Stream.open(gateway, caller, { query, variables });
  const client = socketClient(gateway, caller);
  const socket = listen(client, { query, variables });
  await subscriptions(gateway, before + 2);
  const end = async (): Promise<void> => {
    const endedBefore = await gateway.endedSubscriptions();
    stream.close();
    await client.dispose();
    await until(async () => (await gateway.endedSubscriptions()) >= endedBefore + 2);
  };
  return { stream, socket, end };
}

/** The refusal of a subscription that does not begin, which is the same over both transports. */
async function refused(caller: string, query: string, variables: object = {}) {
  const stream = await Stream.open(gateway, caller, { query, variables });
  const { errors } = await stream.whole();
  const client = socketClient(gateway, caller);
  const socket = listen(client, { query, variables });
  await until(() => socket.isOver);
  await client.dispose();
  const told = ({ message, extensions: { requestId, ...extensions } }: (typeof errors)[number]) => {
    expect(requestId).toEqual(expect.any(String));
    return { message, ...extensions };
  };
  expect(socket.errors?.map(told)).toEqual(errors.map(told));
  const [{ code, errors: problems = [] }] = errors.map(told);
  return {
    status: stream.status,
    code: restCode(code),
    pointers: problems.map(({ pointer }: { pointer: string }) => pointer),
  };
}

/** Gives a command on an account. */
async function done(caller: string, field: string, type: string, argument: string, account: string, value: object) {
  const answer = await gateway
    .as(caller)
    .graphql(`mutation ($a: ID!, $v: ${type}) { ${field}(input: { accountId: $a, ${argument}: $v }) { __typename } }`, {
      a: account,
      v: value,
    });
  expect(answer.errors).toBeUndefined();
}

const got = (count: number, ...heard: SubscriptionLog[]): Promise<void> =>
  until(() => heard.every(({ results }) => results.length >= count));

const cursors = (heard: SubscriptionLog): string[] => itemsOf(heard).map(({ cursor }) => cursor);

/** Takes so many items from a cursor on, and leaves. */
async function take(caller: string, query: string, variables: object, count: number): Promise<Stream> {
  const stream = await Stream.open(gateway, caller, { query, variables });
  await got(count, stream);
  stream.close();
  // What came along is as if it had been lost on the way.
  stream.results.splice(count);
  return stream;
}

test('each transaction comes as it is posted, alike over HTTP and a WebSocket', async () => {
  const given = await gateway.given.account();
  const { stream, socket, end } = await both(given.caller, POSTED, { account: given.account });
  expect([stream.status, stream.incoming.headers['content-type']]).toEqual([
    200,
    'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0',
  ]);
  const posted = await postSome(gateway, given, 3);
  await got(3, stream, socket);
  expect(transactionIds(stream)).toEqual(posted);
  expect(socket.results).toEqual(stream.results);
  await end();
});

test('an account tells everything that happens to it, with the account as it is then', async () => {
  const given = await gateway.given.account();
  const { stream, socket, end } = await both(given.caller, CHANGED, { account: given.account });
  await post(gateway, given, [entry({ amount: '12.50', debitCreditMemo: 'CREDIT' })]);
  const name = { first: 'Ada', last: 'Secret' };
  await done(given.caller, 'addBeneficiary', 'BeneficiaryInput!', 'beneficiary', given.account, {
    name,
    beneficiaryType: 'PRIMARY',
    relationship: 'CHILD',
    sharePercentage: 40,
  });
  await got(2, stream, socket);
  const account = { accountId: given.account, availableBalance: '12.50' };
  expect(itemsOf(stream)).toEqual([
    {
      cursor: expect.any(String),
      node: {
        id: expect.stringMatching(/^evt_\d+$/),
        type: 'transaction.posted',
        data: expect.objectContaining({ accountId: given.account, transactions: 1, firstSeq: 1, lastSeq: 1 }),
      },
      account,
    },
    {
      cursor: expect.any(String),
      node: { id: expect.any(String), type: 'beneficiary.added', data: expect.any(Object) },
      account,
    },
  ]);
  expect(JSON.stringify(stream.results)).not.toContain('Secret');
  expect(socket.results).toEqual(stream.results);
  await end();
});

test('an event is one thing in every subscription and list, and who did it is told to operators alone', async () => {
  const given = await gateway.given.account({ owners: 1 });
  const { account, caller, program } = given;
  const customer = await gateway.caller({ program, customerId: given.owners[0] as string });
  const fields = 'id eventId type occurredAt accountId object payload account { accountId }';
  const audited = `${fields} audit { outcome action clientId subject requestId data chainSeq hash }`;
  const changed = (selected: string) =>
    `subscription ($account: ID!) { accountChanged(accountId: $account) { node: event { ${selected} } } }`;
  const ofOperator = await both(caller, changed(audited), { account });
  const ofProgram = await both(caller, `subscription { eventRecorded { node: event { ${audited} } } }`, {});
  const ofCustomer = await both(customer, changed(`${fields} audit { subject }`), { account });
  await post(gateway, given, [entry()]);
  await got(1, ofOperator.stream, ofOperator.socket, ofProgram.stream, ofCustomer.stream, ofCustomer.socket);
  const listed = (await gateway.as(caller).graphql(`{ events(first: 1) { nodes { ${audited} } } }`)).data.events
    .nodes[0];
  expect(listed).toMatchObject({
    eventId: expect.stringMatching(/^evt_\d+$/),
    type: 'transaction.posted',
    payload: { accountId: account, transactions: 1 },
    audit: { outcome: 'DONE', action: 'transaction.post', subject: 'test-client' },
  });
  expect(itemsOf(ofOperator.stream)).toEqual([{ node: listed }]);
  expect(itemsOf(ofProgram.stream)).toEqual([{ node: listed }]);
  const { data } = await gateway
    .as(caller)
    .graphql(`query ($id: ID!) { node(id: $id) { ... on Event { ${audited} } } }`, { id: listed.id });
  expect(data.node).toEqual(listed);
  const { audit: _, ...told } = listed;
  expect(itemsOf(ofCustomer.stream)[0].node).toEqual({ ...told, audit: null });
  expect(ofCustomer.stream.results[0].errors).toMatchObject([
    { path: ['accountChanged', 'node', 'audit'], extensions: { code: 'PROGRAM_WIDE_ONLY' } },
  ]);
  await Promise.all([ofOperator.end(), ofProgram.end(), ofCustomer.end()]);
});

test('the events of a program come by type and account, and those of another program never', async () => {
  const given = await gateway.given.account();
  const sibling = await gateway.given.account({ program: given.program });
  const stranger = await gateway.given.account();
  const all = await both(given.caller, RECORDED, {});
  const some = await both(given.caller, RECORDED, {
    filter: { accountId: sibling.account, types: ['transaction.posted'] },
  });
  await postSome(gateway, stranger, 1);
  await postSome(gateway, given, 1);
  await postSome(gateway, sibling, 1);
  await got(2, all.stream, all.socket);
  await got(1, some.stream, some.socket);
  const accounts = (heard: SubscriptionLog) => itemsOf(heard).map(({ node }) => node.data.accountId);
  expect(accounts(all.stream)).toEqual([given.account, sibling.account]);
  expect(accounts(some.stream)).toEqual([sibling.account]);
  expect([all.socket.results, some.socket.results]).toEqual([all.stream.results, some.stream.results]);
  await all.end();
  await some.end();
});

test('a client that comes back gets what it missed, and then what comes', async () => {
  const given = await gateway.given.account();
  const first = await both(given.caller, POSTED, { account: given.account });
  const seen = await postSome(gateway, given, 2);
  await got(2, first.stream, first.socket);
  await first.end();
  const missed = await postSome(gateway, given, 3);
  const second = await both(given.caller, POSTED, { account: given.account, after: cursors(first.stream)[1] });
  await got(3, second.stream, second.socket);
  const live = await postSome(gateway, given, 2);
  await got(5, second.stream, second.socket);
  for (const heard of [second.stream, second.socket]) expect(transactionIds(heard)).toEqual([...missed, ...live]);
  expect(transactionIds(first.socket)).toEqual(seen);
  await second.end();
});

test('a client that is cut off anywhere inside of a batch misses nothing of it, and gets nothing twice', async () => {
  const given = await gateway.given.account();
  const [{ cursor: after }] = await start(given);
  const batch = entries(500);
  await post(gateway, given, batch);
  const later = await postSome(gateway, given, 2);
  const heard: string[] = [];
  let cursor = after;
  while (heard.length < 502) {
    const stream = await take(
      given.caller,
      POSTED,
      { account: given.account, after: cursor },
      Math.min(randomInt(1, 90), 502 - heard.length),
    );
    heard.push(...transactionIds(stream));
    cursor = cursors(stream).at(-1) as string;
  }
  expect(heard).toEqual([...batch.map(({ transactionId }) => transactionId), ...later]);
});

/** The items of an account's first posting. */
async function start(given: { account: string; caller: string }) {
  const { stream, end } = await both(given.caller, POSTED, { account: given.account });
  await postSome(gateway, given, 1);
  await got(1, stream);
  await end();
  return itemsOf(stream);
}

test('what an import adds comes transaction by transaction', async () => {
  const given = await gateway.given.account();
  const { stream, socket, end } = await both(given.caller, POSTED, { account: given.account });
  const lines = entries(120);
  await importing(
    gateway,
    given.program,
    lines.map(each => line(given.account, each)),
  );
  await got(120, stream, socket);
  expect(transactionIds(stream)).toEqual(lines.map(({ transactionId }) => transactionId));
  expect(socket.results).toEqual(stream.results);
  await end();
});

test('other events between postings that were missed take nothing away', async () => {
  const given = await gateway.given.account({ owners: 2 });
  const [{ cursor: after }] = await start(given);
  const missed = await postSome(gateway, given, 2);
  await done(given.caller, 'removeAccountOwners', '[ID!]!', 'customerIds', given.account, [given.owners[1]]);
  missed.push(...(await postSome(gateway, given, 2)));
  const { stream, socket, end } = await both(given.caller, POSTED, { account: given.account, after });
  await got(4, stream, socket);
  expect([transactionIds(stream), transactionIds(socket)]).toEqual([missed, missed]);
  await end();
});

test('a subscription goes on from the cursor of a list of events', async () => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 1);
  const list = `{ events(first: 10, order: OLDEST_FIRST) { pageInfo { endCursor } nodes { type } } }`;
  let page: { endCursor: string } | undefined;
  await until(async () => {
    const { data } = await gateway.as(given.caller).graphql(list);
    page = data.events.pageInfo;
    return data.events.nodes.length === 1;
  });
  const posted = await postSome(gateway, given, 1);
  const { stream, socket, end } = await both(given.caller, POSTED, { account: given.account, after: page?.endCursor });
  await got(1, stream, socket);
  expect([transactionIds(stream), transactionIds(socket)]).toEqual([posted, posted]);
  await end();
});

test('the cursor of the moment brings what came before a client could subscribe, and nothing older', async () => {
  const { account, caller } = await gateway.given.account();
  await postSome(gateway, { account, caller }, 1);
  await gateway.feedReady();
  const { data } = await gateway.as(caller).graphql('{ feedCursor }');
  const posted = await postSome(gateway, { account, caller }, 2);
  const { stream, socket, end } = await both(caller, POSTED, { account, after: data.feedCursor });
  await until(() => stream.results.length >= 2 && socket.results.length >= 2);
  await end();
  expect([transactionIds(stream), transactionIds(socket)]).toEqual([posted, posted]);
});

test('bad cursors are refused: tampered, of another list, of another program', async () => {
  const given = await gateway.given.account();
  const other = await gateway.given.account();
  const [{ cursor: foreign }] = await start(other);
  const [{ cursor }] = await start(given);
  await post(gateway, given, entries(3));
  const [{ cursor: inside }] = itemsOf(await take(given.caller, POSTED, { account: given.account, after: cursor }, 1));
  expect(inside).toMatch(/\.2$/);
  const page = await gateway
    .as(given.caller)
    .graphql('query ($a: ID!) { account(accountId: $a) { transactions(first: 1) { pageInfo { endCursor } } } }', {
      a: given.account,
    });
  const { endCursor } = page.data.account.transactions.pageInfo;
  const bad = [foreign, endCursor, '', 'x', `${cursor}x`, `${inside}0000`, inside.replace('.', '..'), `${cursor}.0`];
  for (const after of bad) {
    const told = await refused(given.caller, POSTED, { account: given.account, after });
    expect([after, told]).toEqual([after, { status: 422, code: 'rule_broken', pointers: ['/after'] }]);
  }
  for (const after of [foreign, 'x', inside]) {
    expect(await refused(given.caller, CHANGED, { account: given.account, after })).toMatchObject({
      code: 'rule_broken',
    });
    expect(await refused(given.caller, RECORDED, { after })).toMatchObject({ code: 'rule_broken' });
  }
});

test('each subscription needs its scope, and an account that the caller sees', async () => {
  const { account, program, owners } = await gateway.given.account();
  const [customerId = null] = owners;
  const none = await gateway.caller({ program, scopes: ['cards.read'] });
  const customer = await gateway.caller({ program, customerId, scopes: ['operations', 'accounts.read'] });
  const stranger = await gateway.caller({ scopes: ['accounts.read', 'transactions.read', 'operations'] });
  expect(await refused(none, POSTED, { account })).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(await refused(none, CHANGED, { account })).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(await refused(none, RECORDED)).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(await refused(customer, POSTED, { account })).toMatchObject({ code: 'insufficient_scope' });
  expect(await refused(customer, RECORDED)).toMatchObject({ status: 403, code: 'program_wide_only' });
  expect(await refused(stranger, POSTED, { account })).toMatchObject({ status: 404, code: 'account_not_found' });
  expect(await refused(stranger, CHANGED, { account: unique('x') })).toMatchObject({ code: 'account_not_found' });
  expect(await refused(stranger, RECORDED, { filter: { types: ['account.exploded'] } })).toEqual({
    status: 422,
    code: 'rule_broken',
    pointers: ['/filter/types/0'],
  });
  expect(await gateway.openSubscriptions()).toBe(0);
});

test('operations are admitted as queries are: shape, cost, size, variables', async () => {
  const { account, caller } = await gateway.given.account();
  const list = (n: number) => `t${n}: transactions(first: 100) { nodes { transactionId } }`;
  const lists = Array.from({ length: 11 }, (_, n) => list(n)).join(' ');
  const aliases = Array.from({ length: 16 }, (_, n) => `a${n}: cursor`).join(' ');
  expect(await refused(caller, `subscription { accountChanged(accountId: "a") { ${aliases} } }`)).toMatchObject({
    status: 400,
    code: 'too_many_aliases',
  });
  expect(await refused(caller, 'subscription { accountChanged { cursor } }')).toMatchObject({ status: 400 });
  expect(
    await refused(caller, 'subscription { a: eventRecorded { cursor } b: eventRecorded { cursor } }'),
  ).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  expect(await refused(caller, POSTED, { account: { id: account } })).toMatchObject({ code: 'invalid_input' });
  expect(await refused(caller, `${POSTED} #${'x'.repeat(17_000)}`, { account })).toMatchObject({
    status: 413,
    code: 'too_large',
  });
  expect(
    await refused(caller, `subscription { accountChanged(accountId: "a") { account { ${lists} } } }`),
  ).toMatchObject({ status: 400, code: 'query_too_costly' });
});

describe('by GET, as GraphQL over server-sent events allows', () => {
  const ASKED = { accept: 'text/event-stream', method: 'GET' } as const;

  test('a subscription with a token is a stream of events', async () => {
    const given = await gateway.given.account();
    const asked = { query: POSTED, variables: { account: given.account } };
    const stream = await Stream.open(gateway, given.caller, asked, ASKED);
    expect([stream.status, stream.incoming.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await postSome(gateway, given, 2);
    await until(() => stream.text.split('event: next').length > 2);
    stream.close();
  });

  test('a mutation is refused and does nothing, however it is asked for', async () => {
    const { account, caller, beneficiary } = await gateway.given.beneficiary();
    const query = `mutation { deleteBeneficiary(input: { accountId: "${account}", beneficiaryId: "${beneficiary}" }) { beneficiary { beneficiaryId } } }`;
    for (const accept of [
      'text/event-stream',
      'text/event-stream, application/json',
      'application/json, text/event-stream',
    ]) {
      const stream = await Stream.open(gateway, caller, { query }, { ...ASKED, accept });
      expect((await stream.whole()).errors).toHaveLength(1);
      expect([stream.status, stream.incoming.headers.allow]).toEqual([405, 'POST']);
    }
    const { status } = await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries/${beneficiary}`);
    expect(status).toBe(200);
  });

  test('a query is answered whole, and what is malformed is refused', async () => {
    const { account, caller } = await gateway.given.account();
    const query = 'query Known($account: ID!) { account(accountId: $account) { accountId } }';
    const whole = await Stream.open(gateway, caller, { query, variables: { account } }, ASKED);
    expect(await whole.whole()).toEqual({ data: { account: { accountId: account } } });
    const bad = await Stream.open(gateway, caller, { query: POSTED, variables: [7] }, ASKED);
    expect([bad.status, (await bad.whole()).data]).toEqual([400, undefined]);
  });
});

test.each([
  ['a field', 'accountChanged(accountId: "a") @include(if: $s) { cursor }', ''],
  ['a field that is skipped', 'accountChanged(accountId: "a") @skip(if: $s) { cursor }', ''],
  ['an inline fragment', '... @include(if: $s) { accountChanged(accountId: "a") { cursor } }', ''],
  ['a fragment', '...F @include(if: $s)', 'fragment F on Subscription { accountChanged(accountId: "a") { cursor } }'],
  [
    'inside of a fragment',
    '...F',
    'fragment F on Subscription { accountChanged(accountId: "a") @skip(if: $s) { cursor } }',
  ],
])(
  'a condition at the root of a subscription is refused in every transport: %s',
  async (_what, selection, fragment) => {
    const { caller } = await gateway.given.account();
    for (const s of [true, false]) {
      const operation = { query: `subscription ($s: Boolean!) { ${selection} } ${fragment}`, variables: { s } };
      for (const accept of [MULTIPART, 'text/event-stream', 'application/graphql-response+json']) {
        const answer = await Stream.open(gateway, caller, operation, { accept });
        expect([answer.status, (await answer.whole()).errors[0].extensions.code]).toEqual([400, 'MALFORMED_REQUEST']);
      }
      const client = socketClient(gateway, caller);
      const socket = listen(client, operation);
      await until(() => socket.isOver);
      expect(socket.errors?.[0].extensions.code).toBe('MALFORMED_REQUEST');
      await client.dispose();
    }
    expect(gateway.log.filter(text => text.includes('"level":"error"'))).toEqual([]);
  },
);

test('a subscription is refused where its answer cannot be a stream, and other operations on a WebSocket', async () => {
  const { account, caller } = await gateway.given.account();
  const plain = await gateway.as(caller).graphql(POSTED, { account });
  expect([plain.status, plain.errors?.[0].extensions.code]).toEqual([406, 'STREAM_REQUIRED']);
  const deferred = await Stream.open(
    gateway,
    caller,
    { query: POSTED, variables: { account } },
    { accept: 'multipart/mixed;deferSpec=20220824,application/json' },
  );
  expect((await deferred.whole()).errors[0].extensions.code).toBe('STREAM_REQUIRED');
  const client = socketClient(gateway, caller);
  const query = listen(client, { query: '{ accounts { totalCount } }' });
  const mutation = listen(client, {
    query:
      'mutation ($a: ID!) { postAccountTransactions(input: { accountId: $a, transactions: [] }) { transactions { transactionId } } }',
    variables: { a: account },
  });
  await until(() => query.isOver && mutation.isOver);
  for (const { errors } of [query, mutation]) expect(errors?.[0].extensions.code).toBe('SUBSCRIPTIONS_ONLY');
  await client.dispose();
});

test('a subscription ends when its customer no longer owns the account, with the cursor to go on from', async () => {
  const { account, program, owners, caller } = await gateway.given.account({ owners: 2 });
  const [, customerId = null] = owners;
  const customer = await gateway.caller({ program, customerId });
  const { stream, socket } = await both(customer, POSTED, { account });
  const posted = await postSome(gateway, { account, caller }, 1);
  await got(1, stream, socket);
  await done(caller, 'removeAccountOwners', '[ID!]!', 'customerIds', account, [customerId]);
  await until(() => stream.isOver && socket.isOver);
  await postSome(gateway, { account, caller }, 1);
  for (const heard of [stream, socket]) {
    expect(heard.errors).toEqual([
      {
        message: expect.any(String),
        extensions: { code: 'ACCOUNT_NOT_FOUND', cursor: cursors(stream)[0], requestId: expect.any(String) },
      },
    ]);
    expect(transactionIds(heard)).toEqual(posted);
  }
  await subscriptions(gateway, 0);
});

test('an error inside of an item is told in the item, and the subscription goes on', async () => {
  const { account, program, caller } = await gateway.given.account();
  const reader = await gateway.caller({ program, scopes: ['accounts.read', 'transactions.read'] });
  const query = `subscription ($account: ID!) { accountChanged(accountId: $account) { account { accountId beneficiaries { totalCount } } } }`;
  const { stream, socket, end } = await both(reader, query, { account });
  await postSome(gateway, { account, caller }, 1);
  await got(1, stream, socket);
  for (const result of [...stream.results, ...socket.results]) {
    expect(result).toMatchObject({
      data: { accountChanged: { account: { accountId: account, beneficiaries: null } } },
      errors: [{ path: ['accountChanged', 'account', 'beneficiaries'], extensions: { code: 'INSUFFICIENT_SCOPE' } }],
    });
  }
  await end();
});

test('a client that comes back a hundred times while others post misses nothing and gets nothing twice', async () => {
  const given = await gateway.given.account();
  const [{ cursor: first }] = await start(given);
  const posted: string[] = [];
  let isPosting = true;
  const poster = (async () => {
    for (let batch = 0; batch < 40; batch++) posted.push(...(await postSome(gateway, given, randomInt(1, 12))));
    isPosting = false;
  })();
  const heard: string[] = [];
  let after: string = first;
  for (let connection = 0; connection < 100; connection++) {
    const stream = await Stream.open(gateway, given.caller, {
      query: POSTED,
      variables: { account: given.account, after },
    });
    const wanted = randomInt(0, 12);
    await until(() => stream.results.length >= wanted || !isPosting);
    stream.close();
    heard.push(...transactionIds(stream));
    after = cursors(stream).at(-1) ?? after;
  }
  await poster;
  const rest = await Stream.open(gateway, given.caller, {
    query: POSTED,
    variables: { account: given.account, after },
  });
  await got(posted.length - heard.length, rest);
  rest.close();
  expect([...heard, ...transactionIds(rest)]).toEqual(posted);
});

test('a follower of an account is told only what its token may read', async () => {
  const { account, owners, program } = await gateway.given.account();
  const caller = await gateway.caller({
    program,
    customerId: owners[0] as string,
    scopes: ['accounts.read', 'cards.read'],
  });
  const operator = await gateway.caller({ program });
  const { stream, socket, end } = await both(caller, CHANGED, { account });
  const { rest } = gateway.as(operator);
  await rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
  await post(gateway, { account, caller: operator }, [entry()]);
  await rest.post('/cards/v1/cards', newCard(account, owners[0] as string));
  await rest.post(`/accounts/${account}/owners/add`, {
    holders: await gateway.given.customers(program, 1).then(([id]) => [{ customerId: id }]),
  });
  await until(() => [stream, socket].every(({ results }) => results.length === 2));
  for (const heard of [stream, socket]) {
    expect(itemsOf(heard).map(({ node }) => node.type)).toEqual(['card.created', 'account.owner_added']);
  }
  await end();
});
