import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, importing, line, type Entry } from '../transaction/support/ledger.js';
import { givenTwo, type ApprovalCase } from './waiting.js';
import { restCode } from '../support/answers.js';
import { inputsOf } from '../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions { transactionId amount } } }`;
const CHANGES = `query ($id: ID!) { approval(approvalId: $id) { changes { field before after } } }`;

/** Dollars above this amount wait, and those of other currencies do not. */
const ZERO = [{ currency: 'USD', amount: '0' }];
const above = (amount: string) => ({ postingsAbove: [{ currency: 'USD', amount }] });

/** A credit of so much on record, and postings that go back to it or not. */
async function given(approvals: object | null, amount = '10') {
  const of = await givenTwo(gateway, approvals);
  const credit = entry({ amount });
  const id = credit.transactionId;
  expect(await importing(gateway, of.program, [line(of.account, credit)])).toEqual(['new']);
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
  const { data, errors } = await by.graphql(
    POST,
    { account, transactions: inputsOf(transactions) },
    { headers: keyed(key) },
  );
  const extensions = errors?.[0]?.extensions;
  const posted = (data?.postAccountTransactions?.transactions ?? null) as object[] | null;
  return { posted, code: restCode(extensions?.code) ?? null, extensions };
}

const reversing = ({ account, asker, id }: ApprovalCase & { readonly id: string }) =>
  asker.rest.post(`/accounts/${account}/transactions/${id}/reverse`, { reason: 'Twice' }, keyed(unique('key')));

async function balanceOf({ account, asker }: ApprovalCase): Promise<number> {
  return (await asker.rest.get(`/accounts/${account}`)).body.balances.posted as number;
}

test('a posting above the amount waits, with a reference and without, and is done once when it is approved', async () => {
  const of = await given(above('100'));
  for (const [referenceTransactionId, before] of [
    [null, '10.00'],
    [of.id, '110.01'],
  ] as const) {
    const [transaction, key] = [entry({ amount: '100.01', referenceTransactionId }), unique('key')];
    const waiting = await posting(of, of.asker, [transaction], key);
    expect(waiting.code).toBe('approval_required');
    expect(await balanceOf(of)).toBe(Number(before));
    const id = waiting.extensions?.['approvalId'] as string;
    const { data } = await of.approver.graphql(CHANGES, { id });
    const field = `transactions/${transaction.transactionId}`;
    expect(data.approval.changes).toEqual([
      { field, before: null, after: 'POSTED CREDIT 100.01' },
      ...(referenceTransactionId ? [{ field: `${field}/referenceTransactionId`, before: null, after: of.id }] : []),
      { field: 'balances/posted', before, after: (Number(before) + 100.01).toFixed(2) },
    ]);
    const { body } = await of.approver.rest.post(`/approvals/${id}/approve`);
    expect(body).toMatchObject({ status: 'APPROVED', command: 'transaction.post' });
    expect((await posting(of, of.asker, [transaction], key)).posted).toMatchObject([{ amount: '100.01' }]);
  }
  expect(await balanceOf(of)).toBe(210.02);
});

test('the postings of a request count together, whatever their direction, and those on record do not', async () => {
  const of = await given(above('100'));
  const [sixty, fifty] = [entry({ amount: '60' }), of.back('50')];
  expect((await posting(of, of.asker, [sixty, fifty])).code).toBe('approval_required');
  expect((await posting(of, of.asker, [sixty])).code).toBeNull();
  expect((await posting(of, of.asker, [sixty, fifty])).code).toBeNull();
  expect((await posting(of, of.asker, [entry({ amount: '50' }), of.back('50')])).code).toBeNull();
  expect((await posting(of, of.asker, [entry({ amount: '50' }), of.back('50.01')])).code).toBe('approval_required');
});

test('what moves no money, what is in another currency, and what a rule of reversals is for do not wait', async () => {
  const of = await given({ ...above('0'), reversalsAbove: ZERO });
  for (const changes of [{ debitCreditMemo: 'MEMO' }, { status: 'PENDING', postedTimestamp: null }] as const) {
    expect((await posting(of, of.asker, [of.back('50', changes)])).code).toBeNull();
  }
  expect((await posting(of, of.asker, [of.back('0.01')])).code).toBe('approval_required');
  const { account } = await gateway.given.account({ program: of.program, currency: 'EUR' });
  expect((await posting({ account }, of.asker, [entry({ amount: '5000' })])).code).toBeNull();
  const reversals = await given({ reversalsAbove: ZERO });
  expect((await posting(reversals, reversals.asker, [reversals.back('50')])).code).toBeNull();
});

test('a client that the record of the program names posts without an approval', async () => {
  const [clientId, other] = [unique('network'), unique('desk')];
  const of = await given({ ...above('0'), postingClients: [clientId] });
  const network = gateway.as(await gateway.caller({ program: of.program, clientId, subject: clientId }));
  const desk = gateway.as(await gateway.caller({ program: of.program, clientId: other, subject: clientId }));
  expect((await posting(of, desk, [of.back('4')])).code).toBe('approval_required');
  expect((await posting(of, network, [of.back('4'), of.back('600')])).code).toBeNull();
});

test('a reversal gives back no more than is left, also one that waits', async () => {
  const of = await given({ reversalsAbove: [{ currency: 'USD', amount: '5' }] });
  const waiting = await reversing(of);
  expect(waiting.status).toBe(202);
  expect((await posting(of, of.asker, [of.back('3')])).code).toBeNull();
  const { body } = await of.approver.rest.post(`/approvals/${waiting.body.approvalId}/approve`);
  expect(body).toMatchObject({ status: 'FAILED', code: 'beyond_transaction' });
  expect((await reversing(of)).body.code).toBe('beyond_transaction');
  expect(await balanceOf(of)).toBe(7);
});

test('after its reversal a transaction is not reversed again, and postings may still refer to it', async () => {
  const of = await given(null);
  expect((await reversing(of)).status).toBe(200);
  expect((await posting(of, of.asker, [of.back('12.50')])).code).toBeNull();
  expect((await reversing(of)).body.code).toBe('already_reversed');
  expect(await balanceOf(of)).toBe(-12.5);
});

test('a reversal at the same time as postings is done before them or not at all', async () => {
  for (let round = 0; round < 5; round += 1) {
    const of = await given(null);
    const reversal = async () => Number((await reversing(of)).status === 200);
    const [first, second] = await Promise.all([
      reversal(),
      reversal(),
      ...['4', '11'].map(part => posting(of, of.asker, [of.back(part)]).then(() => 0)),
    ]);
    const { rows } = await gateway.sql.query<{ ids: string[] }>(
      `SELECT array_agg(transaction_id ORDER BY seq) ids FROM transaction WHERE account_id = $1 AND reference_transaction_id = $2`,
      [of.account, of.id],
    );
    const place = rows[0]?.ids.indexOf(`${of.id}~reversal`);
    expect([first + second, place]).toEqual(place === -1 ? [0, -1] : [1, 0]);
  }
});

test('an import over the API adds no more to an account than its caller may post, and the command line all', async () => {
  const network = unique('network');
  const of = await given({ ...above('50'), postingClients: [network] });
  const lines = ['30', '30', '20', '0.01'].map(amount => line(of.account, entry({ amount })));
  const over = async (client: ApprovalCase['asker']) => {
    const { body } = await client.rest.post('/imports/transactions', { lines: lines.join('\n') }, keyed(unique('key')));
    return { ...body, rejected: body.rejected.map(({ line: at, code }: { line: number; code: string }) => [at, code]) };
  };
  const needs = 'needs_approval';
  expect(await over(of.asker)).toMatchObject({
    written: 2,
    rejected: [
      [2, needs],
      [4, needs],
    ],
  });
  expect(await over(of.asker)).toMatchObject({ written: 2, unchanged: 2, rejected: [] });
  const more = ['500', '600'].map(amount => line(of.account, entry({ amount })));
  expect(await importing(gateway, of.program, more)).toEqual(['new', 'new']);
  lines.push(line(of.account, entry({ amount: '900' })));
  const system = gateway.as(await gateway.caller({ program: of.program, clientId: network, subject: network }));
  expect(await over(system)).toMatchObject({ written: 1, unchanged: 4, rejected: [] });
});
