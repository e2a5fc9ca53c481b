import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { entry, post } from '../../transaction/support/ledger.js';

let gateway: TestGateway;
let of: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  of = await gateway.given.account({ owners: 1, balanceMinor: 0n });
  await post(gateway, of, [entry({ amount: '12.50' })]);
}, 60_000);
afterAll(() => gateway.stop());

/** What a query of an account gives. */
async function accountOf(fields: string): Promise<Record<string, unknown>> {
  const { data, errors } = await gateway
    .as(of.caller)
    .graphql(`query ($a: ID!) { account(accountId: $a) { ${fields} } }`, { a: of.account });
  expect(errors).toBeUndefined();
  return data.account as Record<string, unknown>;
}

test('a field of a record answers by its former name as well', async () => {
  expect(await accountOf('transactions { nodes { balanceAfter availableBalance } }')).toEqual({
    transactions: { nodes: [{ balanceAfter: '12.50', availableBalance: '12.50' }] },
  });
});
