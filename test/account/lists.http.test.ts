import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../support/answers.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { explained, rowsFrom } from '../support/explained.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { testUnless } from '../support/unless.js';

/** Enough that a plan which reads too much shows it. */
const ROWS = 20_000;
const EVERY = 600;
const PAGE = 10;

const planned = testUnless(differsOnCitus('plans'));
const QUERY = `query ($filter: AccountFilter, $first: Int, $after: String, $last: Int, $before: String) {
  accounts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { accountId accountType currency status openedOn } pageInfo { startCursor endCursor hasNextPage } } }`;
const PAGE_ALONE = QUERY.replace('totalCount', '');

interface AccountRow {
  readonly accountId: string;
  readonly accountType: string;
  readonly currency: string;
  readonly status: string;
  readonly openedOn: string;
}

let gateway: TestGateway;
let caller: string;
let program: string;
let all: readonly AccountRow[];

beforeAll(async () => {
  gateway = await startTestGateway({});
  const given = await gateway.given.account();
  ({ caller, program } = given);
  // One account in some hundreds is a CD, another one in EUR, another one RESTRICTED.
  await gateway.sql.query(
    `INSERT INTO account SELECT (jsonb_populate_record(a, jsonb_build_object(
        'account_id', 'listed-' || lpad(n::text, 6, '0'),
        'account_type', CASE WHEN n % $3 = 1 THEN 'CD' WHEN n % 2 = 0 THEN 'SAVINGS' ELSE 'CHECKING' END,
        'currency', CASE WHEN n % $3 = 2 THEN 'EUR' ELSE 'USD' END,
        'status', CASE WHEN n % $3 = 3 THEN 'RESTRICTED' ELSE 'OPEN' END,
        'opened_on', date '2000-01-01' + n / 10))).*
      FROM account a, generate_series(1, $2::int) n WHERE a.account_id = $1`,
    [given.account, ROWS, EVERY],
  );
  await gateway.sql.query('VACUUM (ANALYZE) account');
  const { rows } = await gateway.sql.query<AccountRow>(
    `SELECT account_id AS "accountId", account_type AS "accountType", currency, status, opened_on::text AS "openedOn"
      FROM account WHERE program = $1 ORDER BY account_id`,
    [program],
  );
  all = rows;
});
afterAll(() => gateway.stop());

async function listed(filter: object, page: object, query = QUERY) {
  const answer = await gateway.as(caller).graphql<{ accounts: Connection<AccountRow> }>(query, { filter, ...page });
  expect(answer.errors).toBeUndefined();
  return answer.data.accounts;
}

const FILTERS: readonly (readonly [string, object, (row: AccountRow) => boolean, string])[] = [
  [
    'a type',
    { types: ['CD'] },
    row => row.accountType === 'CD',
    'account_program_account_type_status_account_id_index',
  ],
  [
    'statuses',
    { statuses: ['RESTRICTED', 'CLOSED'] },
    row => row.status === 'RESTRICTED',
    'account_program_account_type_status_account_id_index',
  ],
  [
    'a currency',
    { currencies: ['EUR', 'GBP'] },
    row => row.currency === 'EUR',
    'account_program_currency_account_type_status_account_id_index',
  ],
  [
    'types, a currency and a status',
    { types: ['SAVINGS', 'CHECKING'], currencies: ['USD'], statuses: ['RESTRICTED'] },
    row => row.accountType !== 'CD' && row.currency === 'USD' && row.status === 'RESTRICTED',
    'account_program_currency_account_type_status_account_id_index',
  ],
  [
    'the days of opening and a type',
    { openedOnFrom: '2003-03-01', openedOnTo: '2003-03-20', types: ['SAVINGS'] },
    row => row.openedOn >= '2003-03-01' && row.openedOn <= '2003-03-20' && row.accountType === 'SAVINGS',
    'account_program_opened_on_account_id_index',
  ],
];

test.each(FILTERS)('accounts are listed by %s, page by page in both directions', async (_what, filter, fits) => {
  const expected = all.filter(fits);
  expect(expected.length).toBeGreaterThan(PAGE);
  const first = await listed(filter, { first: PAGE });
  expect(first).toMatchObject({ totalCount: expected.length, nodes: expected.slice(0, PAGE) });
  const second = await listed(filter, { first: PAGE, after: first.pageInfo.endCursor });
  expect(second.nodes).toEqual(expected.slice(PAGE, 2 * PAGE));
  const back = await listed(filter, { last: PAGE, before: second.pageInfo.startCursor });
  expect(back.nodes).toEqual(first.nodes);
  expect((await listed(filter, { last: 3 })).nodes).toEqual(expected.slice(-3));
});

planned.each(FILTERS)('a page by %s reads a range of an index', async (_what, filter, fits, index) => {
  const statements = await explained(gateway, ['account'], () => listed(filter, { first: PAGE }, PAGE_ALONE));
  expect(statements).toHaveLength(1);
  const [{ reads, nodes }] = statements as [(typeof statements)[number]];
  expect(reads.filter(read => read.startsWith('Seq'))).toEqual([]);
  expect(reads.some(read => read.includes(index))).toBe(true);
  expect(rowsFrom(nodes, index)).toBeLessThanOrEqual(all.filter(fits).length * 2 + PAGE);
  expect(rowsFrom(nodes, 'account_program_account_id_index')).toBe(0);
});

test('the owner of an account filters the own accounts alone', async () => {
  const own = await gateway.given.account({ program, accountType: 'CD' });
  const me = gateway.as(await gateway.caller({ program, customerId: own.owners[0] as string }));
  const filter = { types: ['CD'], openedOnFrom: '2000-01-01', currencies: ['USD'], statuses: ['OPEN'] };
  const { data } = await me.graphql<{ accounts: Connection<AccountRow> }>(QUERY, { filter });
  expect(data.accounts).toMatchObject({ totalCount: 1, nodes: [{ accountId: own.account }] });
});
