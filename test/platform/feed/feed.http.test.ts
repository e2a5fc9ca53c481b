import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Feed } from '../../../src/platform/feed/feed.js';
import type { FeedEvent } from '../../../src/platform/feed/feed-rows.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { startGatewayInside, unique, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import { until } from '../../support/until.js';
import { ReceiptTally, writeEvents } from './writers.js';

let gateway: GatewayInThisProcess;
beforeAll(async () => {
  gateway = await startGatewayInside();
});
afterAll(() => gateway.stop());

const INSERT = `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
  VALUES ($1, 'c', 's', 'r', 'card.freeze', $2, 'card/1', '{}') RETURNING id::text`;

function feed(): Feed {
  return gateway.gateway.container.feed.feed;
}

async function idsOf(program: string): Promise<string[]> {
  const { rows } = await gateway.sql.query<{ id: string }>('SELECT id::text FROM event WHERE program = $1', [program]);
  return rows.map(({ id }) => id);
}

function receive(received: ReceiptTally, events: readonly FeedEvent[]): void {
  for (const { id, accountId, chainSeq } of events) received.add(id, accountId as string, chainSeq);
}

test('readers miss nothing and get nothing twice, whatever order transactions commit in', async () => {
  const program = unique('commits');
  const { container } = gateway.gateway;
  // A second process on the same database.
  const second = new Feed(container.database, createLogger({ level: 'silent' }));
  second.start();
  const ended = new AbortController();
  const [followed, elsewhere, paged] = [new ReceiptTally(), new ReceiptTally(), new ReceiptTally()];
  const following = (async () => {
    for await (const { events } of feed().follow({ program }, 0, ended.signal)) receive(followed, events);
  })();
  const followingElsewhere = (async () => {
    for await (const { events } of second.follow({ program }, null, ended.signal)) receive(elsewhere, events);
  })();
  const paging = (async () => {
    let position = 0;
    while (!ended.signal.aborted) {
      const page = await second.page({ program }, position, 7);
      receive(paged, page.events);
      ({ position } = page);
    }
  })();
  await until(() => second.followers > 0);
  const order = { program, writers: 24, events: 1200, eventsATransaction: 3, holdMs: 60, accounts: 12 };
  await writeEvents({ ...order, url: () => gateway.sql.options.connectionString as string });
  const ids = await idsOf(program);
  await until(() => [followed, elsewhere, paged].every(({ count }) => count >= ids.length));
  ended.abort();
  await Promise.all([following, followingElsewhere, paging, second.stop()]);
  for (const { count, doubled, disordered } of [followed, elsewhere, paged]) {
    expect({ count, doubled, disordered }).toEqual({ count: ids.length, doubled: 0, disordered: 0 });
  }
});

test('a transaction that is open for long holds up its own events alone, and they come when it commits', async () => {
  const program = unique('long');
  const slow = await gateway.sql.connect();
  await slow.query('BEGIN');
  const { rows: early } = await slow.query<{ id: string }>(INSERT, [program, `${program}-slow`]);
  const { rows: late } = await gateway.sql.query<{ id: string }>(INSERT, [program, `${program}-quick`]);
  await gateway.feedReady();
  const first = await feed().page({ program }, 0, 10);
  expect(first.events.map(({ id }) => id)).toEqual([late[0]?.id]);
  expect(feed().missing).toBeGreaterThan(0);

  await slow.query('COMMIT');
  slow.release();
  const next = await feed().next({ program }, first.position, 10, AbortSignal.timeout(20_000));
  expect(next.events.map(({ id }) => id)).toEqual([early[0]?.id]);
});

test('numbers of transactions that were rolled back are forgotten', async () => {
  const program = unique('back');
  for (let times = 0; times < 5; times += 1) {
    const client = await gateway.sql.connect();
    await client.query('BEGIN');
    await client.query(INSERT, [program, program]);
    await client.query('ROLLBACK');
    client.release();
    await gateway.sql.query(INSERT, [program, program]);
  }
  await until(async () => {
    const { rows } = await gateway.sql.query(
      `SELECT FROM feed_state WHERE missing = '{}' AND newly_missing = '{}' AND last_event_id = (SELECT max(id) FROM event)`,
    );
    return rows.length === 1;
  });
  const { events } = await feed().page({ program }, 0, 100);
  expect(events.map(({ chainSeq }) => chainSeq)).toEqual([1, 2, 3, 4, 5]);
});

test('a restored database goes on: its events keep their places, new ones come behind all that were ever given', async () => {
  const program = unique('restored');
  await gateway.sql.query(INSERT, [program, program]);
  await gateway.feedReady();
  const before = await feed().page({ program }, 0, 10);
  // As a dump of another server leaves it: ids of transactions that are far ahead of those of this server.
  await gateway.sql.query(
    `UPDATE feed_state SET history = 'another/00000001', missing_before = '9000000000000', missing = '{[1,2)}'`,
  );
  const { rows } = await gateway.sql.query<{ id: string }>(INSERT, [program, program]);
  const after = await feed().next({ program }, before.position, 10, AbortSignal.timeout(20_000));
  expect(after.events.map(({ id }) => id)).toEqual([rows[0]?.id]);
  expect(after.position).toBeGreaterThanOrEqual(2 ** 32);
  const all = await feed().page({ program }, 0, 10);
  expect(all.events.slice(0, 1)).toEqual(before.events);
  await until(async () => {
    const { rows: state } = await gateway.sql.query(`SELECT FROM feed_state WHERE missing_before < '1000000000'`);
    return state.length === 1;
  });
});

test('a reader of one account gets that account alone, also far behind the present', async () => {
  const program = unique('far');
  await gateway.sql.query(
    `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
     SELECT $1, 'c', 's', 'r', CASE n % 3000 WHEN 0 THEN 'card.close' ELSE 'card.freeze' END, $1 || n % 2, 'card/1', '{}'
     FROM generate_series(1, 6000) n`,
    [program],
  );
  await gateway.feedReady();
  await until(async () => (await feed().page({ program }, 0, 1)).events.length > 0);
  const ofAccount = await feed().page({ program, accountId: `${program}1` }, 0, 5000);
  expect(ofAccount.events).toHaveLength(3000);
  // Rare ones are found behind many others.
  const rare = await feed().page({ program, actions: ['card.close'] }, 0, 1);
  expect(rare.events).toHaveLength(1);
  const rest = await feed().page({ program, actions: ['card.close'] }, rare.position, 10);
  expect(rest).toMatchObject({ events: [{ action: 'card.close' }], more: false });
});
