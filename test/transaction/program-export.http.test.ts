import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { entry, post } from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const at = (day: string) => {
  const instant = `${day}T16:00:00.000Z`;
  return { transactionTimestamp: instant, postedTimestamp: instant };
};

/** Two accounts of one program, with entries in turn, and one of another. */
async function givenHistory() {
  const program = gateway.given.program();
  const [one, other] = [await gateway.given.account({ program }), await gateway.given.account({ program })];
  const stranger = await gateway.given.account();
  await post(gateway, stranger, [entry(at('2026-03-03'))]);
  await post(gateway, one, [entry({ ...at('2026-03-01'), description: '=1+1' }), entry(at('2026-03-03'))]);
  await post(gateway, other, [entry({ ...at('2026-03-02'), description: 'Rent, March', amount: '12.50' })]);
  return { one, other, rest: gateway.as(one.caller).rest };
}

test('the history of a program is a file of all its accounts, the newest first, and of no others', async () => {
  const { one, other, rest } = await givenHistory();
  const { status, headers, text } = await rest.get('/transactions');
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"');
  const lines = text.split('\r\n');
  expect(lines[0]).toBe(
    'accountId,transactionId,postedTimestamp,transactionTimestamp,status,category,transactionType,debitCreditMemo,amount,availableBalance,currency,description,memo,signedAmount',
  );
  expect(lines.slice(1).map(line => line.split(',')[0])).toEqual([one.account, other.account, one.account, '']);
  expect(lines[2]).toContain(',12.50,');
  expect(lines[2]).toContain('"Rent, March"');
  expect(lines[2]).toMatch(/,12\.50$/);
  // What a spreadsheet would take for a formula is a text.
  expect(lines[3]).toContain(`"'=1+1"`);
});

test('has an amount below zero for a debit, and none for a memo, which moves nothing', async () => {
  const of = await gateway.given.account({ program: gateway.given.program() });
  await post(gateway, of, [
    entry({ amount: '2.00' }),
    entry({ amount: '1.50', debitCreditMemo: 'DEBIT' }),
    entry({ amount: '0.00', debitCreditMemo: 'DEBIT' }),
    entry({ amount: '9.00', debitCreditMemo: 'MEMO' }),
  ]);
  const { text } = await gateway.as(of.caller).rest.get('/transactions');
  const amounts = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(',').at(-1));
  expect(new Set(amounts)).toEqual(new Set(['2.00', '-1.50', '0.00', '']));
});

test('is filtered as the history of an account is', async () => {
  const { other, rest } = await givenHistory();
  const { text } = await rest.get('/transactions?startTime=2026-03-02&endTime=2026-03-02&search=rent&bom=true');
  const [head = '', ...lines] = text.split('\r\n');
  expect(head.charCodeAt(0)).toBe(0xfeff);
  expect(lines.map(line => line.split(',')[0])).toEqual([other.account, '']);
  expect((await rest.get('/transactions?minAmount=5&maxAmount=1')).status).toBe(422);
  expect(await rest.get('/transactions?format=ofx')).toMatchObject({ status: 406, body: { code: 'not_acceptable' } });
});
