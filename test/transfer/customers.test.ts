import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { make, pairOf, seenBy, transferOf } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** An account with 1,000.00, another one of the same owner, one of a stranger, and the token of the owner. */
async function given() {
  const pair = await pairOf(gateway);
  const { program, from, to: strangers } = pair;
  const own = await gateway.given.account({ program, owners: from.owners });
  const customer = await gateway.caller({ program, customerId: from.owners[0] as string });
  return { ...pair, own, strangers, customer };
}

describe.each(['GraphQL', 'REST'] as const)('over %s', api => {
  test('a customer moves money between accounts of her own', async () => {
    const { from, own, customer } = await given();
    const { code, transfer } = await make(gateway, api, customer, transferOf({ from, to: own }));
    expect([code, transfer?.status]).toEqual([null, 'MADE']);
    expect((await seenBy(gateway, own)).availableBalance).toBe('250.00');
  });

  test("to a customer an account of somebody else is not there, at either end, even with a transfer's own id", async () => {
    const { program, caller, from, own, strangers, customer } = await given();
    const absent = await make(gateway, api, customer, transferOf({ from, to: { account: unique('acc') } }));
    expect(absent.code).toBe('account_not_found');
    const toOther = transferOf({ from, to: strangers });
    expect(await make(gateway, api, customer, toOther)).toEqual(absent);
    expect(await make(gateway, api, customer, transferOf({ from: strangers, to: own }))).toEqual(absent);
    // Nor is it there once an operator has made the very transfer.
    await make(gateway, api, caller, toOther);
    expect(await make(gateway, api, customer, toOther)).toEqual(absent);
    const foreign = await gateway.given.account({ owners: [] });
    expect(foreign.program).not.toBe(program);
    expect(await make(gateway, api, customer, transferOf({ from, to: foreign }))).toEqual(absent);
  });

  test('funds are checked for a customer, whatever the program says', async () => {
    const { from, own, customer } = await given();
    const beyond = await make(gateway, api, customer, transferOf({ from, to: own }, { amount: '1000.01' }));
    expect(beyond.code).toBe('insufficient_funds');
    expect((await make(gateway, api, customer, transferOf({ from, to: own }, { amount: '1000' }))).code).toBeNull();
  });

  test('a customer without the scope moves nothing, and takes nothing back', async () => {
    const { program, from, own } = await given();
    const customerId = from.owners[0] as string;
    const reader = await gateway.caller({ program, customerId, scopes: ['accounts.read', 'transactions.read'] });
    expect((await make(gateway, api, reader, transferOf({ from, to: own }))).code).toBe('insufficient_scope');
  });
});

test('a customer sees transfers of her accounts alone, and nothing of the other account but its id', async () => {
  const { program, caller, from, strangers, customer } = await given();
  const other = await gateway.given.account({ program });
  const seen = await make(gateway, 'REST', caller, transferOf({ from, to: strangers }));
  const hidden = await make(gateway, 'REST', caller, transferOf({ from: strangers, to: other }));
  const query = `query ($t: ID!) { transfer(transferId: $t) { toAccountId fromAccount { accountId } toAccount { accountId }
    fromTransaction { amount } toTransaction { amount } } }`;
  const ask = (t: string | undefined) => gateway.as(customer).graphql(query, { t });
  expect((await ask(seen.transfer?.transferId)).data.transfer).toEqual({
    toAccountId: strangers.account,
    fromAccount: { accountId: from.account },
    toAccount: null,
    fromTransaction: { amount: '250.00' },
    toTransaction: null,
  });
  expect((await ask(hidden.transfer?.transferId)).data.transfer).toBeNull();
});
