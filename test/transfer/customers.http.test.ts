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

describe('where a program lets customers pay accounts of others', () => {
  /** An account of a customer, and one of Zoë O’Neill-Straße. */
  async function payable() {
    const of = await given();
    await gateway.given.programRecord(of.program, { transfers: { customersTo: 'PROGRAM' } });
    await gateway.sql.query('UPDATE customer SET name_last = $2 WHERE customer_id = $1', [
      of.strangers.owners[0],
      'O’Neill-Straße',
    ]);
    return of;
  }

  describe.each(['GraphQL', 'REST'] as const)('over %s', api => {
    test('a customer pays an account whose owner he names, as people write the name', async () => {
      const { from, strangers, customer } = await payable();
      for (const payeeLastName of ['O’Neill-Straße', ' oneill STRASSE ', "O'Neill-Straße"]) {
        const input = transferOf({ from, to: strangers }, { amount: '1', payeeLastName });
        expect((await make(gateway, api, customer, input)).code).toBeNull();
      }
      expect((await seenBy(gateway, strangers)).availableBalance).toBe('3.00');
    });

    test('a name that does not match, no name, and an account that is not there are refused alike', async () => {
      const { from, strangers, customer } = await payable();
      const to = (account: { account: string }, payeeLastName?: string) =>
        make(gateway, api, customer, transferOf({ from, to: account }, payeeLastName ? { payeeLastName } : {}));
      const mismatch = await to(strangers, 'Neill');
      expect(mismatch.code).toBe('payee_mismatch');
      expect(await to(strangers)).toEqual(mismatch);
      expect(await to({ account: unique('acc') }, 'O’Neill-Straße')).toEqual(mismatch);
      expect(await to(await gateway.given.account(), 'Neill')).toEqual(mismatch);
      expect((await seenBy(gateway, strangers)).availableBalance).toBe('0.00');
    });

    test('accounts of her own need no name, and money of others stays where it is', async () => {
      const { from, own, strangers, customer } = await payable();
      expect((await make(gateway, api, customer, transferOf({ from, to: own }))).code).toBeNull();
      const theirs = transferOf({ from: strangers, to: own }, { payeeLastName: 'O’Neill-Straße' });
      expect((await make(gateway, api, customer, theirs)).code).toBe('account_not_found');
    });
  });

  test('names are tried ten times an hour, also in dry runs and in batches, and are on record', async () => {
    const { program, caller, from, strangers, customer } = await payable();
    const input = (payeeLastName: string) => transferOf({ from, to: strangers }, { amount: '1', payeeLastName });
    for (let n = 0; n < 3; n += 1) {
      await make(gateway, 'REST', customer, input('O’Neill-Straße'));
    }
    for (let n = 0; n < 5; n += 1) await make(gateway, 'REST', customer, input('Wrong'), { dryRun: true });
    const five = Array.from({ length: 5 }, () => ({ ...input('Wrong'), amount: 1 }));
    const batch = await gateway.as(customer).rest.post('/transfers/batch', { transfers: five });
    expect(batch.body.results.map(({ refusal }: { refusal: { code: string } }) => refusal.code)).toEqual(
      five.map(() => 'payee_mismatch'),
    );
    expect((await make(gateway, 'REST', customer, input('O’Neill-Straße'))).code).toBe('rate_limited');
    await gateway.recorded();
    await gateway.feedReady();
    const { body } = await gateway.as(caller).rest.get('/events?limit=100&types=personal_data.searched');
    const events = body.events as { data: { byPayee: number; hits: number } }[];
    const sum = (name: 'byPayee' | 'hits') => events.reduce((total, { data }) => total + data[name], 0);
    expect([program.length > 0, sum('byPayee'), sum('hits')]).toEqual([true, 13, 3]);
  });
});
