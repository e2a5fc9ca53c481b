import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { freshDatabase } from '../../../../test/support/postgres.js';
import { until } from '../../../../test/support/until.js';
import { idsOf, Site } from './site.js';

/** Two gateways on one database; `use` may stop the first. */
async function two(use: (one: Site, other: Site) => Promise<void>): Promise<void> {
  const database = await freshDatabase();
  const keys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const one = await Site.start({}, { databaseUrl: database.url, fieldKeys: keys });
  const other = await Site.start({}, { databaseUrl: database.url, fieldKeys: keys });
  try {
    await use(one, other);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
    await database.drop();
  }
}

test('of two gateways each sends a part, and every event comes once and in order', () =>
  two(async (one, other) => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => one.receiver()));
    const program = 'program-of-two';
    const endpoints = [];
    for (const { url } of receivers) endpoints.push(await one.endpoint(url, {}, program));
    const committed: string[] = [];
    let isDone = false;
    const committing = (async () => {
      while (!isDone) {
        committed.push(...(await one.events(program, ['acc-1', 'acc-2', 'acc-3'])));
        await sleep(10);
      }
    })();
    const { sql } = one.gateway;
    await until(async () => {
      const { rows } = await sql.query('SELECT holder FROM webhook_sender WHERE holder IS NOT NULL GROUP BY holder');
      return rows.length === 2;
    });
    isDone = true;
    await committing;
    for (const { endpointId } of endpoints) await one.settled(endpointId, committed.length);
    for (const receiver of receivers) expect(new Set(idsOf(receiver)).size).toBe(committed.length);
    for (const receiver of receivers) {
      const firsts = [...new Set(idsOf(receiver))].map(Number);
      const byAccount = Map.groupBy(firsts, id => committed.indexOf(String(id)) % 3);
      for (const ids of byAccount.values()) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
    await other.gateway.ready();
  }));

test('what a gateway held is sent by the other as soon as its connection is gone', () =>
  two(async one => {
    const receiver = await one.receiver();
    const { endpointId, program } = await one.endpoint(receiver.url);
    const first = await one.events(program, ['acc-1']);
    await one.settled(endpointId, 1);
    // The holder vanishes without giving anything back.
    await one.gateway.sql.query(
      `UPDATE webhook_sender SET holder = 1, leased_until = now() + interval '1 hour', due_at = now()`,
    );
    const second = await one.events(program, ['acc-1']);
    await one.settled(endpointId, 2);
    expect([...new Set(idsOf(receiver))]).toEqual([...first, ...second]);
  }));

test('a gateway that loses its connections goes on with new ones, and loses nothing', () =>
  two(async one => {
    const receiver = await one.receiver((response, { body }) =>
      setTimeout(() => response.writeHead(Math.random() < 0.2 && body ? 500 : 200).end(), Math.random() * 5),
    );
    const { endpointId, program } = await one.endpoint(receiver.url);
    const committed: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      committed.push(
        ...(await one.events(
          program,
          Array.from({ length: 60 }, (_, n) => `acc-${n % 4}`),
        )),
      );
      await until(() => new Set(idsOf(receiver)).size > committed.length - 30);
      await one.gateway.sql.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'tillgate-webhooks'`,
      );
    }
    await one.settled(endpointId, committed.length);
    expect(new Set(idsOf(receiver)).size).toBe(committed.length);
  }));

test('a gateway that stops lets attempts end, and its deliveries wait for another', async () => {
  const database = await freshDatabase();
  const keys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const changes = { databaseUrl: database.url, fieldKeys: keys };
  const one = await Site.start({}, changes);
  let release: () => void = () => undefined;
  const receiver = await one.receiver(response => (release = () => response.end()));
  const { endpointId, program } = await one.endpoint(receiver.url);
  const ids = await one.events(program, ['acc-1', 'acc-1']);
  await until(() => receiver.received.length === 1);
  const stopping = one.gateway.stopServing();
  const isReady = () =>
    fetch(`${one.gateway.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => !(await isReady()));
  release();
  await stopping;
  const other = await Site.start({}, changes);
  await until(() => receiver.received.length === 2);
  release();
  await other.settled(endpointId, 2);
  expect(idsOf(receiver)).toEqual(ids);
  await other.stop();
  await one.stop();
  await database.drop();
});

test('a gateway that takes no part leaves deliveries to others', async () => {
  const database = await freshDatabase();
  const changes = { databaseUrl: database.url, fieldKeys: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
  const idle = await Site.start({ takesPart: false }, changes);
  const receiver = await idle.receiver();
  const { endpointId, program } = await idle.endpoint(receiver.url);
  const ids = await idle.events(program, ['acc-1', 'acc-2']);
  await idle.gateway.feedReady();
  const { rows } = await idle.gateway.sql.query('SELECT FROM webhook_delivery');
  expect([rows.length, receiver.connections]).toEqual([0, 0]);
  const other = await Site.start({}, changes);
  await other.settled(endpointId, 2);
  expect(idsOf(receiver).toSorted()).toEqual(ids);
  await other.stop();
  await idle.stop();
  await database.drop();
});

test('a gateway that starts deletes the deliveries that are too old', async () => {
  const database = await freshDatabase();
  const keys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const one = await Site.start({}, { databaseUrl: database.url, fieldKeys: keys });
  const { endpointId, program } = await one.endpoint((await one.receiver()).url);
  await one.events(program, ['acc-1', 'acc-2']);
  await one.settled(endpointId, 2);
  await one.gateway.sql.query(
    `UPDATE webhook_delivery SET created_at = now() - interval '31 days' WHERE lane = 'acc-1'`,
  );
  const other = await Site.start({}, { databaseUrl: database.url, fieldKeys: keys });
  const kept = async () => (await one.gateway.sql.query('SELECT lane FROM webhook_delivery')).rows;
  await until(async () => (await kept()).length < 2);
  expect(await kept()).toEqual([{ lane: 'acc-2' }]);
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});
