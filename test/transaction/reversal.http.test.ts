import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import { contentsOf } from '../support/contents.js';
import { keyed, startTestGateway, unique, type GraphqlAnswer, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { formsOf, issue, statementsOf } from '../statement/issue/issuing.js';
import {
  byCursor,
  entries,
  entry,
  expectSound,
  FIELDS,
  post,
  posting,
  refusal,
  type PostedView,
} from './support/ledger.js';
import { restCode } from '../support/answers.js';
import { inputsOf } from '../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const REVERSE = `mutation ($account: ID!, $id: ID!, $reason: String!, $dryRun: Boolean! = false) {
  reverseTransaction(input: { accountId: $account, transactionId: $id, reason: $reason, dryRun: $dryRun }) { transaction { ${FIELDS} } } }`;

const REASON = 'Charged twice, ticket 4711';

type Where = Pick<GivenAccount, 'account' | 'caller'>;

interface ReversalView extends PostedView {
  readonly referenceTransactionId: string;
  readonly description: string;
  readonly debitCreditMemo: string;
  readonly postedTimestamp: string;
}

function reversing(
  { account, caller }: Where,
  id: string,
  more: { reason?: string; dryRun?: boolean; headers?: OutgoingHttpHeaders } = {},
): Promise<GraphqlAnswer<{ reverseTransaction: { readonly transaction: ReversalView } }>> {
  const { headers = {}, ...variables } = more;
  return gateway.as(caller).graphql(REVERSE, { account, id, reason: REASON, ...variables }, { headers });
}

async function reverse(where: Where, id: string): Promise<ReversalView> {
  const { data, errors } = await reversing(where, id);
  expect(errors).toBeUndefined();
  return data.reverseTransaction.transaction;
}

function overRest({ account, caller }: Where, id: string, query = '', body: object = { reason: REASON }) {
  const path = `/accounts/${account}/transactions/${encodeURIComponent(id)}/reverse${query}`;
  return gateway.as(caller).rest.post(path, body);
}

async function posted(given: GivenAccount, changes: Parameters<typeof entry>[0] = {}): Promise<PostedView> {
  const [one] = await post(gateway, given, [entry(changes)]);
  return one as PostedView;
}

test('a reversal is a new row in the other direction, and what it reverses stays', async () => {
  const given = await gateway.given.account();
  const fee = await posted(given, {
    amount: '6.05',
    debitCreditMemo: 'DEBIT',
    category: 'OTHER',
    transactionType: 'FEE',
    description: 'Monthly service fee',
    reference: 'INV-1',
    memo: 'a note',
    additionalInformation: [
      {
        key: 'usage',
        value: 'FEES',
      },
    ],
  });
  const reversal = await reverse(given, fee.transactionId);
  expect(reversal).toMatchObject({
    transactionId: `${fee.transactionId}~reversal`,
    referenceTransactionId: fee.transactionId,
    reference: 'INV-1',
    amount: '6.05',
    availableBalance: '0.00',
    debitCreditMemo: 'CREDIT',
    status: 'POSTED',
    category: 'OTHER',
    transactionType: 'FEE',
    description: 'Reversal: Monthly service fee',
    memo: null,
    additionalInformation: [],
    lineItem: [],
  });
  expect(Math.abs(Date.parse(reversal.postedTimestamp) - Date.now())).toBeLessThan(600_000);
  expect(await byCursor(gateway, given, 10)).toEqual([reversal.transactionId, fee.transactionId]);
  expect((await expectSound(gateway, given.account)).balance).toBe('0');
  const { data } = await gateway
    .as(given.caller)
    .graphql(`query ($a: ID!, $t: ID!) { account(accountId: $a) { transaction(transactionId: $t) { amount memo } } }`, {
      a: given.account,
      t: fee.transactionId,
    });
  expect(data.account.transaction).toEqual({ amount: '6.05', memo: 'a note' });
});

test('over REST it is the same, as the history shows it', async () => {
  const given = await gateway.given.account();
  const { transactionId } = await posted(given, { amount: '12.50', description: null });
  const tried = await overRest(given, transactionId, '?dryRun=true');
  const done = await overRest(given, transactionId);
  expect([tried.status, done.status]).toEqual([200, 200]);
  const {
    transactionTime: _,
    transactionTimestamp: __,
    postedTime: ___,
    postedTimestamp: ____,
    ...same
  } = done.body.depositTransaction;
  expect(tried.body.depositTransaction).toMatchObject(same);
  const page = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/transactions`);
  expect(page.body.transactions[0]).toEqual(done.body);
  expect(done.body.depositTransaction).toMatchObject({
    debitCreditMemo: 'DEBIT',
    amount: 12.5,
    description: 'Reversal',
  });
  expect((await overRest(given, transactionId)).body.code).toBe('already_reversed');
  expect((await overRest(given, transactionId, '?dryRun=maybe')).status).toBe(400);
  expect((await overRest(given, transactionId, '?dry=true')).status).toBe(400);
  expect((await overRest(given, 'nothing')).body.code).toBe('transaction_not_found');
  expect((await overRest(given, transactionId, '', {})).status).toBe(400);
  expect((await overRest(given, transactionId, '', { reason: 'x'.repeat(201) })).status).toBe(422);
});

test('the description of what is reversed is cut to the room for it, and never within a character', async () => {
  const given = await gateway.given.account();
  for (const [description, kept] of [
    [`${'x'.repeat(498)}😀`, 'x'.repeat(490)],
    [`${'x'.repeat(489)}😀${'y'.repeat(9)}`, 'x'.repeat(489)],
    [`${'x'.repeat(488)}😀${'y'.repeat(10)}`, `${'x'.repeat(488)}😀`],
    [`${'x'.repeat(488)}😀`, `${'x'.repeat(488)}😀`],
  ] as const) {
    const { transactionId } = await posted(given, { description });
    expect((await reverse(given, transactionId)).description).toBe(`Reversal: ${kept}`);
  }
});

test('a transaction is reversed once, whatever keys the requests have', async () => {
  const given = await gateway.given.account();
  const { transactionId } = await posted(given);
  const key = keyed(unique('key'));
  const first = await reversing(given, transactionId, { headers: key });
  expect(first.errors).toBeUndefined();
  const replay = await reversing(given, transactionId, { headers: key });
  expect([replay.headers['idempotent-replayed'], replay.data]).toEqual(['true', first.data]);
  for (const headers of [{}, keyed(unique('key'))]) {
    expect(refusal(await reversing(given, transactionId, { headers })).code).toBe('already_reversed');
  }
  expect(refusal(await reversing(given, transactionId, { headers: key, reason: 'Another' })).code).toBe(
    'idempotency_key_reused',
  );
  expect((await expectSound(gateway, given.account)).count).toBe(2);
});

test('of many that reverse at once one does', async () => {
  const given = await gateway.given.account();
  const { transactionId } = await posted(given);
  const answers = await Promise.all(Array.from({ length: 20 }, () => reversing(given, transactionId)));
  const codes = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => restCode(extensions.code)));
  expect(codes).toEqual(Array.from({ length: 19 }, () => 'already_reversed'));
  expect((await expectSound(gateway, given.account)).count).toBe(2);
});

test('what cannot be reversed has a code, and changes nothing', async () => {
  const given = await gateway.given.account();
  const { transactionId } = await posted(given);
  const { transactionId: reversalId } = await reverse(given, transactionId);
  const pending = await posted(given, { status: 'PENDING', postedTimestamp: null });
  const authorised = await posted(given, { status: 'AUTHORIZATION', postedTimestamp: null });
  const memo = await posted(given, { debitCreditMemo: 'MEMO' });
  const closed = await gateway.given.account({ status: 'CLOSED' });
  await gateway.feedReady();
  const before = await contentsOf(gateway.sql);
  for (const [where, id, code] of [
    [given, reversalId, 'transaction_is_reversal'],
    [given, pending.transactionId, 'transaction_not_posted'],
    [given, authorised.transactionId, 'transaction_not_posted'],
    [given, memo.transactionId, 'transaction_not_posted'],
    [given, transactionId, 'already_reversed'],
    [given, 'nothing', 'transaction_not_found'],
    [given, '\u0000', 'transaction_not_found'],
    [given, 'x'.repeat(65), 'transaction_not_found'],
    [closed, transactionId, 'account_closed'],
    [{ ...given, account: 'nothing' }, transactionId, 'account_not_found'],
  ] as const) {
    expect([id, refusal(await reversing(where, id)).code]).toEqual([id, code]);
    expect([id, refusal(await reversing(where, id, { dryRun: true })).code]).toEqual([id, code]);
  }
  for (const reason of ['', 'x'.repeat(201), 'two\nlines']) {
    expect(refusal(await reversing(given, transactionId, { reason }))).toMatchObject({
      code: 'rule_broken',
      errors: ['/input/reason text'],
    });
  }
  expect(await contentsOf(gateway.sql)).toEqual(before);
});

test('the longest ids have reversals of their own', async () => {
  const given = await gateway.given.account();
  const ids = [55, 56, 64].flatMap(length => ['a', 'b'].map(end => `${'i'.repeat(length - 1)}${end}`));
  await post(
    gateway,
    given,
    ids.map(transactionId => entry({ transactionId })),
  );
  const reversals: string[] = [];
  for (const id of ids) reversals.push((await reverse(given, id)).transactionId);
  expect(new Set(reversals).size).toBe(ids.length);
  for (const id of reversals) expect([id.length <= 64, id.endsWith('~reversal')]).toEqual([true, true]);
  for (const id of ids) expect(refusal(await reversing(given, id)).code).toBe('already_reversed');
  for (const id of reversals) expect(refusal(await reversing(given, id)).code).toBe('transaction_is_reversal');
});

test('the reason is in the event, and in nothing that readers of the feed get', async () => {
  const given = await gateway.given.account();
  const { transactionId } = await posted(given);
  const { transactionId: reversalId } = await reverse(given, transactionId);
  await gateway.feedReady();
  const { rows } = await gateway.sql.query(
    `SELECT action, object, data FROM event WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
    [given.account],
  );
  expect(rows).toEqual([
    {
      action: 'transaction.reverse',
      object: `transaction/${reversalId}`,
      data: {
        transactions: 1,
        lastSeq: 2,
        transactionIds: [reversalId],
        reversedTransactionId: transactionId,
        amount: '10.00',
        currency: 'USD',
        reason: REASON,
      },
    },
  ]);
  const feed = await gateway.as(given.caller).rest.get('/events?types=transaction.reversed');
  expect(feed.body.events.map(({ data }: { data: object }) => data)).toMatchObject([
    { transactionId: reversalId, reversedTransactionId: transactionId, seq: 2 },
  ]);
  expect(feed.text).not.toContain(REASON);
  const history = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/transactions`);
  expect(history.text).not.toContain(REASON);
});

test('reversing needs the scope operations, and an attempt without it is on record', async () => {
  const given = await gateway.given.account();
  const { transactionId } = await posted(given);
  const reader = await gateway.caller({ program: given.program, scopes: ['transactions.read'] });
  for (const dryRun of [false, true]) {
    expect(refusal(await reversing({ ...given, caller: reader }, transactionId, { dryRun })).code).toBe(
      'insufficient_scope',
    );
  }
  expect((await overRest({ ...given, caller: reader }, transactionId)).body.code).toBe('insufficient_scope');
  await gateway.recorded();
  const { rows } = await gateway.sql.query(
    `SELECT count(*)::int AS denied FROM event WHERE account_id = $1 AND action = 'transaction.reverse' AND outcome = 'DENIED'`,
    [given.account],
  );
  expect(rows).toEqual([{ denied: 3 }]);
});

test('interest that is taken back is not on the Form 1099-INT', async () => {
  const given = await gateway.given.account({ interestBearing: true });
  const at = { transactionType: 'INTEREST', postedTimestamp: '2025-03-31T12:00:00.000Z' };
  await post(gateway, given, [
    entry({ ...at, amount: '15.20' }),
    entry({ ...at, transactionId: 'wrong', amount: '12.01' }),
  ]);
  // The present of this program, in the year that the form is for.
  const setPresent = (present: string) =>
    gateway.sql.query(
      `CREATE OR REPLACE FUNCTION program_now(program text) RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT ${present} $$`,
    );
  const present = `date_trunc('milliseconds', now())`;
  await setPresent(
    `CASE WHEN program = '${given.program}' THEN timestamptz '2025-06-15 12:00:00Z' ELSE ${present} END`,
  );
  expect(await reverse(given, 'wrong')).toMatchObject({
    transactionType: 'INTEREST',
    debitCreditMemo: 'DEBIT',
    postedTimestamp: '2025-06-15T12:00:00.000Z',
  });
  await setPresent(present);
  await issue(gateway, '1099', '2025', given.program, true);
  expect((await formsOf(gateway, given.account)).map(({ content }) => content.boxes)).toEqual([{ 1: '15.20' }]);
  // And on the statement of its month, which adds up the year.
  await issue(gateway, 'close', '2025-06', given.program);
  expect((await statementsOf(gateway, given.account)).map(({ content }) => content.interest)).toMatchObject([
    { paid: '-12.01', paidYearToDate: '15.20' },
  ]);
});

test('with checked funds a debit beyond the overdraft limit is refused at each step, and credits never are', async () => {
  const given = await gateway.given.account();
  await gateway.sql.query('UPDATE account SET overdraft_limit_minor = 500, held_minor = 200 WHERE account_id = $1', [
    given.account,
  ]);
  const check = (transactions: readonly object[], dryRun = false) =>
    gateway.as(given.caller).graphql<{ postAccountTransactions: { transactions: PostedView[] } }>(
      `mutation ($account: ID!, $transactions: [TransactionInput!]!, $dryRun: Boolean!) {
        postAccountTransactions(input: { accountId: $account, transactions: $transactions, checkFunds: true, dryRun: $dryRun }) { transactions { availableBalance: balanceAfter } } }`,
      { account: given.account, transactions: inputsOf(transactions), dryRun },
    );
  const debit = (amount: string, changes: object = {}) => entry({ amount, debitCreditMemo: 'DEBIT', ...changes });
  await post(gateway, given, [entry({ amount: '10' })]);
  // 10.00 - 2.00 held + 5.00 of the limit.
  for (const dryRun of [true, false]) {
    expect(refusal(await check([debit('13.01')], dryRun)).code).toBe('insufficient_funds');
    expect(refusal(await check([debit('10'), debit('3.01'), entry({ amount: '100' })], dryRun)).code).toBe(
      'insufficient_funds',
    );
  }
  expect((await expectSound(gateway, given.account)).count).toBe(1);
  expect((await check([debit('99', { status: 'PENDING', postedTimestamp: null })])).errors).toBeUndefined();
  const last = debit('13.00');
  expect((await check([last])).data.postAccountTransactions.transactions).toEqual([{ availableBalance: '-3.00' }]);
  expect(refusal(await check([debit('0.01')])).code).toBe('insufficient_funds');
  // What is on the ledger already asks for no funds, and what the bank has done elsewhere is never refused.
  expect((await check([last, debit('0')])).errors).toBeUndefined();
  expect((await posting(gateway, given, [debit('1000')])).errors).toBeUndefined();
  expect((await check([entry({ amount: '1' })])).errors).toBeUndefined();
  await post(gateway, given, entries(2));
});
