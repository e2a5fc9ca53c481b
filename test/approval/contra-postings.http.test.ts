import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, post, type Entry } from '../transaction/support/ledger.js';
import { givenTwo, type ApprovalCase } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postTransactions(accountId: $account, transactions: $transactions) { transactionId amount } }`;

/** A credit of so much, and who posts back parts of it. */
async function given(reversalsAbove: string | null, amount: string, more: object = {}) {
  const of = await givenTwo(gateway, reversalsAbove === null ? null : { reversalsAbove, ...more });
  const [posted] = await post(gateway, of, [entry({ amount })]);
  const id = posted?.transactionId as string;
  const back = (part: string, changes: Partial<Entry> = {}) =>
    entry({ amount: part, debitCreditMemo: 'DEBIT', referenceTransactionId: id, ...changes });
  return { ...of, id, back };
}

async function posting(
  { account }: Pick<ApprovalCase, 'account'>,
  by: ApprovalCase['asker'],
  transactions: Entry[],
  key = unique('key'),
) {
  const { data, errors } = await by.graphql(POST, { account, transactions }, { headers: keyed(key) });
  const extensions = errors?.[0]?.extensions;
  return { posted: data?.postTransactions as object[] | null, code: extensions?.code ?? null, extensions };
}

const reversing = ({ account, asker, id }: ApprovalCase & { readonly id: string }) =>
  asker.rest.post(`/accounts/${account}/transactions/${id}/reverse`, { reason: 'Twice' }, keyed(unique('key')));

async function balanceOf({ account, asker }: ApprovalCase): Promise<number> {
  return (await asker.rest.get(`/accounts/${account}`)).body.balances.posted as number;
}

test('a posting in the other direction waits as a reversal does, and is done once when it is approved', async () => {
  const of = await given('100', '100.01');
  const [transactions, key] = [[of.back('100.01')], unique('key')];
  const waiting = await posting(of, of.asker, transactions, key);
  expect(waiting.code).toBe('approval_required');
  expect(await balanceOf(of)).toBe(100.01);
  const { body } = await of.approver.rest.post(`/approvals/${waiting.extensions?.['approvalId']}/approve`);
  expect(body).toMatchObject({ status: 'APPROVED', command: 'transaction.post' });
  expect(await balanceOf(of)).toBe(0);
  expect((await posting(of, of.asker, transactions, key)).posted).toMatchObject([{ amount: '100.01' }]);
});

test('parts of a transaction count together, so that they wait as the whole does', async () => {
  const of = await given('100', '150');
  expect((await posting(of, of.asker, [of.back('60')])).code).toBeNull();
  expect((await posting(of, of.asker, [of.back('50')])).code).toBe('approval_required');
  expect((await posting(of, of.asker, [of.back('20'), of.back('21')])).code).toBe('approval_required');
  expect((await posting(of, of.asker, [of.back('40')])).code).toBeNull();
});

test('what refers to nothing, to no transaction, or goes in the same direction does not wait', async () => {
  const of = await given('0', '10');
  for (const changes of [
    { referenceTransactionId: null },
    { referenceTransactionId: unique('none') },
    { debitCreditMemo: 'CREDIT' },
    { debitCreditMemo: 'MEMO', amount: '50' },
    { status: 'PENDING', postedTimestamp: null, amount: '50' },
  ] as const) {
    expect((await posting(of, of.asker, [of.back('10', changes)])).code).toBeNull();
  }
});

test('a client that the record of the program names posts without an approval, and no more than there is', async () => {
  const [clientId, other] = [unique('network'), unique('desk')];
  const of = await given('0', '10', { postingClients: [clientId] });
  const network = gateway.as(await gateway.caller({ program: of.program, clientId, subject: clientId }));
  const desk = gateway.as(await gateway.caller({ program: of.program, clientId: other, subject: clientId }));
  expect((await posting(of, desk, [of.back('4')])).code).toBe('approval_required');
  expect((await posting(of, network, [of.back('4')])).code).toBeNull();
  expect((await posting(of, network, [of.back('6.01')])).code).toBe('beyond_transaction');
  expect((await posting(of, network, [of.back('6')])).code).toBeNull();
});

test('what was given back one way cannot be given back by what waits', async () => {
  const of = await given('5', '10');
  const waiting = await reversing(of);
  expect(waiting.status).toBe(202);
  const whole = await posting(of, of.asker, [of.back('10')]);
  expect((await posting(of, of.asker, [of.back('3')])).code).toBeNull();
  for (const approvalId of [waiting.body.approvalId, whole.extensions?.['approvalId']]) {
    const { body } = await of.approver.rest.post(`/approvals/${approvalId}/approve`);
    expect(body).toMatchObject({ status: 'FAILED', code: 'beyond_transaction' });
  }
  expect((await reversing(of)).body.code).toBe('beyond_transaction');
  expect(await balanceOf(of)).toBe(7);
});

test('after its reversal nothing of a transaction can be given back, without approvals alike', async () => {
  const of = await given(null, '10');
  expect((await reversing(of)).status).toBe(200);
  expect((await posting(of, of.asker, [of.back('0.01')])).code).toBe('beyond_transaction');
  expect((await reversing(of)).body.code).toBe('already_reversed');
  expect(await balanceOf(of)).toBe(0);
});

test('requests at the same time never give back more than the transaction', async () => {
  for (let round = 0; round < 5; round += 1) {
    const of = await given(null, '10');
    const answers = await Promise.all([
      reversing(of).then(({ status }) => status === 200),
      ...['4', '4', '4', '7', '10'].map(part =>
        posting(of, of.asker, [of.back(part)]).then(({ code }) => code === null),
      ),
      reversing(of).then(({ status }) => status === 200),
    ]);
    expect(answers.some(Boolean)).toBe(true);
    expect(await balanceOf(of)).toBeGreaterThanOrEqual(0);
    const { rows } = await gateway.sql.query(
      `SELECT sum(amount_minor)::int given_back FROM transaction WHERE account_id = $1 AND reference_transaction_id = $2`,
      [of.account, of.id],
    );
    expect((rows[0] as { given_back: number }).given_back).toBeLessThanOrEqual(1000);
  }
});

test('an import over the API does not give back what needs an approval, and none gives back too much', async () => {
  const of = await given('5', '10');
  const line = (part: string) => {
    const { amount, ...rest } = of.back(part);
    return `${JSON.stringify({ depositTransaction: { ...rest, accountId: of.account, amount: Number(amount) } })}\n`;
  };
  const importing = async (lines: string) => {
    const { body } = await of.asker.rest.post('/imports/transactions', { lines }, keyed(unique('key')));
    return JSON.stringify(body);
  };
  expect(await importing(line('6'))).toContain('needs_approval');
  expect(await importing(line('2') + line('2'))).not.toContain('needs_approval');
  expect(await importing(line('2'))).toContain('needs_approval');
  expect(await balanceOf(of)).toBe(6);
});
