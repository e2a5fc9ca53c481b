import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../support/answers.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { explained, rowsFrom } from '../support/explained.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { testUnless } from '../support/unless.js';
import { pairOf } from './support/transfers.js';

/** Enough that a plan which reads too much shows it. */
const ROWS = 10_000;
const EVERY = 500;
const PAGE = 5;
/** Two references have so many. */
const MOST_READ = (2 * ROWS) / EVERY;

const planned = testUnless(differsOnCitus('plans'));
const QUERY = `query ($filter: TransferFilter, $first: Int, $after: String, $last: Int, $before: String) {
  transfers(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { transferId status reference madeAt reversedAt updatedAt } pageInfo { startCursor endCursor } } }`;
const PAGE_ALONE = QUERY.replace('totalCount', '');

interface TransferRow {
  readonly transferId: string;
  readonly status: string;
  readonly reference: string | null;
  readonly madeAt: string;
  readonly reversedAt: string | null;
  readonly updatedAt: string;
}

let gateway: TestGateway;
let caller: string;
let program: string;
let owner: string;
let all: readonly TransferRow[];

beforeAll(async () => {
  gateway = await startTestGateway({});
  const { from, to, ...of } = await pairOf(gateway);
  ({ caller, program } = of);
  owner = from.owners[0] as string;
  await gateway.sql.query(
    `INSERT INTO transfer (account_id, transfer_id, program, seq, from_account_id, to_account_id, currency, amount_minor,
        status, reference, made_at, reversed_at)
      SELECT a, 'listed-' || n, $1, n + 10, $2, $3, 'USD', 100, CASE WHEN n % $5 = 1 THEN 'REVERSED' ELSE 'MADE' END,
        'INV-' || n % $5, at, CASE WHEN n % $5 = 1 THEN at + interval '1 day' END
      FROM generate_series(1, $4::int) n, LATERAL (SELECT timestamptz '2026-01-01T00:00:00Z' + n / 3 * interval '1 minute' AS at) t,
        unnest(ARRAY[$2, $3]::text[]) a`,
    [program, from.account, to.account, ROWS, EVERY],
  );
  await gateway.sql.query('VACUUM (ANALYZE) transfer');
  const { rows } = await gateway.sql.query<TransferRow>(
    `SELECT transfer_id AS "transferId", status, reference, ${[
      'made_at',
      'reversed_at',
      'coalesce(reversed_at, made_at)',
    ]
      .map(
        (column, index) =>
          `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${['madeAt', 'reversedAt', 'updatedAt'][index]}"`,
      )
      .join(', ')}
      FROM transfer WHERE program = $1 AND account_id = from_account_id ORDER BY made_at DESC, transfer_id DESC`,
    [program],
  );
  all = rows;
});
afterAll(() => gateway.stop());

async function listed(filter: object, page: object, query = QUERY) {
  const answer = await gateway.as(caller).graphql<{ transfers: Connection<TransferRow> }>(query, { filter, ...page });
  expect(answer.errors).toBeUndefined();
  return answer.data.transfers;
}

const [FROM, BEFORE] = ['2026-01-02T00:00:00.000Z', '2026-01-02T10:00:00.000Z'];
const FILTERS: readonly (readonly [string, object, (row: TransferRow) => boolean, string])[] = [
  ['nothing', {}, () => true, 'transfer_of_program'],
  ['a status', { statuses: ['REVERSED'] }, row => row.status === 'REVERSED', 'transfer_of_program'],
  [
    'the time at which money moved',
    { madeFrom: FROM, madeBefore: BEFORE },
    row => row.madeAt >= FROM && row.madeAt < BEFORE,
    'transfer_of_program',
  ],
  [
    'references',
    { references: ['INV-7', 'INV-8'], statuses: ['MADE'] },
    row => row.reference === 'INV-7' || row.reference === 'INV-8',
    'transfer_reference',
  ],
];

test.each(FILTERS)(
  'transfers of a program are listed by %s, page by page in both directions',
  async (_what, filter, fits) => {
    const expected = all.filter(fits);
    expect(expected.length).toBeGreaterThan(2 * PAGE);
    const first = await listed(filter, { first: PAGE });
    expect(first).toMatchObject({ totalCount: expected.length, nodes: expected.slice(0, PAGE) });
    const second = await listed(filter, { first: PAGE, after: first.pageInfo.endCursor });
    expect(second.nodes).toEqual(expected.slice(PAGE, 2 * PAGE));
    const back = await listed(filter, { last: PAGE, before: second.pageInfo.startCursor });
    expect(back.nodes).toEqual(first.nodes);
    expect((await listed(filter, { last: 3 })).nodes).toEqual(expected.slice(-3));
  },
);

planned.each(FILTERS)('a page by %s reads a range of an index', async (_what, filter, _fits, index) => {
  const statements = await explained(gateway, ['transfer'], () => listed(filter, { first: PAGE }, PAGE_ALONE));
  expect(statements).toHaveLength(1);
  const [{ reads, nodes }] = statements as [(typeof statements)[number]];
  expect(reads.filter(read => read.startsWith('Seq'))).toEqual([]);
  expect(rowsFrom(nodes, index)).toBeLessThanOrEqual(MOST_READ);
  expect(rowsFrom(nodes, index)).toBeGreaterThan(0);
});

test('REST lists them with the same filters and leads to the page behind', async () => {
  const me = gateway.as(caller).rest;
  const first = await me.get(`/transfers?statuses=REVERSED&limit=${PAGE}&madeFrom=2026-01-01T00:00:00Z`);
  const expected = all.filter(({ status }) => status === 'REVERSED').map(({ transferId }) => transferId);
  const ids = ({ body }: typeof first) => body.transfers.map(({ transferId }: TransferRow) => transferId);
  expect(ids(first)).toEqual(expected.slice(0, PAGE));
  expect(ids(await me.get(first.body.links.next.href))).toEqual(expected.slice(PAGE, 2 * PAGE));
  expect((await me.get('/transfers?statuses=PENDING')).body.errors[0].pointer).toBe('/statuses/0');
  expect((await me.get('/transfers?after=nonsense')).body.errors[0].pointer).toBe('/after');
});

test('the list is for tokens of the program, and has no transfers of another one', async () => {
  const customer = gateway.as(await gateway.caller({ program, customerId: owner }));
  expect((await customer.rest.get('/transfers')).body.code).toBe('program_wide_only');
  expect((await customer.graphql(QUERY, {})).errors?.[0].extensions.code).toBe('PROGRAM_WIDE_ONLY');
  const stranger = gateway.as(await gateway.caller({ program: unique('program') }));
  expect((await stranger.rest.get('/transfers')).body).toEqual({ transfers: [], links: {} });
});
