import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { formsOf, issue, leftOutOf, post, statementsOf } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Three accounts of a program with interest in a month. */
async function givenThree(): Promise<[GivenAccount, GivenAccount, GivenAccount]> {
  const program = gateway.given.program();
  const three = [];
  for (let n = 0; n < 3; n += 1) {
    const of = await gateway.given.account({ program });
    await post(gateway, of, [{ at: '2025-06-02', amount: '20.00', type: 'INTEREST' }]);
    three.push(of);
  }
  return three as [GivenAccount, GivenAccount, GivenAccount];
}

/** What stands in the database by other ways than ours, or came in before it was checked. */
const BROKEN: Readonly<Record<string, (of: GivenAccount) => Promise<unknown>>> = {
  'in a time zone that the database lacks': ({ account }) =>
    gateway.sql.query(`UPDATE account SET time_zone = 'US/Pacific-New' WHERE account_id = $1`, [account]),
  'that has an owner who cannot be decrypted': ({ owners }) =>
    gateway.sql.query(`UPDATE customer SET sealed = 'x' WHERE customer_id = $1`, [owners[0]]),
};

test.each([
  ['in a time zone that the database lacks', 'FAILED'],
  ['that has an owner who cannot be decrypted', 'UNREADABLE'],
])('an account %s gets no statement, and every other account its own', async (kind, reason) => {
  const [one, broken, other] = await givenThree();
  await BROKEN[kind]?.(broken);
  const run = await issue(gateway, 'close', '2025-06', one.program);
  expect(run).toMatchObject({ accounts: 3, done: 3, issued: 2, leftOut: 1, early: 0, dead: 0 });
  expect(await leftOutOf(gateway, one.caller, run.runId)).toEqual([{ accountId: broken.account, reasons: [reason] }]);
  expect(await statementsOf(gateway, one.account)).toHaveLength(1);
  expect(await statementsOf(gateway, other.account)).toHaveLength(1);
});

test('an account that cannot be read gets no form, and every other account its own', async () => {
  const [one, broken, other] = await givenThree();
  await BROKEN['in a time zone that the database lacks']?.(broken);
  const run = await issue(gateway, '1099', '2025', one.program);
  expect(run).toMatchObject({ accounts: 3, done: 3, issued: 2, leftOut: 1, dead: 0 });
  expect(await leftOutOf(gateway, one.caller, run.runId)).toEqual([{ accountId: broken.account, reasons: ['FAILED'] }]);
  expect(await formsOf(gateway, one.account)).toHaveLength(1);
  expect(await formsOf(gateway, other.account)).toHaveLength(1);
});
