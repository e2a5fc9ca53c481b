import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { PROGRAM } from '../../support/given.js';
import { formsOf, issue, leftOutOf, only, post } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

function given(order: object = {}) {
  return gateway.given.account({ program: gateway.given.program(), ...order });
}

const interest = (at: string, amount: string) => ({ at, amount, type: 'INTEREST' });

async function boxOne(account: string): Promise<(string | undefined)[]> {
  return (await formsOf(gateway, account)).map(({ content }) => content.boxes[1]);
}

test('a form names payer, recipient, account and interest; numbers of persons and accounts by their last four characters', async () => {
  const { customer, taxId } = await gateway.given.customer({ program: 'harbor' });
  const of = await gateway.given.account({ program: 'harbor', owners: [customer] });
  await post(gateway, of, [
    { at: '2024-06-01', amount: '1000.00' },
    interest('2024-06-30', '4.11'),
    interest('2024-12-31', '8.22'),
    { at: '2024-07-01', amount: '-1.50', type: 'EARLYWITHDRAWALPENALTY' },
    { at: '2024-07-01', amount: '-0.75', type: 'FEDERALTAXWITHHELD' },
  ]);
  expect(await issue(gateway, '1099', '2024', 'harbor')).toMatchObject({ issued: 1, corrected: 0, leftOut: 0 });
  const { content } = only(await formsOf(gateway, of.account));
  expect(content).toMatchObject({
    taxYear: 2024,
    correctedStatementId: null,
    payer: PROGRAM.payer,
    recipient: { name: expect.stringContaining('Ada'), taxId: `XXX-XX-${taxId.slice(-4)}` },
    accountNumber: expect.stringMatching(/^\*+.{4}$/),
    boxes: { 1: '12.33', 2: '1.50', 4: '0.75' },
    irsReportable: true,
  });
});

test.each([
  ['no interest', 0, [], undefined],
  [
    'interest that was taken back whole',
    0,
    [interest('2024-03-01', '5.00'), interest('2024-03-02', '-5.00')],
    undefined,
  ],
  ['less than 10.00', 1, [interest('2024-03-01', '9.99')], false],
  ['10.00', 1, [interest('2024-03-01', '12.00'), interest('2024-03-02', '-2.00')], true],
])('%s: %s form is due', async (_what, forms, postings, reportable) => {
  const of = await given();
  await post(gateway, of, [{ at: '2024-01-01', amount: '1.00' }, ...postings]);
  expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: forms });
  expect((await formsOf(gateway, of.account))[0]?.content.irsReportable).toBe(reportable);
});

test("the year is that of the account's clock", async () => {
  const of = await given({ timeZone: 'Pacific/Auckland' });
  await post(gateway, of, [
    interest('2023-12-31T10:59:59.999Z', '1.00'),
    interest('2023-12-31T11:00:00.000Z', '2.00'),
    interest('2024-12-31T10:59:59.999Z', '4.00'),
    interest('2024-12-31T11:00:00.000Z', '8.00'),
  ]);
  await issue(gateway, '1099', '2024', of.program);
  expect(await boxOne(of.account)).toEqual(['6.00']);
});

describe('a corrected form', () => {
  test('is issued when interest of the year is posted later; the first one stays as it is', async () => {
    const of = await given();
    await post(gateway, of, [interest('2024-03-01', '20.00')]);
    await issue(gateway, '1099', '2024', of.program);
    const [first] = await formsOf(gateway, of.account);
    expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 0, corrected: 0 });
    await post(gateway, of, [interest('2024-12-30', '1.00'), interest('2025-01-01', '50.00')]);
    expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 0, corrected: 1 });
    await post(gateway, of, [interest('2024-12-30', '-21.00')]);
    expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 0, corrected: 1 });

    const forms = await formsOf(gateway, of.account);
    expect(forms[0]).toEqual(first);
    expect(await boxOne(of.account)).toEqual(['20.00', '21.00', '0.00']);
    expect(forms.map(({ corrects }) => corrects)).toEqual([null, forms[0]?.statementId, forms[1]?.statementId]);
    expect(forms[2]?.content.correctedStatementId).toBe(forms[1]?.statementId);
    expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 0, corrected: 0 });
  });

  test('is issued once, however many runs there are at the same moment', async () => {
    const program = gateway.given.program();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => gateway.given.account({ program })));
    for (const account of accounts) await post(gateway, account, [interest('2024-03-01', '20.00')]);
    await issue(gateway, '1099', '2024', program);
    for (const account of accounts) await post(gateway, account, [interest('2024-04-01', '1.00')]);
    await Promise.all([1, 2, 3].map(() => issue(gateway, '1099', '2024', program)));
    for (const { account } of accounts) expect(await boxOne(account)).toEqual(['20.00', '21.00']);
  });
});

describe('the recipient', () => {
  async function owned() {
    const program = gateway.given.program();
    const customers = [await gateway.given.customer({ program }), await gateway.given.customer({ program })];
    const [first, second] = customers.map(({ customer }) => customer) as [string, string];
    const shownAs = ({ taxId }: { taxId: string }) => `XXX-XX-${taxId.slice(-4)}`;
    const of = await gateway.given.account({ program, owners: [first, second] });
    await post(gateway, of, [interest('2024-03-01', '20.00')]);
    const change = (verb: 'add' | 'remove', customerId: string) =>
      gateway.as(of.caller).rest.post(`/accounts/${of.account}/owners/${verb}`, { holders: [{ customerId }] });
    const recipient = async () => {
      await issue(gateway, '1099', '2024', program);
      const [form] = await formsOf(gateway, of.account);
      return ['first', 'second'][customers.findIndex(customer => shownAs(customer) === form?.content.recipient.taxId)];
    };
    return { of, first, second, change, recipient };
  }

  test('is the primary owner', async () => {
    const { recipient } = await owned();
    expect(await recipient()).toBe('first');
  });

  test('is who was the primary owner when the year ended, though another one is now', async () => {
    const { first, change, recipient } = await owned();
    await change('remove', first);
    expect(await recipient()).toBe('first');
  });

  test('stays the same when the primary owner left and came back as the last one', async () => {
    const { first, change, recipient } = await owned();
    await change('remove', first);
    await change('add', first);
    expect(await recipient()).toBe('first');
  });

  test('is the next owner where the primary one left before the year ended', async () => {
    const { of, first, change, recipient } = await owned();
    await change('remove', first);
    await gateway.sql.query(`UPDATE former_owner SET owned_until = '2024-06-30T00:00:00Z' WHERE account_id = $1`, [
      of.account,
    ]);
    expect(await recipient()).toBe('second');
  });

  test('is nobody where nobody owned the account: that account fails, and is told', async () => {
    const { of, first, second, change } = await owned();
    for (const customer of [first, second]) await change('remove', customer);
    await gateway.sql.query(`UPDATE former_owner SET owned_until = '2024-06-30T00:00:00Z' WHERE account_id = $1`, [
      of.account,
    ]);
    const { runId, issued } = await issue(gateway, '1099', '2024', of.program);
    expect(issued).toBe(0);
    expect(await leftOutOf(gateway, of.caller, runId)).toEqual([
      { accountId: of.account, reasons: ['RECIPIENT_UNKNOWN'] },
    ]);
  });
});

test('an account whose owner cannot be opened fails alone', async () => {
  const program = gateway.given.program();
  const [good, bad] = [await gateway.given.account({ program }), await gateway.given.account({ program })];
  for (const account of [good, bad]) await post(gateway, account, [interest('2024-03-01', '20.00')]);
  await gateway.sql.query(
    `UPDATE customer SET sealed = set_byte(sealed, 60, 1 + get_byte(sealed, 60) & 127) WHERE customer_id = $1`,
    [bad.owners[0]],
  );
  const { runId, issued } = await issue(gateway, '1099', '2024', program);
  expect(issued).toBe(1);
  expect(await leftOutOf(gateway, good.caller, runId)).toEqual([{ accountId: bad.account, reasons: ['UNREADABLE'] }]);
  expect(await boxOne(good.account)).toEqual(['20.00']);
});
