import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Migrator } from '@mikro-orm/migrations';
import { ChainTally } from '../../src/bank/event/chain.tally.js';
import { verifyChains } from '../../src/bank/event/event.chain.js';
import { recording } from '../../src/platform/command/recording.js';
import { migrate, migrationOptions, pendingMigrations } from '../../src/platform/migrations/migrate.js';
import { NOUNS } from '../../src/app/nouns.js';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';

/** The last migration of a release whose events were one table. */
const ONE_TABLE = 'Migration20261123160000_console_sessions';
/** The last one before denied attempts were chained. */
const UNCHAINED_DENIALS = 'Migration20261121150000_rate_limit';

const migrated = testUnless(differsOnCitus('earlierReleases'));

let fresh: FreshDatabase;
let database: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({ url: fresh.url, poolSize: 3, entities: NOUNS.entities, applicationName: 'test' });
});
afterEach(async () => {
  await database.close();
  await fresh.drop();
});

async function backTo(name: string): Promise<void> {
  const { orm } = database;
  orm.config.set('migrations', { ...orm.config.get('migrations'), ...migrationOptions() });
  await new Migrator(orm.em).down({ to: name });
}

const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values);

async function givenAccounts(...accountIds: string[]): Promise<void> {
  await sql(
    `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
     SELECT id, 'p', 'CHECKING', 'USD', 'UTC', 'OPEN', '2026-01-01', false FROM unnest($1::text[]) id`,
    [accountIds],
  );
}

/** The statements of the releases before: what was done in an account or to a program, and what was denied. */
const DO = `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])`;
const DENY = `INSERT INTO event (occurred_at, program, outcome, client_id, subject, request_id, action, account_id, data)
  SELECT now() - d.age_ms * interval '1 millisecond', d.program, 'DENIED', d.client_id, d.subject, d.request_id, d.action, d.account_id, d.data
  FROM unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
    WITH ORDINALITY d(age_ms, program, client_id, subject, request_id, action, account_id, data, n) ORDER BY d.program, d.n`;

/** The release before does this in each of the accounts, or to each program that has no account. */
async function doBefore(of: readonly (readonly [program: string, accountId: string | null])[]): Promise<void> {
  const columns = (values: (one: readonly [string, string | null]) => unknown) => of.map(values);
  const rest = [() => 'c', () => 's', () => 'r', () => 'note.add', ([, id]: readonly [string, string | null]) => id];
  await sql(DO, [
    columns(([program]) => program),
    ...rest.map(columns),
    columns(() => 'note/ü"'),
    columns(() => '{"b": 1.50, "a": [null]}'),
  ]);
}

async function denyBefore(...programs: string[]): Promise<void> {
  const each = (value: unknown) => programs.map(() => value);
  await sql(DENY, [
    each(12.25),
    programs,
    each('c'),
    each('s'),
    each('r'),
    each('card.create'),
    each(null),
    each('{"code": "x"}'),
  ]);
}

/** This release. */
async function doNow(program: string, accountId: string | null): Promise<void> {
  const by = { program, clientId: 'c', subject: 's', requestId: 'r' };
  const event = { by, action: 'note.add', accountId, object: 'note/1', data: { n: 1 } };
  await inTransaction(database, transaction => transaction.runAll(recording([event, event])));
}

/** How many events each chain has. Fails where one is broken. */
async function chains(): Promise<Record<string, number>> {
  const tally = new ChainTally();
  await verifyChains(database, tally, [], new AbortController().signal);
  expect(tally.broken).toEqual([]);
  return Object.fromEntries(tally.heads.all().map(({ kind, of, seq }) => [`${kind} ${of}`, seq]));
}

const hashes = async () => (await sql('SELECT id, hash FROM event ORDER BY id')).rows;

migrated('events that were recorded in one table keep their ids and hashes, and their chains go on', async () => {
  await backTo(ONE_TABLE);
  await givenAccounts('a1', 'a2', 'a3');
  await doBefore([
    ['p', 'a1'],
    ['p', null],
    ['q', null],
    ['p', 'a2'],
    ['p', 'a1'],
  ]);
  await denyBefore('p', 'q', 'p');
  const before = await hashes();
  expect(before).toHaveLength(8);

  await migrate(database);
  expect(await hashes()).toEqual(before);
  const had = { 'account a1': 2, 'account a2': 1, 'program p': 1, 'program q': 1, 'denied p': 2, 'denied q': 1 };
  expect(await chains()).toEqual(had);

  await doNow('p', 'a1');
  await doNow('p', 'a3');
  await doNow('q', null);
  expect(await chains()).toEqual({ ...had, 'account a1': 4, 'account a3': 2, 'program q': 3 });
});

test('the release before records while this one does, and reads what both have recorded', async () => {
  await givenAccounts('a1', 'a2');
  await doNow('p', 'a1');
  await doBefore([
    ['p', 'a1'],
    ['p', 'a2'],
    ['p', 'a1'],
    ['p', null],
  ]);
  await doNow('p', 'a1');
  await doNow('p', null);
  await denyBefore('p', 'p');
  await doBefore([['p', null]]);
  const expected = { 'account a1': 6, 'account a2': 1, 'program p': 4, 'denied p': 2 };
  expect(await chains()).toEqual(expected);
  const { rows } = await sql(
    `SELECT outcome, action, count(*)::int, count(chain_seq)::int AS of_accounts, count(program_seq)::int AS of_programs,
       count(denied_seq)::int AS denied FROM event GROUP BY 1, 2 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { outcome: 'DENIED', action: 'card.create', count: 2, of_accounts: 0, of_programs: 0, denied: 2 },
    { outcome: 'DONE', action: 'note.add', count: 11, of_accounts: 7, of_programs: 4, denied: 0 },
  ]);
});

migrated('the release before records while the tables are migrated, and no event is lost', async () => {
  await backTo(ONE_TABLE);
  await givenAccounts('a1', 'a2');
  let [isMigrating, rounds] = [true, 0];
  const recordingOn = async () => {
    for (; isMigrating || rounds < 50; rounds++) {
      await doBefore([
        ['p', 'a1'],
        ['p', null],
        ['p', 'a2'],
      ]);
      await denyBefore('p');
    }
  };
  const running = recordingOn();
  await migrate(database);
  isMigrating = false;
  await running;
  const each = { 'account a1': rounds, 'account a2': rounds, 'program p': rounds, 'denied p': rounds };
  expect(await chains()).toEqual(each);
  expect(await hashes()).toHaveLength(4 * rounds);
});

migrated('the migrations can be taken back and applied again with all events', async () => {
  await givenAccounts('a1');
  await doNow('p', 'a1');
  await doNow('p', null);
  await denyBefore('p');
  const before = await hashes();
  await backTo(ONE_TABLE);
  expect(await hashes()).toEqual(before);
  await doBefore([
    ['p', 'a1'],
    ['p', null],
  ]);
  await denyBefore('p');
  await migrate(database);
  expect(await pendingMigrations(database)).toEqual([]);
  expect((await hashes()).slice(0, before.length)).toEqual(before);
  expect(await chains()).toEqual({ 'account a1': 3, 'program p': 3, 'denied p': 2 });
});

migrated('what was denied before denied attempts were chained is in a chain from then on', async () => {
  await backTo(UNCHAINED_DENIALS);
  await sql(
    `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
     VALUES ('a1', 'p', 'CHECKING', 'USD', 'UTC', 'OPEN', '2026-01-01', false)`,
  );
  await doBefore([['p', 'a1']]);
  await denyBefore('one', 'two', 'one');
  expect((await hashes()).map(({ hash }) => hash === null)).toEqual([false, true, true, true]);
  await migrate(database);
  await denyBefore('one');
  await doNow('p', 'a1');
  expect(await chains()).toEqual({ 'account a1': 3, 'denied one': 3, 'denied two': 1 });
});
