import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';
import { make, pairOf, transferOf } from './support/transfers.js';

// Commands on one account go one after another. An account that the caller does not see is not one of them.

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const add = ({ account, caller }: GivenAccount) =>
  gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());

/** An account of a victim, and callers who name it beside an account of their own, which sees money. */
async function strangers() {
  const { program, from: victim } = await pairOf(gateway);
  const other = await pairOf(gateway);
  const own = await gateway.given.account({ program });
  const customerOf = (account: GivenAccount) =>
    gateway.caller({ program: account.program, customerId: account.owners[0] as string });
  return {
    program,
    victim,
    strangers: {
      'a program': { caller: other.caller, own: other.from },
      'a customer of another program': { caller: await customerOf(other.from), own: other.from },
      'a customer of the same program': { caller: await customerOf(own), own },
    },
  };
}

const batch = (caller: string, transfers: readonly object[]) =>
  gateway.as(caller).rest.post('/transfers/batch', { transfers: transfers.map(one => ({ ...one, amount: 1 })) });

describe.each(['a program', 'a customer of another program', 'a customer of the same program'] as const)(
  'of %s that does not see an account',
  who => {
    test.each([
      ['a transfer', (caller: string, input: object) => make(gateway, 'REST', caller, input)],
      ['a batch', (caller: string, input: object) => batch(caller, [input])],
    ])('%s that waits for an account of its own keeps nobody waiting there', async (_what, send) => {
      const { victim, strangers: all } = await strangers();
      const { caller, own } = all[who];
      const unlock = await gateway.lockAccount(own.account);
      const sent = Array.from({ length: 4 }, () => send(caller, transferOf({ from: own, to: victim })));
      await gateway.waiting(1);
      expect((await add(victim)).status).toBe(201);
      await unlock();
      await Promise.all(sent);
    });

    test('transfers that name it are refused while its own commands wait', async () => {
      const { victim, strangers: all } = await strangers();
      const { caller, own } = all[who];
      const unlock = await gateway.lockAccount(victim.account);
      const waiting = add(victim);
      await gateway.waiting(1);
      const [out, into] = [transferOf({ from: victim, to: own }), transferOf({ from: own, to: victim })];
      for (const input of [out, into]) {
        expect((await make(gateway, 'REST', caller, input)).code).toBe('account_not_found');
        const { results } = (await batch(caller, [input])).body;
        expect(results[0].refusal.code).toBe('account_not_found');
      }
      expect((await add({ ...victim, caller })).body.code).toBe('account_not_found');
      await unlock();
      expect((await waiting).status).toBe(201);
    });
  },
);

describe('where customers may pay accounts of others', () => {
  async function payer() {
    const { program, victim, strangers: all } = await strangers();
    await gateway.given.programRecord(program, { transfers: { customersTo: 'PROGRAM' } });
    await gateway.sql.query('UPDATE customer SET name_last = $2 WHERE customer_id = $1', [victim.owners[0], 'Okafor']);
    const { caller, own } = all['a customer of the same program'];
    await gateway.sql.query('UPDATE account SET balance_minor = 100000 WHERE account_id = $1', [own.account]);
    return { victim, caller, own };
  }

  test.each([['another name', { payeeLastName: 'Nobody' }] as const, ['no name', {}] as const])(
    'one that gives %s is refused while commands of the account wait',
    async (_what, name) => {
      const { victim, caller, own } = await payer();
      const unlock = await gateway.lockAccount(victim.account);
      const waiting = add(victim);
      await gateway.waiting(1);
      const refused = await make(gateway, 'REST', caller, transferOf({ from: own, to: victim }, name));
      expect(refused.code).toBe('payee_mismatch');
      await unlock();
      expect((await waiting).status).toBe(201);
    },
  );

  test('one that gives the name of the owner pays in turn', async () => {
    const { victim, caller, own } = await payer();
    const input = () => transferOf({ from: own, to: victim }, { payeeLastName: 'Okafor', amount: '1' });
    const made = await Promise.all([
      ...Array.from({ length: 4 }, () => make(gateway, 'REST', caller, input())),
      add(victim),
    ]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });
});
