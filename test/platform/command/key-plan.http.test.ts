import { afterAll, beforeAll, expect } from '@jest/globals';
import { differsOnCitus } from '../../support/citus-differences.js';
import { testUnless } from '../../support/unless.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const planned = testUnless(differsOnCitus('plans'));

// A connection keeps the plan that it made when there was no key yet, and there may be millions before it makes
// another.
planned('keys are found by their index, also by a plan that was made when there was none', async () => {
  const { account, caller } = await gateway.given.account();
  const key = keyed(unique('key'));
  const add = () => gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), key);
  expect([(await add()).status, (await add()).headers['idempotent-replayed']]).toEqual([201, 'true']);
  let scans = { by_index: 0, whole: 0 };
  // A server tells what it counted when a transaction ends, once a second.
  await until(async () => {
    await add();
    const { rows } = await gateway.sql.query(
      `SELECT idx_scan::int AS by_index, seq_scan::int AS whole FROM pg_stat_user_tables WHERE relname = 'idempotency_key'`,
    );
    [scans] = rows as [typeof scans];
    return scans.by_index + scans.whole >= 2;
  });
  expect(scans.whole).toBe(0);
});
