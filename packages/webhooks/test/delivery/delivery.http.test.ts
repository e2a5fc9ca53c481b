import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { publicKeyOf } from '../../../../lib/standard-webhooks/standard-webhooks.js';
import { readManifest } from '../../../../src/platform/manifest.js';
import { unique } from '../../../../test/support/gateway.js';
import { until } from '../../../../test/support/until.js';
import type { ReceivedRequest } from '../../../../lib/guarded-connect/test/receiver.js';
import { accountsOf, attemptsOf, idsOf, Site } from './site.js';

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.stop());

test('an event comes as Standard Webhooks says, and its receiver can verify it', async () => {
  const receiver = await site.receiver();
  const { endpointId, program, secret } = await site.endpoint(receiver.url);
  const [id] = await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1);
  const [received] = receiver.received;
  expect(received?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': `Tillgate/${readManifest().version}`,
    'webhook-id': `evt_${id}`,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  });
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>)).toEqual({
    type: 'card.frozen',
    timestamp: expect.stringMatching(/^\d{4}-.+Z$/),
    data: expect.objectContaining({ accountId: 'acc-1', cardId: 'card-1', sequence: 1 }),
  });
});

test('an endpoint that asks for it gets signatures of Ed25519', async () => {
  const receiver = await site.receiver();
  const program = unique('program');
  const operator = await site.operator(program);
  const input = { url: receiver.url, types: ['card.frozen'], signing: 'V1A' };
  const { endpointId, publicKey } = (await operator.rest.post('/webhook-endpoints', input)).body;
  await site.events(program, ['acc-1']);
  await site.settled(endpointId as string, 1);
  const { headers = {}, body = '' } = receiver.received[0] as Partial<ReceivedRequest>;
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const signature = String(headers['webhook-signature']).replace(/^v1a,/, '');
  const key = publicKeyOf(publicKey as string);
  expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true);
});

test('after a rotation the old and the new secret both verify', async () => {
  const receiver = await site.receiver();
  const { endpointId, program, secret } = await site.endpoint(receiver.url);
  const operator = await site.operator(program);
  const { body } = await operator.rest.post(`/webhook-endpoints/${endpointId}/rotate-secret`);
  await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1);
  const [received] = receiver.received;
  for (const each of [secret, body.secret as string]) {
    const check = () => new Webhook(each).verify(received?.body ?? '', received?.headers as Record<string, string>);
    expect(check).not.toThrow();
  }
});

test('a secret is erased once it no longer signs', async () => {
  const receiver = await site.receiver();
  const { endpointId, program } = await site.endpoint(receiver.url);
  const operator = await site.operator(program);
  const { body } = await operator.rest.post(`/webhook-endpoints/${endpointId}/rotate-secret`);
  const secrets = async () => {
    const found = await site.gateway.sql.query<{ sealed: Buffer }>(
      'SELECT sealed FROM webhook_endpoint WHERE endpoint_id = $1',
      [endpointId],
    );
    return site.gateway.opened(`webhook_endpoint/${endpointId}`, found.rows[0]?.sealed as Buffer);
  };
  await site.secretsForgotten();
  expect(await secrets()).toEqual({ current: body.secret, previous: expect.stringMatching(/^whsec_/) });
  await site.gateway.sql.query(
    `UPDATE webhook_endpoint SET previous_valid_until = now() - interval '1 second' WHERE endpoint_id = $1`,
    [endpointId],
  );
  await site.secretsForgotten();
  expect(await secrets()).toEqual({ current: body.secret, previous: null });
  const seen = await operator.rest.get(`/webhook-endpoints/${endpointId}`);
  expect(seen.body.previousValidUntil).toBe('');
  await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1);
  const [received] = receiver.received;
  expect(() =>
    new Webhook(body.secret as string).verify(received?.body ?? '', received?.headers as Record<string, string>),
  ).not.toThrow();
});

test('an endpoint gets the events that it asks for, and no others', async () => {
  const receiver = await site.receiver();
  const program = unique('program');
  const account = (await site.gateway.given.account({ program })).account;
  const { endpointId } = await site.endpoint(receiver.url, { accountIds: [account] }, program);
  await site.events(program, [account, 'other', null]);
  await site.events(program, [account], 'card.unfreeze');
  await site.events(unique('stranger'), [account]);
  await site.events(program, [account]);
  await site.settled(endpointId, 2);
  expect(accountsOf(receiver)).toEqual([account, account]);
});

test('an endpoint gets what happens after it was created, and nothing from before', async () => {
  const receiver = await site.receiver();
  const program = unique('program');
  await site.events(program, ['acc-1']);
  await site.gateway.feedReady();
  const { endpointId } = await site.endpoint(receiver.url, {}, program);
  const ids = await site.events(program, ['acc-2']);
  await site.settled(endpointId, 1);
  expect(idsOf(receiver)).toEqual(ids);
});

test('the events of each account come in order, one at a time, also where there are many', async () => {
  let [running, most] = [new Map<string, number>(), 0];
  const receiver = await site.receiver((response, { body }) => {
    const { accountId } = JSON.parse(body).data as { accountId: string };
    running = running.set(accountId, (running.get(accountId) ?? 0) + 1);
    most = Math.max(most, running.get(accountId) ?? 0);
    setTimeout(() => {
      running.set(accountId, (running.get(accountId) ?? 0) - 1);
      response.end();
    }, Math.random() * 4);
  });
  const { endpointId, program } = await site.endpoint(receiver.url);
  // One account has most of the events, so that the others are behind more of it than is kept in memory.
  const accounts = Array.from({ length: 600 }, (_, n) => (n % 3 === 0 ? `acc-${n % 7}` : 'acc-hot'));
  const ids = await site.events(program, accounts);
  await site.settled(endpointId, 600);
  expect(most).toBe(1);
  expect(new Set(idsOf(receiver)).size).toBe(600);
  for (const account of new Set(accounts)) {
    expect(idsOf(receiver, each => each === account)).toEqual(ids.filter((_, index) => accounts[index] === account));
  }
});

test('without a fault nothing is sent twice, however many wait in the database', async () => {
  const receiver = await site.receiver();
  const { endpointId, program } = await site.endpoint(receiver.url);
  const ids = await site.events(
    program,
    Array.from({ length: 3000 }, (_, n) => `acc-${n % 4}`),
  );
  await site.settled(endpointId, ids.length);
  expect(receiver.received).toHaveLength(ids.length);
});

test('an account that fails holds up itself alone, and goes on in order when it is back', async () => {
  let isBack = false;
  const receiver = await site.receiver((response, { body }) => {
    const { accountId } = JSON.parse(body).data as { accountId: string };
    response.writeHead(accountId === 'acc-bad' && !isBack ? 500 : 204).end();
  });
  // A pause in which a test can look.
  const own = await Site.start({ retrySeconds: Array.from({ length: 9 }, () => 0.3) });
  try {
    const { endpointId, program } = await own.endpoint(receiver.url);
    const accounts = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? 'acc-bad' : `acc-${n % 5}`));
    const ids = await own.events(program, accounts);
    await until(() => new Set(idsOf(receiver, account => account !== 'acc-bad')).size === 100);
    expect(new Set(idsOf(receiver, account => account === 'acc-bad')).size).toBe(1);
    isBack = true;
    await own.settled(endpointId, 200);
    const bad = idsOf(receiver, account => account === 'acc-bad');
    expect(bad.filter((id, index) => bad.indexOf(id) === index)).toEqual(ids.filter((_, n) => n % 2 === 0));
  } finally {
    await own.stop();
  }
});

test('a delivery that fails is sent again with the same id and body, and fails for good after ten attempts', async () => {
  const receiver = await site.receiver((response, { body }) => {
    const { accountId } = JSON.parse(body).data as { accountId: string };
    response.writeHead(accountId === 'acc-bad' ? 503 : 200).end('try later');
  });
  const { endpointId, program } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-bad', 'acc-bad', 'acc-good']);
  await site.settled(endpointId, 3, ['DELIVERED', 'FAILED']);
  const first = receiver.received.filter(({ headers }) => headers['webhook-id'] === `evt_${idsOf(receiver)[0]}`);
  expect(first).toHaveLength(10);
  expect(new Set(first.map(({ body }) => body)).size).toBe(1);
  const shown = await attemptsOf(site, program, endpointId);
  expect(shown.map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['DELIVERED', 1],
    ['FAILED', 10],
    ['FAILED', 10],
  ]);
  expect(shown[1]?.attempts[0]).toMatchObject({ httpStatus: 503, error: null, answer: 'try later' });
});

describe('an attempt fails', () => {
  test.each([301, 302, 307, 400, 404, 500, 503])('with status %d', async status => {
    let isFirst = true;
    const inside = await site.receiver();
    const receiver = await site.receiver(response => {
      response.writeHead(isFirst ? status : 200, { location: inside.url }).end();
      isFirst = false;
    });
    const { endpointId, program } = await site.endpoint(receiver.url);
    await site.events(program, ['acc-1']);
    await site.settled(endpointId, 1);
    const [delivery] = await attemptsOf(site, program, endpointId);
    expect(delivery?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([status, 200]);
    expect(inside.connections).toBe(0);
  });

  test('without an answer, and the code says why', async () => {
    let isFirst = true;
    const receiver = await site.receiver(response => {
      if (isFirst) response.socket?.destroy();
      else response.end();
      isFirst = false;
    });
    const { endpointId, program } = await site.endpoint(receiver.url);
    await site.events(program, ['acc-1']);
    await site.settled(endpointId, 1);
    const [delivery] = await attemptsOf(site, program, endpointId);
    expect(delivery?.attempts[0]).toMatchObject({ httpStatus: null, error: 'CONNECTION_FAILED', answer: null });
  });
});

test('an answer that is large or never ends is cut, sealed, and harms nobody', async () => {
  const receiver = await site.receiver(response => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('owner@bank.example '.repeat(100)), 5);
    response.once('close', () => clearInterval(timer));
  });
  const { endpointId, program } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1);
  const [delivery] = await attemptsOf(site, program, endpointId);
  expect(delivery?.attempts[0]?.answer).toBe('owner@bank.example '.repeat(300).slice(0, 4096));
  const { rows } = await site.gateway.sql.query<{ answer: Buffer }>(
    'SELECT answer FROM webhook_delivery WHERE endpoint_id = $1',
    [endpointId],
  );
  expect(rows[0]?.answer.includes('owner@bank.example')).toBe(false);
});

test('410 disables an endpoint at once, with an event and a line in the log', async () => {
  const receiver = await site.receiver(response => response.writeHead(410).end());
  const told = await site.receiver();
  const { endpointId, program } = await site.endpoint(receiver.url);
  const other = await site.endpoint(told.url, { types: ['webhook_endpoint.disabled'] }, program);
  await site.events(program, ['acc-1', 'acc-2']);
  await site.settled(other.endpointId, 1);
  expect(JSON.parse(told.received[0]?.body ?? '')).toMatchObject({
    type: 'webhook_endpoint.disabled',
    data: { endpointId, status: 'DISABLED', disabledReason: 'GONE' },
  });
  const operator = await site.operator(program);
  expect((await operator.rest.get(`/webhook-endpoints/${endpointId}`)).body).toMatchObject({
    status: 'DISABLED',
    disabledReason: 'GONE',
  });
  expect((await site.gateway.logged()).some(line => line.includes(endpointId) && line.includes('GONE'))).toBe(true);
});

test('an endpoint that an operator has disabled meanwhile stays as it is, and so does the record of it', async () => {
  const { sql, http } = site.gateway;
  const disabled = () =>
    sql.query(
      `UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'OPERATOR', version = 9 WHERE program = $1`,
      [program],
    );
  const receiver = await site.receiver(response => {
    void disabled().then(() => response.writeHead(410).end());
  });
  const { endpointId, program } = await site.endpoint(receiver.url);
  const ended = async () => {
    const { text } = await http.send({ path: '/metrics' });
    return Number(/^tillgate_commands_total\{command="webhook_endpoint.disable".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await ended();
  await site.events(program, ['acc-1']);
  await until(async () => (await ended()) > before);
  const { rows } = await sql.query('SELECT disabled_reason, version FROM webhook_endpoint WHERE endpoint_id = $1', [
    endpointId,
  ]);
  expect(rows).toEqual([{ disabled_reason: 'OPERATOR', version: 9 }]);
  const { rows: events } = await sql.query(
    `SELECT FROM event WHERE program = $1 AND action = 'webhook_endpoint.disable'`,
    [program],
  );
  expect(events).toEqual([]);
});

test('an endpoint is disabled after five days of failure alone', async () => {
  let status = 500;
  const receiver = await site.receiver(response => response.writeHead(status).end());
  const { endpointId, program } = await site.endpoint(receiver.url);
  const day = 24 * 60 * 60 * 1000;
  const failing = (sinceMs: number) =>
    site.gateway.sql.query('UPDATE webhook_endpoint SET failing_since = $2 WHERE endpoint_id = $1', [
      endpointId,
      new Date(Date.now() - sinceMs).toISOString(),
    ]);
  const operator = await site.operator(program);
  const read = async () => (await operator.rest.get(`/webhook-endpoints/${endpointId}`)).body;
  await failing(5 * day - 60_000);
  await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1, ['FAILED']);
  expect(await read()).toMatchObject({ status: 'ENABLED' });
  // It is given back when it has nothing to do, and whoever takes it next reads since when it fails.
  await site.released(endpointId);
  await failing(5 * day + 60_000);
  await site.events(program, ['acc-2']);
  await until(async () => (await read()).status === 'DISABLED');
  expect(await read()).toMatchObject({ disabledReason: 'FAILING' });
  // It goes on where it was when it is enabled again.
  status = 200;
  await operator.rest.patch(`/webhook-endpoints/${endpointId}`, { status: 'ENABLED' });
  await site.settled(endpointId, 2, ['FAILED', 'DELIVERED']);
  await until(async () => (await read()).failingSince === '');
});

test('operators see since when an endpoint fails, until it succeeds', async () => {
  let status = 500;
  const receiver = await site.receiver(response => response.writeHead(status).end());
  const { endpointId, program } = await site.endpoint(receiver.url);
  const operator = await site.operator(program);
  const since = async () => (await operator.rest.get(`/webhook-endpoints/${endpointId}`)).body.failingSince as string;
  const before = new Date().toISOString();
  await site.events(
    program,
    Array.from({ length: 40 }, () => 'acc-1'),
  );
  await until(async () => (await since()) !== '');
  expect((await since()) >= before).toBe(true);
  status = 200;
  await until(async () => (await since()) === '');
});

test('429 pauses the whole endpoint for as long as it asks', async () => {
  const receiver = await site.receiver(response => response.writeHead(429, { 'retry-after': '3600' }).end());
  const { endpointId, program } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-1']);
  await until(() => receiver.received.length > 0);
  await site.released(endpointId);
  const count = receiver.received.length;
  await site.events(program, ['acc-2', 'acc-3']);
  await site.gateway.feedReady();
  const healthy = await site.receiver();
  const other = await site.endpoint(healthy.url, {}, program);
  await site.events(program, ['acc-4']);
  await site.settled(other.endpointId, 1);
  expect(receiver.received).toHaveLength(count);
  const { rows } = await site.gateway.sql.query<{ seconds: number }>(
    'SELECT extract(epoch FROM paused_until - now())::float8 AS seconds FROM webhook_sender WHERE endpoint_id = $1',
    [endpointId],
  );
  expect(rows[0]?.seconds).toBeGreaterThan(3500);
});

test('a test is sent past all other deliveries, and its receiver can tell it from an event', async () => {
  const receiver = await site.receiver((response, { headers }) =>
    response.writeHead(String(headers['webhook-id']).startsWith('test_') ? 200 : 500).end(),
  );
  const { endpointId, program, secret } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-1']);
  await until(() => receiver.received.length > 0);
  const operator = await site.operator(program);
  const { body } = await operator.rest.post(`/webhook-endpoints/${endpointId}/test`, { type: 'card.frozen' });
  await until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === body.webhookId));
  const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === body.webhookId);
  expect(new Webhook(secret).verify(sent?.body ?? '', sent?.headers as Record<string, string>)).toMatchObject({
    type: 'card.frozen',
  });
});

test('a delivery is sent again when an operator asks for it, with the same id', async () => {
  const receiver = await site.receiver();
  const { endpointId, program } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1);
  const operator = await site.operator(program);
  const [delivery] = await attemptsOf(site, program, endpointId);
  await operator.rest.post(`/webhook-deliveries/${delivery?.deliveryId}/resend`);
  await until(() => receiver.received.length === 2);
  expect(new Set(idsOf(receiver)).size).toBe(1);
});

test('what failed, and what happened while an endpoint was disabled, is recovered once and in order', async () => {
  let status = 500;
  const receiver = await site.receiver(response => response.writeHead(status).end());
  const since = new Date().toISOString();
  const { endpointId, program } = await site.endpoint(receiver.url);
  const operator = await site.operator(program);
  const failed = await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1, ['FAILED']);
  await operator.rest.patch(`/webhook-endpoints/${endpointId}`, { status: 'DISABLED' });
  const missed = await site.events(program, ['acc-1', 'acc-1']);
  await site.distributed();
  status = 200;
  await operator.rest.patch(`/webhook-endpoints/${endpointId}`, { status: 'ENABLED' });
  const newer = await site.events(program, ['acc-2']);
  await until(() => idsOf(receiver).includes(newer[0] ?? ''));
  const count = receiver.received.length;
  expect((await operator.rest.post(`/webhook-endpoints/${endpointId}/recover`, { since })).status).toBeLessThan(300);
  await site.settled(endpointId, 4);
  expect(idsOf(receiver).slice(count)).toEqual([...failed, ...missed]);
});

test('what is sent to a deleted endpoint is forgotten', async () => {
  const receiver = await site.receiver(response => response.writeHead(500).end());
  const { endpointId, program } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-1']);
  await until(() => receiver.received.length > 0);
  await (await site.operator(program)).rest.delete(`/webhook-endpoints/${endpointId}`);
  await site.kept();
  const { rows } = await site.gateway.sql.query(
    `SELECT 1 FROM webhook_delivery WHERE endpoint_id = $1 UNION ALL SELECT 1 FROM webhook_sender WHERE endpoint_id = $1`,
    [endpointId],
  );
  expect(rows).toEqual([]);
});

test('deliveries are kept for 30 days', async () => {
  const receiver = await site.receiver();
  const { endpointId, program } = await site.endpoint(receiver.url);
  await site.events(program, ['acc-1', 'acc-2']);
  await site.settled(endpointId, 2);
  await site.gateway.sql.query(
    `UPDATE webhook_delivery SET created_at = now() - interval '31 days'
     WHERE delivery_id = (SELECT min(delivery_id::text)::uuid FROM webhook_delivery)`,
  );
  const { rows: before } = await site.gateway.sql.query<{ count: number }>(
    'SELECT count(*)::int FROM webhook_delivery',
  );
  await site.kept();
  const { rows } = await site.gateway.sql.query<{ count: number }>('SELECT count(*)::int FROM webhook_delivery');
  expect(rows[0]?.count).toBe((before[0]?.count ?? 0) - 1);
});
