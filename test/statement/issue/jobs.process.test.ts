import { expect, test } from '@jest/globals';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import { freshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { issue, post, statementsOf } from './issuing.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 9).toString('base64')}`;

/** Resolves once a query gives rows. */
function untilFound(gateway: GatewayInThisProcess, text: string): Promise<void> {
  return until(async () => (await gateway.sql.query(text)).rows.length > 0);
}

test('gateways on one database share the work, and issue each document once', async () => {
  const database = await freshDatabase();
  const gateways = await Promise.all(
    [1, 2].map(() => startGatewayInside({ databaseUrl: database.url, fieldKeys: FIELD_KEYS })),
  );
  const [one] = gateways as [GatewayInThisProcess, GatewayInThisProcess];
  const program = one.given.program();
  const { customer } = await one.given.customer({ program });
  const accounts = [];
  for (let n = 0; n < 350; n++) {
    const of = await one.given.account({ program, owners: [customer] });
    await post(one, of, [{ at: '2025-06-02', amount: '1.00' }]);
    accounts.push(of.account);
  }
  const progress = await Promise.all(gateways.map(gateway => issue(gateway, 'close', '2025-06', program)));
  for (const { leftOut, dead } of progress) expect([leftOut, dead]).toEqual([0, 0]);
  const { rows } = await one.sql.query(
    'SELECT count(*)::int AS all, count(DISTINCT account_id)::int AS accounts FROM statement',
  );
  expect(rows[0]).toEqual({ all: accounts.length, accounts: accounts.length });
  for (const gateway of gateways) await gateway.stop();
  await database.drop();
});

test('a job that a dead process held is taken up by a living one', async () => {
  const gateway = await startGatewayInside();
  const of = await gateway.given.account();
  await post(gateway, of, [{ at: '2025-06-02', amount: '1.00' }]);
  await issue(gateway, 'close', '2025-06', of.program);
  const { database: bank, issuers } = gateway.gateway.container;
  await inTransaction(bank, async transaction => {
    const present = await issuers.present(transaction, { kind: 'close', program: of.program });
    const run = {
      runId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
      kind: 'close',
      period: '2025-07',
      program: of.program,
      startedBy: null,
      issueIncomplete: false,
      rerunOf: null,
      accounts: 1,
    };
    for (const query of issuers.keeping(run, present.issuers)) await transaction.run(query);
  });
  await gateway.sql.query(
    `SELECT graphile_worker.add_job('issue_batch', json_build_object('runId', '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11', 'from', $1::text, 'to', $1::text), run_at := now() + interval '1 hour', job_key := 'held')`,
    [of.account],
  );
  // As a process leaves it that was killed: the job is locked, and nobody holds the lock of its worker.
  await gateway.sql.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now(), locked_at = now() - interval '1 minute', locked_by = 'worker-of-nobody', attempts = 1 WHERE key = 'held'`,
  );
  await untilFound(gateway, `SELECT FROM issue_run WHERE period = '2025-07' AND done = 1`);
  expect(await statementsOf(gateway, of.account)).toHaveLength(2);
  await gateway.stop();
});

test('where the setting says so each month is closed on its own, once it is over everywhere', async () => {
  const gateway = await startGatewayInside({ closeMonthly: true });
  const of = await gateway.given.account();
  const lastMonth = new Date();
  lastMonth.setUTCDate(0);
  await post(gateway, of, [{ at: lastMonth.toISOString().slice(0, 10), amount: '1.00' }]);
  await untilFound(
    gateway,
    `SELECT FROM graphile_worker._private_known_crontabs WHERE identifier = 'close_last_month'`,
  );
  await gateway.given.programRecord(of.program);
  // What the schedule does on the first of a month.
  await gateway.sql.query(`SELECT graphile_worker.add_job('close_last_month')`);
  await untilFound(gateway, 'SELECT FROM statement');
  const [statement] = await statementsOf(gateway, of.account);
  expect(statement?.content.period.end).toBe(lastMonth.toISOString().slice(0, 10));
  await gateway.stop();
});

test('without the setting nothing is closed on its own', async () => {
  const gateway = await startGatewayInside();
  const of = await gateway.given.account();
  await post(gateway, of, [{ at: '2025-06-02', amount: '1.00' }]);
  // The worker has begun all that it does by the time it has done a job.
  await issue(gateway, 'close', '2025-06', of.program);
  expect((await gateway.sql.query('SELECT FROM graphile_worker._private_known_crontabs')).rows).toEqual([]);
  await gateway.stop();
});
