import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import type { Statement } from '../../lib/pg-wire/statement.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { connection } from './support/ledger.js';

/** Enough that a plan which reads too much shows it. */
const ROWS = 20_000;

let gateway: TestGateway;
let given: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
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

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  readonly text: string;
  /** Every node that reads the ledger, as `<node> <index>`. */
  readonly reads: string[];
  readonly nodes: readonly Plan[];
  /** Pages of eight kilobytes that the statement touched. */
  readonly blocks: number;
}

/** What the service sends while `ask` runs, about the ledger, with PostgreSQL's account of what it did. */
async function explained(ask: () => Promise<unknown>): Promise<Explained[]> {
  const { database } = gateway.gateway.container;
  const sent: { statement: Statement; values: unknown[] }[] = [];
  const listening = (['query', 'queryTogether'] as const).map(method => {
    const query = database[method].bind(database);
    return jest.spyOn(database, method).mockImplementation((statement: Statement, values: readonly unknown[] = []) => {
      if (/transaction t\b/.test(statement.text)) sent.push({ statement, values: [...values] });
      return query(statement, [...values]);
    });
  });
  await ask();
  for (const spy of listening) spy.mockRestore();
  expect(sent).not.toEqual([]);
  return Promise.all(sent.map(({ statement, values }) => explain(statement.text, values)));
}

async function explain(text: string, values: readonly unknown[]): Promise<Explained> {
  const client = await gateway.sql.connect();
  try {
    // As on the service's own connections: one plan for all values.
    await client.query(`SET plan_cache_mode = force_generic_plan; SET timezone = 'UTC'; PREPARE explained AS ${text}`);
    const execute = `EXECUTE explained(${values.map(literal).join(', ')})`;
    await client.query(execute);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan);
    const [top] = nodes as [Plan];
    const reads = nodes
      .filter(node => /Scan/.test(node['Node Type']) && isOfLedger(node))
      .map(node => `${node['Node Type']} ${node['Index Name'] ?? ''}`.trim());
    return { text, reads, nodes, blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'] };
  } finally {
    await client.query('DEALLOCATE ALL; RESET ALL');
    client.release();
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(item => JSON.stringify(item)).join(',')}}`);
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value));
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** A bitmap's scan of an index has no name but the index's. */
function isOfLedger(node: Plan): boolean {
  return node['Relation Name'] === 'transaction' || (node['Index Name'] ?? '').startsWith('transaction_');
}

/** Rows that a plan took from an index of the ledger, in all its loops. */
function rowsFrom(nodes: readonly Plan[], index: string): number {
  return nodes
    .filter(node => node['Index Name'] === index)
    .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
}

/** Throws unless the ledger is read by its primary key alone, these rows and no other. */
function expectOwnRows(statements: readonly Explained[], rows: number): void {
  expect(statements).toHaveLength(1);
  const [{ reads, nodes, blocks }] = statements as [Explained];
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

test.each([
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
  const statements = await explained(rest(query));
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

test('filtering by what no index begins with reads an index of its account, never the table', async () => {
  for (const query of ['category=CATEGORY1', 'minAmount=5', 'status=POSTED&debitCreditMemo=DEBIT']) {
    for (const { reads, blocks } of await explained(rest(query))) {
      expect(reads).toContain('Index Only Scan transaction_posted');
      expect(reads.filter(read => !read.startsWith('Index'))).toEqual([]);
      expect(blocks).toBeLessThan(1000);
    }
  }
});

test.each([
  ['the first page', 'limit=100'],
  ['a page in the middle', 'limit=100&offSet=9950'],
  ['the last page', 'limit=100&offSet=19900'],
])('%s of an unfiltered history reads its own rows by the primary key and nothing else', async (_what, query) => {
  expectOwnRows(await explained(rest(query)), 100);
});

test('cursors read their own rows by the primary key, in both directions and however deep', async () => {
  const { cursors } = await connection(gateway, given, { first: 1, offset: 15_000 });
  const query = `query ($account: ID!, $first: Int, $after: String, $last: Int, $before: String) { account(accountId: $account) {
    transactions(first: $first, after: $after, last: $last, before: $before) { nodes { amount } pageInfo { hasNextPage } } } }`;
  for (const args of [
    { first: 20, after: cursors[0] },
    { last: 20, before: cursors[0] },
    { first: 20 },
    { last: 20 },
  ]) {
    const statements = await explained(() =>
      gateway.as(given.caller).graphql(query, { account: given.account, ...args }),
    );
    // One more tells whether the list goes on.
    expectOwnRows(statements, 21);
  }
});

test('the total of an unfiltered history is not counted', async () => {
  const query = `query ($id: ID!) { account(accountId: $id) { transactions { totalCount } transaction(transactionId: "filled-77") { amount } } }`;
  const statements = await explained(() => gateway.as(given.caller).graphql(query, { id: given.account }));
  expect(statements).toHaveLength(1);
  expect(statements[0]?.reads).toEqual(['Index Scan transaction_account_id_transaction_id_unique']);
});

test('the history of a program is read along its own index, page by page', async () => {
  const query = `query ($after: String) { transactions(first: 50, after: $after) { nodes { amount } pageInfo { endCursor } } }`;
  let after: string | undefined;
  for (let page = 0; page < 4; page++) {
    const statements = await explained(async () => {
      const { data } = await gateway.as(given.caller).graphql(query, { after });
      after = data.transactions.pageInfo.endCursor;
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]?.reads).toContain('Index Scan transaction_occurred');
    expect(statements[0]?.reads.filter(read => !read.startsWith('Index'))).toEqual([]);
    expect(rowsFrom(statements[0]?.nodes ?? [], 'transaction_occurred')).toBeLessThanOrEqual(52);
  }
});
