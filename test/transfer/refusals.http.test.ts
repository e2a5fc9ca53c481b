import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { make, pairOf, transferOf, type Outcome, type Pair } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** What a transfer is refused with, alike over GraphQL and REST; nothing is written. */
async function refused(pair: Pair, changes: object, caller = pair.caller): Promise<Partial<Outcome>> {
  const input = transferOf(pair, changes);
  const before = await gateway.rows();
  const overGraphql = await make(gateway, 'GraphQL', caller, input);
  const overRest = await make(gateway, 'REST', caller, input);
  expect({ ...overGraphql, status: overRest.status }).toEqual(overRest);
  expect(await gateway.rows()).toEqual(before);
  expect(overRest.transfer).toBeNull();
  const { status, code, pointers } = overRest;
  return { status, code, ...(pointers.length > 0 && { pointers }) };
}

test('a transfer to the account that it comes from is refused', async () => {
  const pair = await pairOf(gateway);
  const answer = await refused(pair, { toAccountId: pair.from.account });
  expect(answer).toEqual({ status: 422, code: 'same_account' });
});

test('accounts of different currencies are refused', async () => {
  const pair = await pairOf(gateway, { to: { currency: 'EUR' } });
  expect(await refused(pair, {})).toEqual({ status: 409, code: 'currency_mismatch' });
});

test.each([
  ['a closed account that it comes from', 'from', 'CLOSED', 'account_closed'],
  ['a restricted account that it comes from', 'from', 'RESTRICTED', 'account_restricted'],
  ['a closed account that it goes to', 'to', 'CLOSED', 'account_closed'],
] as const)('%s is refused', async (_, end, status, code) => {
  const pair = await pairOf(gateway);
  await gateway.sql.query('UPDATE account SET status = $2 WHERE account_id = $1', [pair[end].account, status]);
  expect(await refused(pair, {})).toEqual({ status: 409, code });
});

test('a restricted account still gets money', async () => {
  const pair = await pairOf(gateway, { to: { status: 'RESTRICTED' } });
  expect((await make(gateway, 'REST', pair.caller, transferOf(pair))).status).toBe(201);
});

test.each(['fromAccountId', 'toAccountId'])('%s that the caller does not see tells nothing', async field => {
  const pair = await pairOf(gateway);
  const foreign = await gateway.given.account();
  const answers = await Promise.all(
    [foreign.account, unique('acc')].map(account =>
      make(gateway, 'REST', pair.caller, transferOf(pair, { [field]: account })),
    ),
  );
  expect(answers.map(({ status, code }) => [status, code])).toEqual([
    [404, 'account_not_found'],
    [404, 'account_not_found'],
  ]);
  expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
  expect(await refused(pair, { [field]: foreign.account })).toEqual({ status: 404, code: 'account_not_found' });
});

test.each([
  ['nothing', '0', ['/amount']],
  ['less than nothing', '-1', ['/amount']],
  ['more digits than the currency has', '1.001', ['/amount']],
  ['more than an amount can be', '10000000000000.01', ['/amount']],
])('an amount of %s is refused', async (_, amount, pointers) => {
  const pair = await pairOf(gateway);
  expect(await refused(pair, { amount })).toEqual({ status: 422, code: 'rule_broken', pointers });
});

test('an amount without the decimal digits that its currency lacks is refused, too', async () => {
  const pair = await pairOf(gateway, { from: { currency: 'JPY' }, to: { currency: 'JPY' } });
  expect(await refused(pair, { amount: '0.5' })).toMatchObject({ code: 'rule_broken', pointers: ['/amount'] });
  expect((await make(gateway, 'GraphQL', pair.caller, transferOf(pair, { amount: '1' }))).transfer?.amount).toBe('1');
});

test('an id of the form that the gateway keeps for itself is refused', async () => {
  const pair = await pairOf(gateway);
  const answer = await refused(pair, { transferId: 'tr~1', amount: '0' });
  expect(answer).toEqual({ status: 422, code: 'rule_broken', pointers: ['/amount', '/transferId'] });
});

test('an operator moves more than is there, unless the program checks funds', async () => {
  const pair = await pairOf(gateway);
  const made = await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '1000.01' }));
  expect(made.status).toBe(201);
  await gateway.given.programRecord(pair.program, { checkFunds: true });
  expect(await refused(pair, { amount: '0.01' })).toEqual({ status: 409, code: 'insufficient_funds' });
});

test('what holds keep back is not moved, and the overdraft limit is', async () => {
  const pair = await pairOf(gateway);
  await gateway.given.programRecord(pair.program, { checkFunds: true });
  const { rest } = gateway.as(pair.caller);
  await rest.patch(`/accounts/${pair.from.account}`, { overdraftLimit: 50 });
  await gateway.sql.query('UPDATE account SET held_minor = 10000 WHERE account_id = $1', [pair.from.account]);
  expect(await refused(pair, { amount: '950.01' })).toEqual({ status: 409, code: 'insufficient_funds' });
  expect((await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '950' }))).status).toBe(201);
});

test('a caller without the scope is refused, and the attempt is on record', async () => {
  const pair = await pairOf(gateway);
  const caller = await gateway.caller({ program: pair.program, scopes: ['accounts.read'], clientId: unique('c') });
  expect(await refused(pair, {}, caller)).toEqual({ status: 403, code: 'insufficient_scope' });
  await gateway.recorded();
  const { rows } = await gateway.sql.query(`SELECT action FROM denied_attempt WHERE program = $1`, [pair.program]);
  expect(rows).toEqual([{ action: 'transfer.make' }, { action: 'transfer.make' }]);
});

test('an account of another program that was reached for is on record there, and there alone', async () => {
  const pair = await pairOf(gateway);
  const foreign = await gateway.given.account();
  await make(gateway, 'REST', pair.caller, transferOf(pair, { toAccountId: foreign.account }));
  await gateway.recorded();
  const { rows } = await gateway.sql.query(
    `SELECT program, account_id FROM denied_attempt WHERE program = ANY($1) OR account_id = ANY($2)`,
    [
      [pair.program, foreign.program],
      [pair.from.account, foreign.account],
    ],
  );
  expect(rows).toEqual([{ program: foreign.program, account_id: foreign.account }]);
});
