import { afterAll, beforeAll, expect } from '@jest/globals';
import type pg from 'pg';
import { FUNCTIONS } from '../../../migrations/citus/tables.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { functionOf } from '../../../src/platform/database/citus/functions.js';
import { statementsApart } from '../../../src/platform/database/keyed.js';
import { issue, post as postAt } from '../../statement/issue/issuing.js';
import { newCard } from '../../support/card.js';
import { differsOnCitus } from '../../support/citus-differences.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { testUnless } from '../../support/unless.js';

// What is sent to Citus is plain SQL, so any PostgreSQL tells whether it does the same as the statement it stands for.

/** Those that are compared elsewhere, and why. */
const ELSEWHERE = new Map([
  ['idempotency_key_sweep', 'Only Citus has run_command_on_shards: test/platform/command/recovery runs it there.'],
]);
/** Functions that are others under the same name: the gateway of this test uses its own. */
const OWN_FUNCTIONS = new Set(['feed_advance', 'program_now']);
/** Longer than ledgers without marks of balances. */
const LONG_LEDGER = 200;
const TABLES = [
  'account',
  'account_owner',
  'former_owner',
  'ended_account',
  'beneficiary',
  'transaction',
  'card',
  'statement',
  'hold',
  'balance_mark',
  'transfer',
  'transfer_key',
  'account_limit',
  'account_event',
  'program_event',
  'idempotency_key',
  'approval',
  'note',
  'customer',
  'program',
  'webhook_endpoint',
  'webhook_delivery',
  'issue_run',
  'issue_run_issuer',
  'issue_batch',
  'issue_run_program',
  'issue_left_out',
  'tax_filing',
  'tax_transmission',
  'tax_filing_form',
  'tax_unfiled_form',
  'console_session',
  'dpop_proof',
  'token_revocation',
];

/** A statement with values, and what is changed before it so that it finds something to do. */
interface Case {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly before?: readonly string[];
  /** Triggers and foreign keys do not see what it does. */
  readonly isUnchecked?: boolean;
}

let gateway: TestGateway;
let client: pg.PoolClient;
let program: string;
let accounts: GivenAccount[];
let runId: string;

beforeAll(async () => {
  gateway = await startTestGateway({});
  program = unique('program');
  await gateway.given.programRecord(program);
  accounts = [];
  for (let n = 0; n < 3; n += 1) accounts.push(await account());
  const [long, other] = accounts as [GivenAccount, GivenAccount];
  for (let n = 0; n < 2; n += 1) await transfer(long, other);
  const limited = await gateway
    .as(long.caller)
    .rest.patch(`/accounts/${long.account}/transfer-limits`, { perDay: 1000, transfersPerDay: 10 });
  expect(limited.status).toBe(200);
  await postAt(
    gateway,
    long,
    Array.from({ length: LONG_LEDGER }, (_, n) => ({
      // The last ones are posted late: all marks of balances are behind them.
      at: n < LONG_LEDGER - 5 ? `2026-0${1 + Math.floor(n / 40)}-1${n % 10}` : '2025-12-31',
      amount: n % 3 === 0 ? '-1.00' : '2.50',
      type: n % 7 === 0 ? 'INTEREST' : 'DEPOSIT',
    })),
  );
  ({ runId } = await issue(gateway, 'close', '2026-02', program));
  await issue(gateway, '1099', '2025', program);
  const { errors } = await gateway
    .as(long.caller)
    .graphql('{ events(first: 3, order: OLDEST_FIRST) { nodes { id } } }');
  expect(errors).toBeUndefined();
  client = await gateway.sql.connect();
  // What tables and functions have on Citus besides.
  await client.query(`ALTER TABLE idempotency_key ADD COLUMN account_id text NOT NULL DEFAULT ''`);
  await client.query(
    `CREATE TABLE card_number (number_digest bytea PRIMARY KEY, account_id text NOT NULL, card_id text NOT NULL)`,
  );
  await client.query('INSERT INTO ended_account SELECT account_id, program, now() FROM account');
  await client.query('INSERT INTO card_number SELECT number_digest, account_id, card_id FROM card');
  await client.query(
    `INSERT INTO token_revocation VALUES ('demo', 'CLIENT', 'mobile-app', gen_random_uuid(), '2026-01-01', '2026-01-01')`,
  );
  for (const statement of FUNCTIONS) if (!OWN_FUNCTIONS.has(functionOf(statement) ?? '')) await client.query(statement);
});
afterAll(async () => {
  client?.release(true);
  await gateway.stop();
});

async function transfer(from: GivenAccount, to: GivenAccount): Promise<void> {
  const ids = { fromAccountId: from.account, toAccountId: to.account, transferId: unique('transfer') };
  const { status } = await gateway.as(from.caller).rest.post('/transfers', { ...ids, amount: 1 }, keyed(unique('key')));
  expect(status).toBe(201);
}

/** An account that has something of everything. */
async function account(): Promise<GivenAccount> {
  const of = await gateway.given.account({ program, owners: 3 });
  const { account: id, caller, owners } = of;
  const { rest, graphql } = {
    rest: gateway.as(caller).rest,
    graphql: async (text: string, variables: object) => {
      const { errors, data } = await gateway.as(caller).graphql(text, variables, { headers: keyed(unique('key')) });
      expect(errors).toBeUndefined();
      return data;
    },
  };
  await gateway.given.beneficiaries(of, 3);
  await gateway.given.statement({ of });
  for (let n = 0; n < 2; n += 1) {
    const created = await rest.post('/cards/v1/cards', newCard(id, owners[0] as string), keyed(unique('key')));
    expect(created.status).toBe(201);
  }
  const [first] = await postAt(gateway, of, [
    { at: '2025-06-01', amount: '100.00', type: 'INTEREST' },
    { at: '2026-01-31', amount: '50.00' },
    { at: '2026-02-10', amount: '-3.00', type: 'FEE' },
  ]);
  await graphql(
    `
      mutation ($id: ID!, $transactions: [TransactionInput!]!) {
        postAccountTransactions(input: { accountId: $id, transactions: $transactions }) {
          transactions {
            transactionId
          }
        }
      }
    `,
    {
      id,
      transactions: [
        {
          transactionId: unique('t'),
          referenceTransactionId: first,
          amount: '1.00',
          direction: 'DEBIT',
          category: 'OTHER',
          transactionType: 'REFUND',
          status: 'POSTED',
          transactedAt: '2026-02-11T12:00:00.000Z',
          postedAt: '2026-02-11T12:00:00.000Z',
        },
      ],
    },
  );
  for (let n = 0; n < 2; n += 1) {
    await graphql(
      `
        mutation ($id: ID!, $input: HoldInput!) {
          placeHold(input: { accountId: $id, hold: $input }) {
            hold {
              holdId
            }
          }
        }
      `,
      {
        id,
        input: {
          holdId: unique('hold'),
          description: 'Held',
          amount: '1.00',
          expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        },
      },
    );
  }
  await graphql(
    `
      mutation ($id: ID!, $customers: [ID!]!) {
        removeAccountOwners(input: { accountId: $id, customerIds: $customers }) {
          results {
            ownerStatus
          }
        }
      }
    `,
    {
      id,
      customers: [owners[2]],
    },
  );
  return of;
}

/** What is on record of an account, for keys that find something. */
interface AccountRows {
  readonly id: string;
  readonly lastSeq: number;
  readonly transactions: readonly string[];
  readonly owners: readonly string[];
  readonly lastNames: readonly string[];
  readonly former: readonly { readonly customer: string; readonly until: string }[];
  readonly holds: readonly string[];
  readonly cards: readonly string[];
  readonly beneficiaries: readonly string[];
  readonly statements: readonly string[];
  readonly transfers: readonly string[];
}

async function factsOf({ account: id }: GivenAccount): Promise<AccountRows> {
  const list = (column: string, table: string, order: string): string =>
    `(SELECT coalesce(json_agg(t.${column} ORDER BY ${order}), '[]') FROM ${table} t WHERE t.account_id = a.account_id)`;
  const { rows } = await client.query<AccountRows>(
    `SELECT a.account_id AS id, a.last_seq::int AS "lastSeq", ${list('transaction_id', 'transaction', 't.seq')} AS transactions,
      ${list('customer_id', 'account_owner', 't.position')} AS owners, ${list('hold_id', 'hold', 't.seq')} AS holds,
      ${list('card_id', 'card', 't.card_id')} AS cards, ${list('beneficiary_id', 'beneficiary', 't.position')} AS beneficiaries,
      ${list('statement_id', 'statement', 't.statement_id')} AS statements,
      ${list('transfer_id', 'transfer', 't.seq')} AS transfers,
      (SELECT json_agg(c.name_last ORDER BY o.position) FROM account_owner o JOIN customer c ON c.customer_id = o.customer_id
        WHERE o.account_id = a.account_id) AS "lastNames",
      (SELECT json_agg(json_build_object('customer', f.customer_id, 'until', f.owned_until)) FROM former_owner f
        WHERE f.account_id = a.account_id) AS former
     FROM account a WHERE a.account_id = $1`,
    [id],
  );
  return rows[0] as AccountRows;
}

const at = <Value>(list: readonly Value[], n: number): Value | null => list[n % list.length] ?? null;

/** The value of a key's column, for the n-th key of an account. Every column of every statement has one here. */
const EXAMPLES: Readonly<Record<string, (facts: AccountRows, n: number, statement: string) => unknown>> = {
  account_id: ({ id }) => id,
  parent: ({ id }) => id,
  program: (_, n) => (n === 4 ? 'another' : program),
  customer_id: ({ owners, former }, n, statement) => {
    if (statement.startsWith('former_owner')) return at(former, n)?.customer;
    if (statement.startsWith('account_owner')) return at(owners, n);
    return [null, at(owners, n), '00000000-0000-4000-8000-000000000000'][n % 3];
  },
  last_name: ({ lastNames }, n) => at(lastNames, n)?.toUpperCase(),
  owned_until: ({ former }, n) => at(former, n)?.until,
  transaction_id: ({ transactions }, n) => at(transactions, n),
  hold_id: ({ holds }, n) => at(holds, n),
  card_id: ({ cards }, n) => at(cards, n),
  beneficiary_id: ({ beneficiaries }, n) => at(beneficiaries, n),
  statement_id: ({ statements }, n) => at(statements, n),
  transfer_id: ({ transfers }, n) => at(transfers, n),
  seq: (_, n) => n + 1,
  chain_seq: (_, n) => n + 1,
  first_seq: (_, n) => 1 + n,
  last_seq: ({ lastSeq }, n) => lastSeq - n,
  through: ({ lastSeq }) => lastSeq,
  balance_minor: (_, n) => 1000 + n,
  held_minor: (_, n) => 100 + n,
  transaction_timestamp: () => '2026-02-01T12:00:00Z',
  posted_timestamp: (_, n) => (n % 2 === 0 ? '2026-02-01T23:30:00Z' : null),
  high: (_, n) => 3 + n,
  low: (_, n) => n % 3,
  lists: (_, n) => n % 2 === 0,
  lazy: (_, n) => n % 2 === 0,
  skip: (_, n) => n % 2,
  size: (_, n) => 1 + (n % 3),
  filter: (_, n, statement) => (n % 3 === 0 ? null : statement.startsWith('hold') ? 'ACTIVE' : 'STATEMENTS'),
  after: (facts, n, statement) => placeIn(facts, n, statement, true),
  before: (facts, n, statement) => placeIn(facts, n, statement, false),
  zone: (_, n) => (n % 2 === 0 ? 'Europe/Berlin' : 'UTC'),
  zone_before: () => 'UTC',
  start_zone: () => 'Europe/Berlin',
  end_zone: () => 'America/New_York',
  first: () => '2026-02-09',
  last: () => '2026-02-12',
  late_after: (_, n) => (n % 2 === 0 ? 0 : null),
  late_until: () => '2026-01-31',
  type: (_, n) => (n % 2 === 0 ? 'STATEMENTS' : 'TAX_1099'),
  key_hash: (_, n) => keyHashes[n % keyHashes.length],
  outcome: (_, n) => Buffer.from([n]),
};
let keyHashes: Buffer[] = [];

/** The place after or before which a page is: an id, or where the order is a number, that number. */
function placeIn(facts: AccountRows, n: number, statement: string, isAfter: boolean): unknown {
  if (statement.startsWith('card')) return n % 2 === 0 ? null : at(facts.cards, isAfter ? 0 : 1);
  if (statement.startsWith('statement')) return n % 2 === 0 ? null : at(facts.statements, isAfter ? 1 : 0);
  const isDescending = statement.startsWith('hold') || statement.startsWith('transfer');
  return isAfter === isDescending ? 1000 : n % 2;
}

const KEYS = /WITH ORDINALITY k\(([\w, ]+), n\)/;
const PERIODS = [
  ['2025-01-01', '2025-12-31'],
  ['2026-03-01', '2026-03-31'],
] as const;
const KEYS_OF_EACH = [9, 2, 2];

/** A statement over keys with keys of all accounts, of which the first has many. */
function keyedCases(statement: Statement, columns: readonly string[], facts: readonly AccountRows[]): Case[] {
  const isChange = !statement.text.startsWith('SELECT');
  const isOfKeys = columns.includes('key_hash');
  const [first] = facts as [AccountRows];
  const keys = facts.flatMap((of, index) =>
    // A row is changed once, or it would depend on the order to what.
    Array.from({ length: isChange ? 1 : (KEYS_OF_EACH[index] as number) }, (_, n) => {
      const place = isChange && isOfKeys ? index : n;
      return columns.map(column => EXAMPLES[column]?.(isOfKeys ? first : of, place, statement.name));
    }),
  );
  const lists = columns.map((_, column) => keys.map(key => key[column]));
  const others = [...new Set([...statement.text.matchAll(/\$(\d+)::(\w+(?:\[\])?)/g)].map(([whole]) => whole))]
    .map(whole => whole.slice(1).split('::') as [string, string])
    .filter(([number]) => Number(number) > columns.length)
    .sort(([a], [b]) => Number(a) - Number(b));
  const types = [...new Map(others).values()];
  const before = [
    `UPDATE statement SET corrects_statement_id = (SELECT min(o.statement_id::text)::uuid FROM statement o
      WHERE o.account_id = statement.account_id AND o.statement_id <> statement.statement_id)`,
    `UPDATE idempotency_key SET account_id = '${first.id}', expires_at = now() - interval '1 day'`,
  ];
  return PERIODS.map(days => ({
    statement,
    values: [...lists, ...types.map((type, index) => ({ date: days[index], int: 30, 'text[]': ['CLOSED'] })[type])],
    before: isOfKeys || statement.name === 'statement_corrections' ? before : [],
    isUnchecked: statement.text.startsWith('DELETE'),
  }));
}

/** What constraints of tables let in. */
const CHECKED: Readonly<Record<string, string>> = { status: 'DISABLED', sign_in: 'demo' };

/** Rows of a table as drafts: those that are there, or one that is made up. */
async function draftsOf(table: string, columns: readonly string[] | null = null): Promise<Record<string, unknown>[]> {
  const { rows } = await client.query<{ row: Record<string, unknown> }>(
    `SELECT to_jsonb(t) AS row FROM "${table}" t ORDER BY t.ctid DESC LIMIT 3`,
  );
  const drafts = rows.map(({ row }) =>
    columns ? Object.fromEntries(columns.map(column => [column, row[column]])) : row,
  );
  if (drafts.length > 0) return drafts;
  const { rows: types } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0`,
    [`"${table}"`],
  );
  const made: Record<string, unknown> = {
    text: 'x',
    integer: 1,
    smallint: 1,
    bigint: 1,
    boolean: true,
    uuid: '00000000-0000-4000-8000-000000000001',
    bytea: '\\x01',
    jsonb: {},
    date: '2026-01-01',
    'text[]': ['x'],
    'integer[]': [1],
    interval: '1 day',
  };
  const draft = types.filter(({ name }) => columns?.includes(name) ?? true);
  return [
    Object.fromEntries(
      draft.map(({ name, type }) => [
        name,
        (type === 'text' && CHECKED[name]) || (made[type] ?? '2026-01-01T00:00:00Z'),
      ]),
    ),
  ];
}

const quoted = (value: unknown): string =>
  value === null || value === undefined
    ? 'NULL'
    : `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(`'`, `''`)}'`;

/** The key of a table, as its columns. */
async function keyOf(table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
      WHERE i.indrelid = $1::regclass AND i.indisprimary`,
    [`"${table}"`],
  );
  return rows.map(({ name }) => name);
}

const STATUSES: Readonly<Record<string, string>> = {
  account: 'CLOSED',
  card: 'FROZEN',
  approval: 'APPROVED',
  webhook_endpoint: 'DISABLED',
  transfer: 'REVERSED',
};

/** Another value for a column. */
function changedOf(table: string, name: string, value: unknown): unknown {
  if (name === 'status') return STATUSES[table] ?? value;
  const isEnd = table === 'console_session' && name === 'ended_at';
  if (isEnd || name === 'reversed_at' || name === 'revoked_at') return '2026-03-01T00:00:00Z';
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return name.startsWith('name') || name === 'description' || name === 'subject' ? `${String(value)}x` : value;
}

/** What writes rows that come as one JSON text. */
async function jsonCase(statement: Statement): Promise<Case | null> {
  const [, table, columns] =
    /^(?:INSERT INTO|UPDATE) (\w+).*json_to_recordset\(\$1\) r\(((?:[^()]|\(\d\))*)\)/s.exec(statement.text) ?? [];
  if (!table || !columns) return null;
  const names = columns.split(', ').map(column => column.split(' ')[0] as string);
  const key = await keyOf(table);
  const drafts = await draftsOf(table, names);
  const isHere = (draft: Record<string, unknown>): string =>
    key
      .filter(column => names.includes(column))
      .map(column => `${column} = ${quoted(draft[column])}`)
      .join(' AND ');
  if (statement.text.startsWith('INSERT')) {
    const before = drafts.map(draft => `DELETE FROM "${table}" WHERE ${isHere(draft)}`);
    const cards = table === 'card' ? ['DELETE FROM card_number'] : [];
    return { statement, values: [JSON.stringify(drafts)], before: [...before, ...cards] };
  }
  const whole = await draftsOf(table);
  const before = whole.flatMap(draft => [
    `DELETE FROM "${table}" WHERE ${isHere(draft)}`,
    `INSERT INTO "${table}" SELECT * FROM jsonb_populate_record(NULL::"${table}", ${quoted(draft)})`,
  ]);
  const changed = drafts.map(draft =>
    Object.fromEntries(
      Object.entries(draft).map(([name, value]) => [name, key.includes(name) ? value : changedOf(table, name, value)]),
    ),
  );
  return { statement, values: [JSON.stringify(changed)], before, isUnchecked: true };
}

/** How the statement ended: its rows, what the tables hold behind it, or its error. */
async function outcomeOf({ statement, values, before = [], isUnchecked = false }: Case, isApart: boolean) {
  const parts = isApart ? (statement.apart?.(values) ?? []) : [{ statement, values }];
  await client.query('SAVEPOINT tried');
  try {
    await client.query(`SELECT setval('event_id_seq', 1000000)`);
    await client.query('SET LOCAL session_replication_role = replica');
    for (const change of before) await client.query(change);
    if (!isUnchecked) await client.query('SET LOCAL session_replication_role = origin');
    // Where accounts are on many servers these triggers are not there.
    if (isApart) {
      await client.query('ALTER TABLE transaction DISABLE TRIGGER balance_marks');
      await client.query('ALTER TABLE card DISABLE TRIGGER digest_number');
    }
    const from = await stateOf();
    const rows: unknown[][] = [];
    for (const part of parts) {
      const query = { text: part.statement.text, values: [...part.values], rowMode: 'array' as const };
      // What a function without a result gives is no row.
      rows.push(...(await client.query<unknown[]>(query)).rows.filter(row => row.length !== 1 || row[0] !== ''));
    }
    const to = await stateOf();
    const told = rows.map(row => JSON.stringify(row));
    const isOrdered = statement.text.includes('ORDER BY k.n');
    return {
      rows: isOrdered ? told : told.toSorted(),
      state: to,
      hasEffect: rows.length > 0 || from !== to,
    };
  } finally {
    await client.query('ROLLBACK TO tried');
  }
}

async function stateOf(): Promise<string> {
  const each = TABLES.map(
    table =>
      `SELECT '${table}' AS name, md5(coalesce(string_agg(r, '|' ORDER BY r), '')) AS rows FROM
        (SELECT (to_jsonb(t)${table === 'idempotency_key' ? ` - 'account_id'` : ''})::text AS r FROM "${table}" t) x`,
  );
  const jobs = `SELECT 'jobs', count(*)::text FROM graphile_worker.jobs`;
  const { rows } = await client.query<{ name: string; rows: string }>([...each, jobs].join(' UNION ALL '));
  return rows.map(({ name, rows: digest }) => `${name} ${digest}`).join('\n');
}

testUnless(differsOnCitus('wholeStatements'))(
  'every statement that is another one on Citus does the same there: the rows, and what the tables hold',
  async () => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    // Ids are drawn in the order of the keys, as nested loops keep it, in both forms.
    await client.query('SET LOCAL enable_hashjoin = off');
    await client.query('SET LOCAL enable_mergejoin = off');
    const facts: AccountRows[] = [];
    for (const one of accounts) facts.push(await factsOf(one));
    const { rows: hashes } = await client.query<{ key_hash: Buffer }>('SELECT key_hash FROM idempotency_key LIMIT 3');
    keyHashes = hashes.map(({ key_hash: hash }) => hash);
    const others = await otherCases(facts);
    const without: string[] = [];
    for (const statement of statementsApart()) {
      if (ELSEWHERE.has(statement.name)) continue;
      const columns = KEYS.exec(statement.text)?.[1]?.split(', ');
      const own = others(statement);
      const json = own.length > 0 ? null : await jsonCase(statement);
      const isOverKeys = own.length === 0 && columns !== undefined;
      const cases = own.length > 0 ? own : json ? [json] : isOverKeys ? keyedCases(statement, columns, facts) : [];
      let effects = 0;
      for (const one of cases) {
        const whole = await outcomeOf(one, false);
        const apart = await outcomeOf(one, true);
        expect({ name: statement.name, ...apart }).toEqual({ name: statement.name, ...whole });
        if (whole.hasEffect) effects += 1;
      }
      if (effects === 0) without.push(`${statement.name}: ${statement.text}`);
    }
    expect(without).toEqual([]);
    await client.query('ROLLBACK');
  },
);

/** Cases of statements that are not over keys of accounts alone. */
async function otherCases([first, second]: readonly AccountRows[]): Promise<(statement: Statement) => Case[]> {
  const { id, owners } = first as AccountRows;
  const event = (accountId: string, n: number) => [
    program,
    'client',
    'subject',
    `request-${n}`,
    'x.y',
    null,
    accountId,
    '{"a": 1}',
  ];
  const columnsOf = (rows: readonly (readonly unknown[])[]) =>
    (rows[0] ?? []).map((_, column) => rows.map(row => row[column]));
  const events = [event(id, 1), event((second as AccountRows).id, 2)];
  const { rows: cards } = await client.query<{ sealed: Buffer; digest: Buffer; holder: string; last4: string }>(
    `SELECT sealed_number AS sealed, number_digest AS digest, card_holder_id AS holder, last4 FROM card WHERE account_id = $1 ORDER BY card_id LIMIT 1`,
    [id],
  );
  const [card] = cards as [(typeof cards)[number]];
  const { rows: people } = await client.query<{ name: string; tax: string }>(
    'SELECT name_last AS name, right(tax_id, 4) AS tax FROM customer WHERE customer_id = $1',
    [owners[0]],
  );
  const endpoint = '00000000-0000-4000-8000-0000000000ab';
  const byName: Readonly<Record<string, (statement: Statement) => Omit<Case, 'statement'>[]>> = {
    account_events_add: () => [{ values: columnsOf(events) }],
    program_events_add: () => [{ values: columnsOf(events.map(row => [...row.slice(0, 6), row[7]])) }],
    idempotency_keys_add: () => [
      {
        values: [
          [Buffer.from('new key'), Buffer.from('other key')],
          [program, program],
          [Buffer.from('1'), Buffer.from('2')],
          [id, ''],
          30,
        ],
      },
    ],
    balances_mark: () => [
      {
        values: [
          [id, (second as AccountRows).id],
          [0, 0],
        ],
        before: ['DELETE FROM balance_mark'],
      },
    ],
    cards_deciding: () => [
      {
        values: [
          JSON.stringify(
            [
              { card_id: first?.cards[0], holder: owners[0], digests: [] },
              {
                card_id: 'new',
                holder: '00000000-0000-4000-8000-000000000000',
                digests: [card.digest.toString('base64')],
              },
            ].map((key, index) => ({ ...key, n: index + 1, account_id: id, program })),
          ),
        ],
      },
    ],
    card_sealed_number_reseal: () => [
      { values: [id, first?.cards[0], card.sealed, Buffer.from('fresh'), Buffer.from('digest')] },
    ],
    card_erase: () => [{ values: [id, first?.cards[0], Buffer.from('fresh'), Buffer.from('digest')] }],
    holds_due: () => [
      { values: [1], before: [`UPDATE hold SET expires_at = now() - interval '1 day'`] },
      { values: [100] },
    ],
    chains_ends: () => [{ values: [''] }, { values: [id] }],
    search_customer: () => [{ values: [program, owners[0]] }],
    search_customers_tax_id: () => [{ values: [program, people[0]?.tax] }],
    search_customers_name: () => [{ values: [program, people[0]?.name] }],
    search_customers_beginning: () => [{ values: [program, people[0]?.name.slice(0, 4)] }],
    search_customers_contact: () => [
      {
        values: [program, 'c3 b2'],
        before: [`UPDATE customer SET contact_digests = 'k:a1 b2' WHERE customer_id = '${owners[0]}'`],
      },
    ],
    webhook_endpoints_deciding: () => [
      {
        values: [
          JSON.stringify([
            { n: 1, program, account_ids: [id, 'nowhere'] },
            { n: 2, program, account_ids: [id] },
          ]),
        ],
      },
    ],
  };
  const delivery = [
    `INSERT INTO webhook_delivery (delivery_id, endpoint_id, position, event_id, type, lane, state)
      SELECT md5(f.position || s.state)::uuid, '${endpoint}', f.position, f.event_id, 'x', 'lane', s.state
      FROM (SELECT * FROM feed ORDER BY position LIMIT 5) f CROSS JOIN (VALUES ('WAITING'), ('HELD')) s(state)`,
  ];
  const byText: readonly (readonly [part: string, cases: Omit<Case, 'statement'>[]])[] = [
    ['FROM feed f CROSS JOIN LATERAL (', [{ values: [program, 100, 0] }]],
    ['SELECT min(position) FROM', [{ values: [program, '2026-01-01T00:00:00Z'] }]],
    ['k(endpoint_id, position, delivery_id, room)', [{ values: [[endpoint], [0], [endpoint], [3]], before: delivery }]],
    ['k(endpoint_id, lane, room)', [{ values: [[endpoint], ['lane'], [3]], before: delivery }]],
    ['issue_left_out l WHERE', [{ values: [NEW_RUN, [program], runId], before: leftOut(id) }]],
    ['kept AS (INSERT INTO issue_batch', [{ values: [NEW_RUN, [program]], before: [newRun()] }]],
    ['WITH left_out AS (', [{ values: [NEW_RUN, [program]], before: [newRun()] }]],
  ];
  return statement => {
    const cases =
      byName[statement.name]?.(statement) ?? byText.find(([part]) => statement.text.includes(part))?.[1] ?? [];
    return cases.map(one => ({ ...one, statement }));
  };
}

const NEW_RUN = '00000000-0000-4000-8000-0000000000aa';
const newRun = (): string =>
  `INSERT INTO issue_run SELECT (jsonb_populate_record(r, '{"run_id": "${NEW_RUN}"}')).* FROM issue_run r WHERE run_id = '${runId}'`;
/** An account that was left out of a run, and a batch of it that was given up. */
const leftOut = (accountId: string): string[] => [
  newRun(),
  `INSERT INTO issue_left_out (run_id, program, account_id, reasons) VALUES ('${runId}', '${program}', '${accountId}', '{x}')`,
  `UPDATE issue_batch SET done_at = NULL, account_ids = NULL WHERE run_id = '${runId}'`,
];
