import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unique, keyed } from '../../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../../support/given.js';
import { until } from '../../support/until.js';
import { MAX_DENIED_A_MINUTE } from '../../../src/bank/account/account.denials.js';
import { CHANGED, Stream, itemsOf } from '../../platform/graphql/subscriptions/listening.js';
import { Place, type WorkerGateway } from './served.js';

/** Few, and windows that do not end during a test. */
const SETTINGS = {
  RATE_LIMIT_PER_SECOND: '5',
  RATE_LIMIT_BURST: '3000',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '6',
  SUBSCRIPTIONS_MAX_PER_CLIENT: '3',
  SUBSCRIPTIONS_MAX: '4',
};
const TEST_MS = 600_000;

let place: Place;
let served: WorkerGateway;
let of: GivenAccount;
beforeAll(async () => {
  place = await Place.open();
  of = await place.onlooker.given.account();
  served = await place.serve(SETTINGS);
}, TEST_MS);
afterAll(async () => {
  await served.stop();
  await place.close();
});

function caller(clientId = unique('client')): Promise<string> {
  return place.onlooker.caller({ program: of.program, clientId });
}

test('a client has one allowance at all processes together', async () => {
  const token = await caller();
  // A file costs ten units: after the 300th nothing is left, but for the part of the allowance that each process holds.
  let answered = 0;
  for (let n = 0; n < 400; n++) {
    const { status, headers } = await served.ask('/nothing', {
      token,
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
    });
    if (status === 429) {
      expect(headers['ratelimit']).toMatch(/^"client";r=0;t=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(100);
      break;
    }
    answered += 1;
  }
  expect(answered).toBeLessThanOrEqual(300);
  expect(answered).toBeGreaterThan(300 - 9);
  // Both refuse from then on.
  expect(await served.statuses(4, '/nothing', { token })).toEqual([429, 429, 429, 429]);
});

test('invalid tokens of an address are counted at all processes together', async () => {
  const forged = `${await caller()}x`;
  const statuses = await served.statuses(10, '/nothing', { token: forged });
  expect(statuses).toEqual([...Array.from({ length: 6 }, () => 401), ...Array.from({ length: 4 }, () => 429)]);
  // A good one of the same address passes at both.
  expect(await served.statuses(2, '/nothing', { token: await caller() })).toEqual([404, 404]);
});

test('open subscriptions are counted at all processes together, and those of a dead process no longer', async () => {
  const token = await caller();
  const open = async (by: string) => Stream.open(served, by, { query: CHANGED, variables: { account: of.account } });
  const streams = [await open(token), await open(token), await open(token)];
  const refused = (await (await open(token)).whole()) as {
    errors: { extensions: { code: string }; message: string }[];
  };
  expect(refused.errors[0]?.extensions.code).toBe('TOO_MANY_SUBSCRIPTIONS');
  expect(refused.errors[0]?.message).toContain('client');
  const others = [await open(await caller())];
  const full = (await (await open(await caller())).whole()) as typeof refused;
  expect(full.errors[0]?.message).toContain('gateway');
  expect(others[0]?.isOver).toBe(false);

  // What comes through one process is heard at the other.
  await served.ask(`/accounts/${of.account}/beneficiaries`, {
    token,
    method: 'POST',
    body: leastBeneficiary(),
    headers: keyed(unique('key')),
  });
  await until(() => streams.every(stream => itemsOf(stream).length === 1));

  const [killed] = (await place.pids()) as [number];
  process.kill(killed, 'SIGKILL');
  await until(() => [...streams, ...others].some(({ isOver }) => isOver));
  // Until it is known to be dead, connections are still given to it.
  await until(async () => {
    const pids = await place.pids();
    return pids.length === 2 && !pids.includes(killed);
  });
  const over = streams.filter(({ isOver }) => isOver).length + others.filter(({ isOver }) => isOver).length;
  for (let n = 0; n < over; n++) streams.push(await open(await caller()));
  expect(streams.slice(4).every(({ isOver }) => !isOver)).toBe(true);
  for (const stream of [...streams, ...others]) stream.close();
});

test('denied attempts of a subject are recorded up to the same number a minute as by one process', async () => {
  const stranger = await place.onlooker.caller({ program: place.onlooker.given.program(), clientId: 'stranger' });
  const asked = { token: stranger, method: 'POST', body: leastBeneficiary() };
  for (let n = 0; n < MAX_DENIED_A_MINUTE + 20; n++) {
    await served.ask(`/accounts/${of.account}/beneficiaries`, { ...asked, headers: keyed(unique('key')) });
  }
  const last = async () => {
    const { rows } = await place.onlooker.sql.query<{ count: number; ends: number }>(
      `SELECT count(*)::int AS count, count(*) FILTER (WHERE data ? 'furtherRecorded')::int AS ends
       FROM event WHERE outcome = 'DENIED' AND client_id = 'stranger'`,
    );
    return rows[0];
  };
  await until(async () => (await last())?.ends === 1);
  await served.stop();
  expect(await last()).toEqual({ count: MAX_DENIED_A_MINUTE, ends: 1 });
});
