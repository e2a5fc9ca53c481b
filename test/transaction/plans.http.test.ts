import { afterAll, beforeAll, expect } from '@jest/globals';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { explained, rowsFrom, type ExplainedStatement } from '../support/explained.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';

/** Enough that a plan which reads too much shows it. */
const ROWS = 20_000;
const LEDGER = ['transaction'];

/** Each looks at the plans of one server. */
const planned = testUnless(differsOnCitus('plans'));

let gateway: TestGateway;
let given: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway({});
  given = await gateway.given.account();
  const neighbours = await Promise.all(
    Array.from({ length: 10 }, () => gateway.given.account({ program: given.program })),
  );
  for (const { account } of [given, ...neighbours]) await fill(account, account === given.account ? ROWS : 500);
  // Outside of a transaction, and after the rows: PostgreSQL counts them and notes which pages everybody sees.
  await gateway.sql.query('VACUUM (ANALYZE) transaction');
  await gateway.sql.query('ANALYZE account');
});
afterAll(() => gateway.stop());

/** One posting an hour, of many types and categories. */
async function fill(account: string, rows: number): Promise<void> {
  await gateway.sql.query(
    `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category, transaction_type,
       status, description, transaction_timestamp, posted_timestamp, additional_information, line_item)
     SELECT $1, n, $2, 'filled-' || n, 100, n * 100, 'CREDIT', 'CATEGORY' || n % 7, 'TYPE' || n % 50, 'POSTED', 'number ' || n,
       at, at, '[{"key": "usage", "value": "MONETARY"}]', '[]'
     FROM generate_series(1, $3::int) n, LATERAL (SELECT timestamptz '2023-01-01T00:00:00Z' + n * interval '1 hour' AS at) t`,
    [account, given.program, rows],
  );
  await gateway.sql.query(
    'UPDATE account SET last_seq = $2::int8, balance_minor = $2::int8 * 100 WHERE account_id = $1',
    [account, rows],
  );
}

/** Throws unless the ledger is read by its primary key alone, these rows and no other. */
function expectOwnRows(statements: readonly ExplainedStatement[], rows: number): void {
  expect(statements).toHaveLength(1);
  const [{ reads, nodes, blocks }] = statements as [ExplainedStatement];
  // Where the accounts' rows lie mixed, a bitmap of the same index may be cheaper.
  expect(['Index Scan transaction_pkey', 'Bitmap Heap Scan, Bitmap Index Scan transaction_pkey']).toContain(
    reads.join(', '),
  );
  expect(rowsFrom(nodes, 'transaction_pkey')).toBe(rows);
  expect(blocks).toBeLessThan(40);
}

const rest = (query: string) => async () => {
  const { status } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/transactions?${query}`);
  expect(status).toBe(200);
};

const DAYS = 'startTime=2024-03-01&endTime=2024-03-31';

planned.each([
  ['a range of days', DAYS, 'transaction_posted', 31 * 24 + 1],
  ['days and a type', `${DAYS}&transactionType=TYPE7`, 'transaction_posted', 31 * 24 + 1],
  [
    'days, categories, a direction, a status and amounts',
    `${DAYS}&category=CATEGORY1,CATEGORY2&debitCreditMemo=CREDIT&status=POSTED&minAmount=1&maxAmount=1`,
    'transaction_posted',
    31 * 24 + 1,
  ],
  ['a type', 'transactionType=TYPE7', 'transaction_type', ROWS / 50],
  ['two types', 'transactionType=TYPE7,TYPE8', 'transaction_type', (2 * ROWS) / 50],
])('filtering by %s reads an index that covers it', async (_what, query, index, mostRows) => {
  const statements = await explained(gateway, LEDGER, rest(query));
  // The page and its total.
  expect(statements).toHaveLength(2);
  for (const { reads, nodes, text } of statements) {
    expect(reads).toContain(`Index Only Scan ${index}`);
    expect(reads.filter(read => !read.startsWith('Index'))).toEqual([]);
    expect(rowsFrom(nodes, index)).toBeLessThanOrEqual(mostRows);
    // Only the rows of the page itself are fetched.
    if (!text.includes('count(*)')) expect(rowsFrom(nodes, 'transaction_pkey')).toBe(10);
  }
});

planned('filtering by what no index begins with reads an index of its account, never the table', async () => {
  for (const query of ['category=CATEGORY1', 'minAmount=5', 'status=POSTED&debitCreditMemo=DEBIT']) {
    for (const { reads, blocks } of await explained(gateway, LEDGER, rest(query))) {
      expect(reads).toContain('Index Only Scan transaction_posted');
      expect(reads.filter(read => !read.startsWith('Index'))).toEqual([]);
      expect(blocks).toBeLessThan(1000);
    }
  }
});

planned.each([
  ['the first page', 'limit=100'],
  ['a page in the middle', 'limit=100&offSet=9950'],
  ['the last page', 'limit=100&offSet=19900'],
])('%s of an unfiltered history reads its own rows by the primary key and nothing else', async (_what, query) => {
  expectOwnRows(await explained(gateway, LEDGER, rest(query)), 100);
});

planned('cursors read their own rows by the primary key, in both directions and however deep', async () => {
  // A cursor is the number of an entry.
  const cursors = [Buffer.from('5000').toString('base64url')];
  const query = `query ($account: ID!, $first: Int, $after: String, $last: Int, $before: String) { account(accountId: $account) {
    transactions(first: $first, after: $after, last: $last, before: $before) { nodes { amount } pageInfo { hasNextPage } } } }`;
  for (const args of [
    { first: 20, after: cursors[0] },
    { last: 20, before: cursors[0] },
    { first: 20 },
    { last: 20 },
  ]) {
    const statements = await explained(gateway, LEDGER, () =>
      gateway.as(given.caller).graphql(query, { account: given.account, ...args }),
    );
    // One more tells whether the list goes on.
    expectOwnRows(statements, 21);
  }
});

planned('the total of an unfiltered history is not counted', async () => {
  const query = `query ($id: ID!) { account(accountId: $id) { transactions { totalCount } transaction(transactionId: "filled-77") { amount } } }`;
  const statements = await explained(gateway, LEDGER, () =>
    gateway.as(given.caller).graphql(query, { id: given.account }),
  );
  expect(statements).toHaveLength(1);
  expect(statements[0]?.reads).toEqual(['Index Scan transaction_account_id_transaction_id_unique']);
});

planned('the history of a program is read along its own index, page by page', async () => {
  const query = `query ($after: String) { transactions(first: 50, after: $after) { nodes { amount } pageInfo { endCursor } } }`;
  let after: string | undefined;
  for (let page = 0; page < 4; page++) {
    const statements = await explained(gateway, LEDGER, async () => {
      const { data } = await gateway.as(given.caller).graphql(query, { after });
      after = data.transactions.pageInfo.endCursor;
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]?.reads).toContain('Index Scan transaction_occurred');
    expect(statements[0]?.reads.filter(read => !read.startsWith('Index'))).toEqual([]);
    expect(rowsFrom(statements[0]?.nodes ?? [], 'transaction_occurred')).toBeLessThanOrEqual(52);
  }
});
