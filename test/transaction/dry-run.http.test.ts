import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentsOf } from '../support/contents.js';
import { keyed, startTestGateway, unique, type GraphqlAnswer, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { entries, entry, FIELDS, post, posting, refusal, type PostedView } from './support/ledger.js';
import { rounds } from '../support/rounds.js';
import { inputsOf } from '../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions, dryRun: true }) { transactions { ${FIELDS} } } }`;

function trying(
  { account, caller }: Pick<GivenAccount, 'account' | 'caller'>,
  transactions: readonly object[],
  headers = {},
): Promise<GraphqlAnswer<{ postAccountTransactions: { transactions: PostedView[] } }>> {
  return gateway.as(caller).graphql(POST, { account, transactions: inputsOf(transactions) }, { headers });
}

test('a dry run of a posting answers what the posting answers', async () => {
  const given = await gateway.given.account();
  await post(gateway, given, entries(3));
  const ledger = entries(4, index => ({ amount: String(index + 1) }));
  const tried = await trying(given, ledger);
  expect(tried.errors).toBeUndefined();
  expect(tried.data.postAccountTransactions.transactions).toEqual(await post(gateway, given, ledger));
});

test('a dry run changes nothing in any table, whatever would be posted', async () => {
  const given = await gateway.given.account();
  const [known] = (await post(gateway, given, entries(3))) as [PostedView];
  await gateway.feedReady();
  const before = await contentsOf(gateway.sql);
  const change = fc.record(
    {
      transactionId: fc.constantFrom('a', 'b', known.transactionId),
      amount: fc.constantFrom('0', '10', '7.25', '1.234', '-1', '1000000000000000'),
      debitCreditMemo: fc.constantFrom('CREDIT', 'DEBIT', 'MEMO'),
      status: fc.constantFrom('POSTED', 'PENDING', 'MEMO', 'AUTHORIZATION'),
      availableBalance: fc.constantFrom('1', '30.00'),
    },
    { requiredKeys: ['transactionId', 'amount'] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.option(fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('k', 'l') })),
      async (changes, key) => {
        const headers = key === null ? {} : keyed(key);
        const { status } = await trying(
          given,
          changes.map(some => entry(some as object)),
          headers,
        );
        expect(status).toBe(200);
      },
    ),
    { numRuns: rounds(60) },
  );
  await gateway.feedReady();
  expect(await contentsOf(gateway.sql)).toEqual(before);
});

test('a dry run neither uses up an idempotency key nor repeats what is on record under one', async () => {
  const given = await gateway.given.account();
  const key = keyed(unique('key'));
  const [first, second] = [entry({ amount: '5' }), entry({ amount: '7' })];
  expect((await trying(given, [first], key)).errors).toBeUndefined();
  // The key is still free for another request.
  const posted = await posting(gateway, given, [second], key);
  expect(posted.errors).toBeUndefined();
  expect(posted.data.postAccountTransactions.transactions[0]?.availableBalance).toBe('7.00');
  // A dry run under the same key looks at the ledger, and not at the record.
  const again = await trying(given, [first], key);
  expect(again.data.postAccountTransactions.transactions[0]?.availableBalance).toBe('12.00');
  expect(again.headers['idempotent-replayed']).toBeUndefined();
  const replayed = await posting(gateway, given, [second], key);
  expect([replayed.headers['idempotent-replayed'], replayed.data]).toEqual(['true', posted.data]);
});

test('what a dry run is refused is refused as ever, and a denied attempt is on record', async () => {
  const closed = await gateway.given.account({ status: 'CLOSED' });
  expect(refusal(await trying(closed, [entry()])).code).toBe('account_closed');
  const given = await gateway.given.account();
  const [one] = await post(gateway, given, [entry()]);
  const other = entry({ transactionId: one?.transactionId ?? '', amount: '11' });
  expect(refusal(await trying(given, [other])).code).toBe('transaction_mismatch');
  expect(refusal(await trying(given, [])).code).toBe('rule_broken');

  const reader = await gateway.caller({ program: given.program, scopes: ['transactions.read'] });
  const stranger = await gateway.caller({ program: gateway.given.program() });
  expect(refusal(await trying({ ...given, caller: reader }, [entry()])).code).toBe('insufficient_scope');
  expect(refusal(await trying({ ...given, caller: stranger }, [entry()])).code).toBe('account_not_found');
  await gateway.recorded();
  const { rows } = await gateway.sql.query(
    `SELECT action, outcome, data->>'code' AS code FROM event WHERE account_id = $1 AND outcome <> 'DONE' ORDER BY id`,
    [given.account],
  );
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(['transaction.post', 'transaction.post']);
});

test('dry runs beside postings see only what is committed, and shift no numbers', async () => {
  const given = await gateway.given.account();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 ? trying(given, [entry()]) : posting(gateway, given, [entry()]),
    ),
  );
  expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([]);
  const [last] = await post(gateway, given, [entry()]);
  expect(last?.availableBalance).toBe('210.00');
});
