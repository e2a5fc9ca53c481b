import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isAsElsewhere } from '../support/citus-differences.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { freshDatabase } from '../support/postgres.js';
import { entry, post } from '../transaction/support/ledger.js';
import { make, pairOf, seenBy, transferOf, type Outcome } from './support/transfers.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: Awaited<ReturnType<typeof freshDatabase>>;
/** Two processes, whose commands meet in the database alone. */
let gateways: readonly [TestGateway, TestGateway];
beforeAll(async () => {
  database = await freshDatabase();
  const start = () => startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  gateways = [await start(), await start()];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await database.drop();
});

/** Sends a transfer to the one process or the other, by turns. Each has an issuer of its own. */
async function sending(program: string) {
  const callers = await Promise.all(gateways.map(gateway => gateway.caller({ program })));
  return (n: number, input: object, more: Parameters<typeof make>[4] = {}): Promise<Outcome> =>
    make(gateways[n % 2] as TestGateway, n % 4 < 2 ? 'REST' : 'GraphQL', callers[n % 2] as string, input, more);
}

/** Sends again what waited too long for a lock, as the answer says: a busy machine holds locks for long. */
async function patiently(send: () => Promise<Outcome>, tries = 20): Promise<Outcome> {
  const outcome = await send();
  const isTooBusy = outcome.code === 'unavailable' || outcome.code === 'timed_out';
  return isTooBusy && tries > 1 ? patiently(send, tries - 1) : outcome;
}

test('transfers both ways between hot accounts, from two processes, end in no deadlock and move each amount once', async () => {
  const [gateway] = gateways;
  const program = gateway.given.program();
  const accounts: GivenAccount[] = [];
  for (let n = 0; n < 3; n += 1) accounts.push(await gateway.given.account({ program }));
  for (const of of accounts) await post(gateway, of, [entry({ amount: '100' })]);
  const send = await sending(program);
  const sums = new Set<string>();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const { rows } = await gateway.sql.query<{ sum: string }>(
        'SELECT sum(balance_minor)::text AS sum FROM account WHERE program = $1',
        [program],
      );
      sums.add(rows[0]?.sum ?? '');
    }
  })();
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, (_, n) => {
      const [from, to] = [accounts[n % 3], accounts[(n + 1 + (n % 2)) % 3]] as [GivenAccount, GivenAccount];
      const input = transferOf({ from, to }, { amount: '1.00' });
      const headers = keyed(unique('key'));
      return patiently(() => send(n, input, { headers }));
    }),
  );
  const { rows: ends } = await gateway.sql.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(ends).toEqual([{ deadlocks: '0' }]);
  isOver = true;
  await reading;
  expect(outcomes.filter(({ code }) => code !== null)).toEqual([]);
  // At no moment is money in neither account or in both.
  if (isAsElsewhere('accountsAtOneMoment')) expect([...sums]).toEqual(['30000']);
  const seen = await Promise.all(accounts.map(of => seenBy(gateway, of)));
  const total = seen.reduce((sum, { availableBalance }) => sum + Number(availableBalance), 0);
  expect(total).toBe(300);
  expect(seen.reduce((sum, { transfers }) => sum + transfers.totalCount, 0)).toBe(240);
});

test('of many requests for one transfer id one moves money, and the others find it', async () => {
  const pair = await pairOf(gateways[0]);
  const input = transferOf(pair, { amount: '10.00' });
  const send = await sending(pair.program);
  const outcomes = await Promise.all(Array.from({ length: 24 }, (_, n) => send(n, input)));
  expect(outcomes.filter(({ transfer }) => transfer?.transferId !== input.transferId)).toEqual([]);
  expect(new Set(outcomes.map(({ transfer }) => transfer?.madeAt)).size).toBe(1);
  expect((await seenBy(gateways[0], pair.from)).availableBalance).toBe('990.00');
});

test('of transfers of different accounts under one id one is made, and the others are refused', async () => {
  const [gateway] = gateways;
  const program = gateway.given.program();
  const pairs = await Promise.all(Array.from({ length: 4 }, () => pairOf(gateway, { from: { program } })));
  const transferId = unique('tr');
  const send = await sending(program);
  const outcomes = await Promise.all(pairs.map((pair, n) => send(n, transferOf(pair, { transferId }))));
  expect(outcomes.filter(({ code }) => code === 'transfer_mismatch')).toHaveLength(3);
  expect(outcomes.filter(({ code }) => code === null)).toHaveLength(1);
  const { rows } = await gateway.sql.query('SELECT account_id FROM transfer WHERE transfer_id = $1', [transferId]);
  expect(rows).toHaveLength(2);
});

test('one account cannot be emptied twice by transfers that come at once', async () => {
  const pair = await pairOf(gateways[0]);
  await gateways[0].given.programRecord(pair.program, { checkFunds: true });
  const send = await sending(pair.program);
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => send(n, transferOf(pair, { amount: '90' }))));
  expect(outcomes.filter(({ transfer }) => transfer !== null)).toHaveLength(11);
  expect(outcomes.filter(({ code }) => code === 'insufficient_funds')).toHaveLength(29);
});
