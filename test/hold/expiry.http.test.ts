import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { fundedAccount, inSeconds, newHold, type HoldClient } from './support/holds.js';

let gateway: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  // Both processes end holds of the same database.
  second = await startTestGateway({ databaseUrl: gateway.sql.options.connectionString as string });
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});

async function statusesOf(holding: HoldClient): Promise<string[]> {
  return (await holding.seen()).holds.nodes.map(({ status }) => status);
}

test('a hold ends when its time is over, once, whichever process sees it first', async () => {
  const { account, holding } = await fundedAccount(gateway);
  const ids = await Promise.all(Array.from({ length: 5 }, () => holding.placed({ expiresAt: inSeconds(1) })));
  const open = await holding.placed();
  await holding.capture(ids[0] as string, { amount: '25', keepRest: true });
  await until(async () => (await statusesOf(holding)).filter(status => status === 'EXPIRED').length === 5);
  const { balances, transactions, holds } = await holding.seen();
  expect(balances).toMatchObject({ posted: '975.00', available: '900.00', held: '75.00' });
  expect(holds.nodes.find(({ status }) => status === 'ACTIVE')?.holdId).toBe(open);
  const ends = transactions.nodes.filter(({ status }) => status === 'MEMO');
  expect(ends.map(({ transactionType }) => transactionType)).toEqual(ids.map(() => 'HOLD_EXPIRED'));
  expect(new Set(ends.map(({ referenceTransactionId }) => referenceTransactionId))).toEqual(new Set(ids));
  expect(ends.find(({ referenceTransactionId }) => referenceTransactionId === ids[0])?.amount).toBe('50.00');
  const { rows } = await gateway.sql.query<{ object: string; client_id: string; subject: string }>(
    `SELECT object, client_id, subject FROM event WHERE account_id = $1 AND action = 'hold.expire' ORDER BY object`,
    [account],
  );
  expect(rows).toEqual(
    ids
      .map(id => ({ object: `hold/${id}`, client_id: 'tillgate', subject: 'holds' }))
      .toSorted((one, other) => (one.object < other.object ? -1 : 1)),
  );
});

test('a hold cannot be used any more once its time is over', async () => {
  const { holding } = await fundedAccount(gateway);
  const holdId = await holding.placed({ expiresAt: inSeconds(0.3) });
  await until(async () => (await statusesOf(holding))[0] === 'EXPIRED');
  for (const answer of [await holding.capture(holdId), await holding.release(holdId)]) {
    expect(answer.errors?.[0].extensions.code).toBe('HOLD_ENDED');
  }
  expect((await holding.seen()).balances).toMatchObject({ posted: '1000.00', available: '1000.00', held: '0.00' });
});

test('a hold whose time was over while no process ran ends when one starts', async () => {
  const { account, holding } = await fundedAccount(gateway);
  const holdId = await holding.placed();
  await gateway.sql.query(`UPDATE hold SET expires_at = now() - interval '1 day' WHERE account_id = $1`, [account]);
  await until(async () => (await statusesOf(holding))[0] === 'EXPIRED');
  const [end] = (await holding.seen()).transactions.nodes;
  expect(end).toMatchObject({ referenceTransactionId: holdId, amount: '75.00', status: 'MEMO' });
});

test('a hold that was placed again with its key is answered as it was, though it has ended', async () => {
  const { holding } = await fundedAccount(gateway);
  const [input, key] = [newHold({ expiresAt: inSeconds(0.3) }), unique('key')];
  await holding.place(input, keyed(key));
  await until(async () => (await statusesOf(holding))[0] === 'EXPIRED');
  expect((await holding.place(input, keyed(key))).data.hold.status).toBe('ACTIVE');
  expect((await holding.place(input)).data.hold.status).toBe('EXPIRED');
});
