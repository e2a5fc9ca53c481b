import { afterEach, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { readConfig } from '../../../../src/app/config.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../../support/gateway-inside.js';
import { until } from '../../../support/until.js';
import { valueOf } from '../../metrics/reading.js';
import { entries, post, postSome } from '../../../transaction/support/ledger.js';
import { POSTED, Stream, itemsOf, listen, socketClient, subscriptions, transactionIds } from './listening.js';

const { graphql } = readConfig({});

let gateway: GatewayInThisProcess;
afterEach(() => gateway.stop());

const start = async (...given: Parameters<typeof startGatewayInside>): Promise<GatewayInThisProcess> =>
  (gateway = await startGatewayInside(...given));

const limited = (max: number, maxPerClient: number) => ({
  graphql: { ...graphql, subscriptions: { max, maxPerClient } },
});

const CURSOR = expect.stringMatching(/^[\w-]+(\.\d+)?$/);

function endedWith(code: string, more: object = {}) {
  return [
    { message: expect.any(String), extensions: { code, cursor: CURSOR, requestId: expect.any(String), ...more } },
  ];
}

test('a subscription ends with its token: an error over HTTP, the code 4403 on a WebSocket', async () => {
  await start();
  const { account, program } = await gateway.given.account();
  const caller = await gateway.caller({ program, ttlSeconds: 2 });
  const endsAtMs = Date.now() + 2000;
  const stream = await Stream.open(gateway, caller, { query: POSTED, variables: { account } });
  const client = socketClient(gateway, caller);
  const socket = listen(client, { query: POSTED, variables: { account } });
  await subscriptions(gateway, 2);
  expect(Date.now()).toBeLessThan(endsAtMs);
  await until(() => stream.isOver && socket.isOver);
  // The times in tokens are whole seconds.
  expect(Date.now()).toBeGreaterThan(endsAtMs - 1000);
  expect(stream.errors).toEqual(endedWith('UNAUTHENTICATED'));
  expect(socket.closed).toEqual({ code: 4403, reason: 'UNAUTHENTICATED' });
  await subscriptions(gateway, 0);
  await client.dispose();
  const again = listen(socketClient(gateway, 'bad'), { query: POSTED, variables: { account } });
  await until(() => again.isOver);
  expect(again.closed).toEqual({ code: 4403, reason: 'UNAUTHENTICATED' });
});

test('the token of a WebSocket may come with its first message or with its request', async () => {
  await start();
  const { account, caller } = await gateway.given.account();
  const authorization = `Bearer ${caller}`;
  class Authorized extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { headers: { authorization } });
    }
  }
  const clients = [
    socketClient(gateway, null, { connectionParams: { authorization } }),
    socketClient(gateway, null, { connectionParams: { Authorization: authorization } }),
    socketClient(gateway, null, { webSocketImpl: Authorized }),
  ];
  const heard = clients.map(client => listen(client, { query: POSTED, variables: { account } }));
  await subscriptions(gateway, 3);
  const posted = await postSome(gateway, { account, caller }, 1);
  await until(() => heard.every(({ results }) => results.length > 0));
  for (const each of heard) expect(transactionIds(each)).toEqual(posted);
  const none = listen(socketClient(gateway, null), { query: POSTED, variables: { account } });
  await until(() => none.isOver);
  expect(none.closed).toEqual({ code: 4403, reason: 'UNAUTHENTICATED' });
  for (const client of clients) await client.dispose();
});

test('a client may have so many open subscriptions, and the gateway so many of all clients', async () => {
  await start(limited(3, 2));
  const { account, program } = await gateway.given.account();
  const callerOf = (clientId: string) => gateway.caller({ program, clientId });
  const subscribe = async (clientId: string) =>
    Stream.open(gateway, await callerOf(clientId), { query: POSTED, variables: { account } });
  const open = [await subscribe('a'), await subscribe('a')];
  const third = await subscribe('a');
  expect([third.status, third.incoming.headers['retry-after']]).toEqual([429, '5']);
  expect((await third.whole()).errors).toEqual([
    {
      message: expect.stringContaining('client'),
      extensions: expect.objectContaining({ code: 'TOO_MANY_SUBSCRIPTIONS' }),
    },
  ]);
  const client = socketClient(gateway, await callerOf('b'));
  const socket = listen(client, { query: POSTED, variables: { account } });
  await subscriptions(gateway, 3);
  const another = listen(client, { query: POSTED, variables: { account } });
  await until(() => another.isOver);
  expect(another.errors).toEqual([
    {
      message: expect.stringContaining('gateway'),
      extensions: expect.objectContaining({ code: 'TOO_MANY_SUBSCRIPTIONS' }),
    },
  ]);
  expect(socket.isOver).toBe(false);
  open[0]?.close();
  await subscriptions(gateway, 2);
  expect((await subscribe('a')).status).toBe(200);
  await client.dispose();
});

test('a client may have so many WebSockets, also without subscriptions', async () => {
  await start(limited(3, 2));
  const { account, caller } = await gateway.given.account();
  const [first, second, third] = [1, 2, 3].map(() =>
    socketClient(gateway, caller, { lazy: false, onNonLazyError: () => undefined }),
  );
  await until(() => gateway.gateway.subscriptions.connections() >= 2);
  await until(() => gateway.gateway.subscriptions.connections() === 2);
  const refused = listen(socketClient(gateway, caller), { query: POSTED, variables: { account } });
  await until(() => refused.isOver);
  expect(refused.closed).toEqual({ code: 1013, reason: 'TOO_MANY_SUBSCRIPTIONS' });
  for (const client of [first, second, third]) await client?.dispose();
});

test('a process that stops tells its clients to come back elsewhere, within its grace', async () => {
  await start({ shutdownGraceMs: 400 });
  const given = await gateway.given.account();
  const { account, caller } = given;
  const operation = { query: POSTED, variables: { account } };
  const streams = await Promise.all([1, 2, 3].map(() => Stream.open(gateway, caller, operation)));
  const events = await Stream.open(gateway, caller, operation, { accept: 'text/event-stream' });
  const client = socketClient(gateway, caller);
  const socket = listen(client, operation);
  await subscriptions(gateway, 5);
  await postSome(gateway, given, 1);
  await until(() => [...streams, socket].every(({ results }) => results.length === 1));
  const stopping = gateway.gateway.stop();
  await until(() => socket.isOver && streams.every(({ isOver }) => isOver) && events.isOver);
  for (const stream of streams) {
    expect(stream.errors).toEqual(endedWith('UNAVAILABLE', { retryAfterSeconds: 1 }));
    expect(stream.errors?.[0].extensions.cursor).toBe(itemsOf(stream)[0].cursor);
    expect(stream.text).toBe('--\r\n');
  }
  expect(events.text).toMatch(/event: next\ndata: \{"errors":.*"UNAVAILABLE".*\}\n\nevent: complete\ndata: \n\n$/);
  expect(socket.closed).toEqual({ code: 1012, reason: 'UNAVAILABLE' });
  await stopping;
});

test('a client that reads nothing is ended with its cursor, and gets the rest when it comes back', async () => {
  await start();
  const given = await gateway.given.account();
  const { account, caller } = given;
  const memo = 'x'.repeat(400);
  // More than the system keeps for a connection.
  const aliases = Array.from({ length: 15 }, (_, n) => `m${n}: memo d${n}: description`).join(' ');
  const query = POSTED.replace('amount', aliases);
  const stream = await Stream.open(gateway, caller, { query, variables: { account } });
  const wires: WebSocket[] = [];
  class Paused extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      wires.push(this);
    }
  }
  const client = socketClient(gateway, caller, { webSocketImpl: Paused });
  const socket = listen(client, { query, variables: { account } });
  await subscriptions(gateway, 2);
  stream.pause();
  for (const wire of wires) wire.pause();
  const posted: string[] = [];
  for (let batch = 0; batch < 3; batch++) {
    const added = entries(500, () => ({ memo, description: memo }));
    await post(gateway, given, added);
    posted.push(...added.map(({ transactionId }) => transactionId));
  }
  await subscriptions(gateway, 0);
  for (const wire of wires) wire.resume();
  stream.resume();
  await until(() => stream.isOver && socket.isOver);
  expect(socket.closed).toBeNull();
  for (const heard of [stream, socket]) {
    expect(heard.errors).toEqual(endedWith('SUBSCRIBER_TOO_SLOW'));
    const after = heard.errors?.[0].extensions.cursor;
    expect(itemsOf(heard).at(-1).cursor).toBe(after);
    const rest = await Stream.open(gateway, caller, { query, variables: { account, after } });
    await until(() => rest.results.length >= posted.length - heard.results.length);
    expect([...transactionIds(heard), ...transactionIds(rest)]).toEqual(posted);
    rest.close();
  }
  await client.dispose();
});

test('each item costs the client, which waits for its rate', async () => {
  await start({ ratePerSecond: 10, rateBurst: 20 });
  const { account, program } = await gateway.given.account();
  const reader = await gateway.caller({ program, clientId: 'reader' });
  const caller = await gateway.caller({ program, clientId: 'poster' });
  const stream = await Stream.open(gateway, reader, { query: POSTED, variables: { account } });
  await post(gateway, { account, caller }, entries(40));
  await until(() => stream.results.length >= 19);
  const refused = await gateway.as(reader).graphql('{ accounts { totalCount } }');
  expect([refused.status, refused.errors?.[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
  await until(() => stream.results.length === 40);
  stream.close();
});

test('a subscription whose client would wait too long for its rate ends, with its cursor', async () => {
  await start({ ratePerSecond: 1, rateBurst: 60 });
  const { account, program } = await gateway.given.account();
  const reader = await gateway.caller({ program, clientId: 'reader' });
  const caller = await gateway.caller({ program, clientId: 'poster' });
  const stream = await Stream.open(gateway, reader, { query: POSTED, variables: { account } });
  await post(gateway, { account, caller }, entries(100));
  await until(() => stream.isOver);
  // The operation itself costs a unit, and four more since its document is new.
  expect(stream.results).toHaveLength(55);
  expect(stream.errors).toEqual(endedWith('RATE_LIMITED', { retryAfterSeconds: expect.any(Number) }));
  expect(stream.errors?.[0].extensions.cursor).toBe(itemsOf(stream).at(-1).cursor);
});

test('pages of other origins may open no WebSocket, unless the operator allows them', async () => {
  await start({ corsOrigins: ['https://app.example.com'] });
  const { account, caller } = await gateway.given.account();
  const from = (origin: string) => {
    class Page extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { origin });
      }
    }
    return socketClient(gateway, caller, { webSocketImpl: Page });
  };
  for (const origin of ['https://app.example.com', gateway.url]) {
    const client = from(origin);
    const heard = listen(client, { query: POSTED, variables: { account } });
    await subscriptions(gateway, 1);
    expect(heard.isOver).toBe(false);
    await client.dispose();
    await subscriptions(gateway, 0);
  }
  for (const origin of ['https://evil.example', 'null', gateway.url.replace('127.0.0.1', 'localhost')]) {
    const heard = listen(from(origin), { query: POSTED, variables: { account } });
    await until(() => heard.isOver);
    expect(heard.results).toEqual([]);
  }
  const answer = await gateway.as(caller).raw({
    path: '/graphql',
    headers: { origin: 'https://evil.example', connection: 'Upgrade', upgrade: 'websocket' },
  });
  expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
});

test('a request that would like another protocol elsewhere is answered as if it would not', async () => {
  await start();
  const { account, caller } = await gateway.given.account();
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  const rest = await gateway.as(caller).rest.get(`/accounts/${account}/transactions`, headers);
  expect([rest.status, rest.body.transactions ?? rest.body]).toEqual([200, expect.anything()]);
  const query = await gateway.as(caller).graphql('{ accounts { totalCount } }', {}, { headers });
  expect(query.data).toEqual({ accounts: { totalCount: 1 } });
});

test('messages that are no messages close the WebSocket', async () => {
  await start();
  const { caller } = await gateway.given.account();
  const codeAfter = async (...messages: string[]): Promise<number> => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    let code = 0;
    socket.on('open', () => messages.forEach(message => socket.send(message)));
    socket.on('close', closed => (code = closed));
    await until(() => code !== 0);
    return code;
  };
  const init = JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${caller}` } });
  expect(await codeAfter('hello')).toBe(4400);
  expect(await codeAfter(init, '{"type":"nonsense"}')).toBe(4400);
  expect(await codeAfter(init, init)).toBe(4429);
  expect(await codeAfter(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: POSTED } }))).toBe(4401);
  expect(await codeAfter(init, 'x'.repeat(40_000))).toBe(1009);
  await until(() => gateway.gateway.subscriptions.connections() === 0);
  expect(gateway.log.filter(line => line.includes('"level":"error"'))).toEqual([]);
});

test('what is open, what was sent and why it ended is counted and logged', async () => {
  await start();
  const given = await gateway.given.account();
  const { account, caller } = given;
  const stream = await Stream.open(gateway, caller, { query: POSTED, variables: { account } });
  const client = socketClient(gateway, caller);
  const socket = listen(client, { query: POSTED, variables: { account } });
  await subscriptions(gateway, 2);
  await postSome(gateway, given, 3);
  await until(() => [stream, socket].every(({ results }) => results.length === 3));
  const metrics = async (): Promise<string> => (await gateway.http.send({ path: '/metrics' })).text;
  const open = await metrics();
  expect(valueOf(open, 'tillgate_subscriptions_open')).toBe(2);
  expect(valueOf(open, 'tillgate_subscription_connections')).toBe(2);
  expect(valueOf(open, 'tillgate_subscription_events_total')).toBe(6);
  stream.close();
  await client.dispose();
  await subscriptions(gateway, 0);
  expect(await metrics()).toContain('tillgate_subscriptions_ended_total{reason="client"} 2');
  await until(async () => (await gateway.logged()).filter(line => line.includes('subscription ended')).length === 2);
  const [line = ''] = gateway.log.filter(each => each.includes('subscription ended'));
  expect(JSON.parse(line)).toMatchObject({ operation: 'Posted', cost: 1, reason: 'client', events: 3 });
  expect(gateway.log.join('')).not.toContain('"aborted"');
});

test('queries are compiled while subscriptions are open', async () => {
  await start();
  const { account, caller } = await gateway.given.account();
  const stream = await Stream.open(gateway, caller, { query: POSTED, variables: { account } });
  for (let time = 0; time < 4; time++) await gateway.as(caller).graphql('{ accounts { nodes { accountId } } }');
  const compiled = async (): Promise<number> =>
    valueOf((await gateway.http.send({ path: '/metrics' })).text, 'tillgate_graphql_compiled_operations');
  await until(async () => (await compiled()) > 0);
  expect(stream.isOver).toBe(false);
  stream.close();
});
