import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../../../src/app/config.js';
import type * as Inside from './lost-lease.inside.js';
import { Site } from './site.js';

const [OURS, ANOTHERS] = [7, 8];

let site: Site;
beforeAll(async () => {
  // Nothing is delivered but what the test writes.
  site = await Site.start({ ...readConfig({}).webhooks, takesPart: false });
});
afterAll(() => site.stop());

/** The first delivery of a lane has failed, and the others wait for it. Gives the states when that is on record. */
async function statesAfter(holder: number): Promise<string[]> {
  const { sql } = site.gateway;
  const { endpointId, program } = await site.endpoint('https://bank.example/');
  const events = await site.events(program, ['acc-1', 'acc-1', 'acc-1']);
  await sql.query('INSERT INTO webhook_sender (endpoint_id, is_known, holder) VALUES ($1, true, $2)', [
    endpointId,
    OURS,
  ]);
  const deliveries = events.map(() => randomUUID());
  await sql.query(
    `INSERT INTO webhook_delivery (delivery_id, endpoint_id, position, event_id, type, lane)
     SELECT delivery_id, $1, n, event_id, 'card.frozen', 'acc-1'
     FROM unnest($2::uuid[], $3::int8[]) WITH ORDINALITY k(delivery_id, event_id, n)`,
    [endpointId, deliveries, events],
  );
  await site.gateway.module<typeof Inside>('packages/webhooks/test/delivery/lost-lease').failFirst(holder, deliveries);
  const { rows } = await sql.query<{ state: string }>(
    'SELECT state FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY position',
    [endpointId],
  );
  return rows.map(({ state }) => state);
}

test('a failure holds the lane of the process that sends to the endpoint', async () => {
  expect(await statesAfter(OURS)).toEqual(['HELD', 'HELD', 'HELD']);
});

test('a failure that is recorded when another process sends to the endpoint holds nothing', async () => {
  // The other process knows of no lane that is held, so it would send what comes after these first.
  expect(await statesAfter(ANOTHERS)).toEqual(['WAITING', 'WAITING', 'WAITING']);
});
