import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SCOPES } from '../../../src/shared/caller.js';
import { documentedResult, run } from '../../../test/cli/command-line.js';
import { restCode } from '../../../test/support/answers.js';
import { newCard } from '../../../test/support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import type { GivenAccount } from '../../../test/support/given.js';
import { UNLESS_ON_CITUS, differsOnCitus } from '../../../test/support/citus-differences.js';
import { directly, freshDatabase, onServer, type FreshDatabase } from '../../../test/support/postgres.js';
import { describeUnless, testUnless } from '../../../test/support/unless.js';
import { until } from '../../../test/support/until.js';
import { post } from '../../../test/statement/issue/issuing.js';
import type * as Inside from './retention.inside.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
let database: FreshDatabase;
let gateway: TestGateway;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-retention-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly program: string;
  readonly accounts: number;
  readonly rows: Record<string, number>;
  readonly customersErased: number;
  readonly left: readonly { readonly accountId: string; readonly reason: string }[];
}

async function retention(program: string, ...options: string[]): Promise<Ended | undefined> {
  const { status, stdout, stderr } = await run(['retention', 'run', '--program', program, '--json', ...options], env);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout).programs[0];
}

async function programKeeping(years: number): Promise<string> {
  const program = gateway.given.program();
  await gateway.given.programRecord(program, { retentionYears: years });
  return program;
}

/** Makes an account closed so long ago, as nobody but the owner of the tables can. */
async function closedAgo(account: string, ago: string): Promise<void> {
  await gateway.sql.query(`begin; set local session_replication_role = replica;
    update account set closed_at = now() - interval '${ago}' where account_id = '${account}'; commit`);
  // What was written a moment ago is in the feed, as after years.
  await gateway.feedReady();
}

async function close({ account, program }: GivenAccount): Promise<void> {
  const { rest } = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
  expect((await rest.post(`/accounts/${account}/close`, { reason: 'Because' })).status).toBe(200);
}

async function closedAccount(program: string, ago: string, owners?: readonly string[]): Promise<GivenAccount> {
  const of = await gateway.given.account({ program, ...(owners && { owners }) });
  await close(of);
  await closedAgo(of.account, ago);
  return of;
}

async function isThere(account: string): Promise<boolean> {
  const { rows } = await gateway.sql.query('SELECT 1 FROM account WHERE account_id = $1', [account]);
  return rows.length > 0;
}

/** The tables in which a condition on the row `t` holds, with the number of rows. */
async function tablesWith(condition: string, withColumn: string | null = null): Promise<Record<string, number>> {
  const { rows: tables } = await gateway.sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
       AND ($1::text IS NULL OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = $1)) ORDER BY 1`,
    [withColumn],
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await gateway.sql.query(`SELECT count(*)::int AS n FROM "${name}" t WHERE ${condition}`);
    if (rows[0].n > 0) found[name] = rows[0].n;
  }
  return found;
}

async function verified(...options: string[]): Promise<number | null> {
  const { status, stderr } = await run(['events', 'verify', ...options], env);
  expect(stderr).toBe('');
  return status;
}

async function errorOf(url: string, ...statements: string[]): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

/** Where the database can guard what is deleted. */
const testGuarded = testUnless(differsOnCitus('retention'));

describeUnless(differsOnCitus('retention'), 'a closed account whose time is over', () => {
  test('is deleted with all that belongs to it, and the person whom nothing else knows is erased', async () => {
    const program = await programKeeping(2);
    const canary = unique('canary').replaceAll('-', '');
    const { customer } = await gateway.given.customer({ program });
    await gateway.sql.query('UPDATE customer SET name_last = $2 WHERE customer_id = $1', [customer, canary]);
    const of = await gateway.given.account({ program, owners: [customer] });
    const partner = await gateway.given.account({ program });
    const { account } = of;
    const { rest } = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
    await post(gateway, of, [{ at: '2024-03-05', amount: '20.00', description: canary }]);
    const transferId = unique('tr');
    const transfer = { transferId, fromAccountId: account, toAccountId: partner.account, amount: 20 };
    expect((await rest.post('/transfers', { ...transfer, memo: 'For the rent' }, keyed(unique('key')))).status).toBe(
      201,
    );
    await gateway.given.beneficiary({ of, name: { first: canary, middle: null, last: canary } });
    await gateway.given.statement({ of });
    await rest.post('/cards/v1/cards', newCard(account, customer));
    await rest.post('/notes', { accountId: account, text: 'Is in dispute.' });
    await close(of);
    await gateway.recorded();
    const heads = join(folder, `${account}.heads`);
    expect(await verified('--heads', heads)).toBe(0);
    expect(Object.keys(await tablesWith(`t::text LIKE '%${canary}%'`))).toEqual([
      'beneficiary',
      'customer',
      'transaction',
    ]);
    const balances = 'SELECT * FROM account WHERE account_id = $1';
    const before = await gateway.sql.query(balances, [partner.account]);

    expect(await retention(program)).toBeUndefined();
    await closedAgo(account, '2 years');
    expect(await retention(program, '--check')).toMatchObject({ accounts: 1, rows: {}, left: [] });
    expect(await isThere(account)).toBe(true);
    const ended = await retention(program);
    expect(ended).toMatchObject({ program, accounts: 1, customersErased: 1, left: [] });
    expect(ended?.rows).toMatchObject({ account: 1, account_owner: 1, transaction: 2, card: 1, note: 1, statement: 1 });

    expect(await tablesWith(`t.account_id = '${account}'`, 'account_id')).toEqual({ ended_account: 1 });
    expect(await tablesWith(`t::text LIKE '%${canary}%'`)).toEqual({});
    const { rows: customers } = await gateway.sql.query('SELECT erased_at FROM customer WHERE customer_id = $1', [
      customer,
    ]);
    expect(customers).toEqual([{ erased_at: expect.any(Date) }]);
    const { rows: events } = await gateway.sql.query(
      `SELECT object, data FROM program_event WHERE program = $1 AND action = 'account.end'`,
      [program],
    );
    expect(events).toEqual([{ object: `account/${account}`, data: { counts: ended?.rows } }]);

    expect((await gateway.sql.query(balances, [partner.account])).rows).toEqual(before.rows);
    expect(await rest.get(`/transfers/${transferId}`)).toMatchObject({ status: 200, body: { amount: 20 } });
    expect((await rest.get(`/accounts/${partner.account}/transfers`)).body.transfers).toHaveLength(1);
    expect((await rest.get(`/accounts/${account}`)).status).toBe(404);
    expect(await verified('--heads', heads)).toBe(0);
    expect(await retention(program)).toBeUndefined();
  });

  test('takes nobody with it whom another account knows', async () => {
    const program = await programKeeping(1);
    const { customer } = await gateway.given.customer({ program });
    const { account } = await closedAccount(program, '5 years', [customer]);
    await gateway.given.account({ program, owners: [customer] });
    expect(await retention(program)).toMatchObject({ accounts: 1, customersErased: 0 });
    expect(await isThere(account)).toBe(false);
    const { rest } = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
    expect((await rest.get(`/customers/${customer}`)).body.name.first).toBe('Ada');
  });

  test('erases people also where erasing waits for approval, as another person has agreed to the retention', async () => {
    const program = gateway.given.program();
    await gateway.given.programRecord(program, { retentionYears: 1, approvals: { erasingCustomers: true } });
    await closedAccount(program, '5 years');
    expect(await retention(program)).toMatchObject({ accounts: 1, customersErased: 1 });
  });

  test('stays while the IRS has not answered its return, and the run says so', async () => {
    const program = await programKeeping(1);
    const { account } = await closedAccount(program, '3 years');
    const filing = await gateway.given.taxFiling(program);
    const of = (state: string) =>
      gateway.sql.query(
        `UPDATE tax_filing_form SET account_id = $2, state = $3, tax_year = extract(year FROM now()) - 3 WHERE filing_id = $1`,
        [filing, account, state],
      );
    await of('SENT');
    expect(await retention(program)).toMatchObject({
      accounts: 0,
      left: [{ accountId: account, reason: 'tax_return_open' }],
    });
    await of('ACCEPTED');
    expect(await retention(program)).toMatchObject({ accounts: 1, rows: { tax_filing_form: 1 }, left: [] });
  });

  describe('has an id that is never given out again', () => {
    const OPEN =
      'mutation ($input: AccountInput!) { openAccount(input: { account: $input }) { account { accountId } } }';

    async function operatorOf(program: string) {
      const { customer } = await gateway.given.customer({ program });
      const client = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
      return { customer, client, rest: client.rest };
    }

    function opening(accountId: string, customer: string) {
      return {
        accountId,
        accountType: 'CHECKING',
        currency: 'USD',
        timeZone: 'America/New_York',
        interestBearing: false,
        openedOn: '2026-02-28',
        owners: [customer],
      };
    }

    /** The code of the refusal of each way to open an account, or of its field. */
    async function codesOf(program: string, accountId: string): Promise<Record<string, string>> {
      const { customer, client, rest } = await operatorOf(program);
      const input = opening(accountId, customer);
      const lines = JSON.stringify(input);
      const ofRest = (await rest.post('/accounts', input)).body;
      const ofGraphql = (await client.graphql(OPEN, { input })).errors?.[0]?.extensions as typeof ofRest;
      const imported = await rest.post('/imports/accounts', { lines });
      const file = join(folder, `${unique('accounts')}.ndjson`);
      await writeFile(file, lines);
      const command = await run(['import', 'accounts', file, '--program', program], env);
      expect(command.status).toBe(1);
      const codeOf = (told: { code: string; errors?: { code: string }[] }): string =>
        told.errors?.[0]?.code ?? restCode(told.code);
      return {
        rest: codeOf(ofRest),
        graphql: codeOf(ofGraphql),
        imported: codeOf(imported.body.rejected[0]),
        command: codeOf(JSON.parse(await readFile(`${file}.rejected.ndjson`, 'utf8'))),
      };
    }

    const every = (code: string) => ({ rest: code, graphql: code, imported: code, command: code });

    test('in its program, or in another one, which is not told why', async () => {
      const program = await programKeeping(1);
      const other = gateway.given.program();
      const { account } = await closedAccount(program, '2 years');
      expect(await retention(program)).toMatchObject({ accounts: 1 });
      expect(await codesOf(program, account)).toEqual(every('account_ended'));
      expect(await codesOf(other, account)).toEqual(every('unusable_id'));
      expect(await isThere(account)).toBe(false);
      await gateway.recorded();
      const { rows } = await gateway.sql.query(
        `SELECT DISTINCT data->>'program' AS program, data->>'code' AS code FROM denied_attempt WHERE program = $1`,
        [program],
      );
      expect(rows).toEqual([{ program: other, code: 'id_taken' }]);
    });

    test('while it is being ended', async () => {
      const program = await programKeeping(1);
      const { account } = await closedAccount(program, '2 years');
      const { customer, rest } = await operatorOf(program);
      const holder = new pg.Client({ connectionString: directly(database.url) });
      await holder.connect();
      await holder.query('begin');
      await holder.query('SELECT end_account($1)', [account]);
      const waiting = rest.post('/imports/accounts', { lines: JSON.stringify(opening(account, customer)) });
      await until(async () => {
        const { rows } = await gateway.sql.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await holder.query('commit');
      await holder.end();
      expect((await waiting).body).toMatchObject({ written: 0, rejected: [{ code: 'account_ended' }] });
      expect(await isThere(account)).toBe(false);
    });

    test('so what outlives it is shown to nobody but those who saw it', async () => {
      const program = await programKeeping(1);
      const of = await gateway.given.account({ program });
      const partner = await gateway.given.account({ program });
      const { rest, customer } = await operatorOf(program);
      await post(gateway, of, [{ at: '2024-03-05', amount: '20.00', description: 'Of the former holder' }]);
      const transferId = unique('tr');
      const transfer = { transferId, fromAccountId: of.account, toAccountId: partner.account, amount: 20 };
      const key = keyed(unique('key'));
      expect((await rest.post('/transfers', transfer, key)).status).toBe(201);
      await gateway.given.statement({ of });
      await rest.post('/notes', { accountId: of.account, text: 'Is in dispute.' });
      const endpoint = await rest.post('/webhook-endpoints', {
        url: 'https://hooks.example/tillgate',
        types: ['account.closed'],
        accountIds: [of.account],
      });
      expect(endpoint.status).toBe(201);
      await close(of);
      await closedAgo(of.account, '2 years');
      expect(await retention(program)).toMatchObject({ accounts: 1 });

      const refused = await rest.post('/accounts', opening(of.account, customer));
      expect([refused.status, refused.body.code]).toEqual([409, 'account_ended']);
      const owner = gateway.as(await gateway.caller({ program, customerId: customer, scopes: SCOPES }));
      await gateway.given.account({ program, owners: [customer] });
      const paths = [
        `/transfers/${transferId}`,
        ...['', '/transactions', '/transfers', '/statements', '/events', '/holds', '/beneficiaries', '/cards'].map(
          path => `/accounts/${of.account}${path}`,
        ),
      ];
      for (const path of paths) expect([path, (await owner.rest.get(path)).status]).toEqual([path, 404]);
      expect((await owner.rest.post('/transfers', transfer, key)).status).toBe(404);
      const seen = await owner.graphql('query ($id: ID!) { account(accountId: $id) { accountId } }', {
        id: of.account,
      });
      expect(seen.data).toEqual({ account: null });
      const kept = await tablesWith(`t::text LIKE '%${of.account}%'`);
      // The event of the transfer in the other account's chain, and the other side of the transfer, name the id.
      expect(Object.keys(kept).sort()).toEqual([
        'account_event',
        'ended_account',
        'program_event',
        'transfer',
        'webhook_endpoint',
      ]);
    });
  });
});

testGuarded('an account stays that is open, was closed too lately, or whose program has no retention', async () => {
  const program = await programKeeping(3);
  const open = await gateway.given.account({ program });
  const early = await closedAccount(program, '3 years -1 day');
  const without = gateway.given.program();
  await gateway.given.programRecord(without);
  const kept = await closedAccount(without, '50 years');
  expect([await retention(program), await retention(without)]).toEqual([undefined, undefined]);
  for (const { account } of [open, early, kept]) {
    expect(await errorOf(directly(database.url), `SELECT end_account('${account}')`)).toBe('55000');
    expect(await isThere(account)).toBe(true);
  }
});

testGuarded('an account that is in use, or whose deletion is cancelled, stays until the next run', async () => {
  const program = await programKeeping(1);
  const { account } = await closedAccount(program, '3 years');
  const other = await closedAccount(program, '2 years');
  const holder = new pg.Client({ connectionString: directly(database.url) });
  await holder.connect();
  await holder.query('begin');
  await holder.query('SELECT 1 FROM account WHERE account_id = $1 FOR UPDATE', [account]);
  expect(await retention(program)).toMatchObject({
    accounts: 1,
    left: [{ accountId: account, reason: 'account_in_use' }],
  });
  expect([await isThere(account), await isThere(other.account)]).toEqual([true, false]);

  const cancelled = retention(program);
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%end_account%'`;
  await until(async () => (await gateway.sql.query(cancel)).rowCount === 1);
  expect(await cancelled).toMatchObject({ accounts: 0, left: [{ accountId: account, reason: 'took_too_long' }] });
  await holder.end();
  expect(await retention(program)).toMatchObject({ accounts: 1, left: [] });
});

testGuarded('when an account was closed is set by the database, and stays', async () => {
  const of = await gateway.given.account();
  const closedAt = async () =>
    (await gateway.sql.query('SELECT closed_at FROM account WHERE account_id = $1', [of.account])).rows[0].closed_at;
  const backdated = `UPDATE account SET closed_at = '2000-01-01' WHERE account_id = '${of.account}'`;
  await gateway.sql.query(backdated);
  expect(await closedAt()).toBeNull();
  await close(of);
  const at = await closedAt();
  expect(at).toEqual(expect.any(Date));
  await gateway.sql.query(backdated);
  expect(await closedAt()).toEqual(at);
});

testGuarded('the role that serves deletes accounts whose time is over, and no row in any other way', async () => {
  const role = unique('ending').replaceAll('-', '_');
  const ownerUrl = directly(database.url);
  await onServer(ownerUrl, `create role ${role} login password '${role}'`);
  const url = Object.assign(new URL(ownerUrl), { username: role, password: role }).href;
  const program = await programKeeping(1);
  const over = await closedAccount(program, '2 years');
  const early = await closedAccount(program, '1 month');
  expect(await errorOf(url, `SELECT end_account('${over.account}')`)).toBe('42501');
  await gateway.module<typeof Inside>('packages/data-subject/test/retention').grantTo(role, ownerUrl);
  await onServer(ownerUrl, `grant delete on transaction, account_event, statement, program_event to ${role}`);
  const setting = `SELECT set_config('tillgate.ending_account', '${over.account}', false)`;
  for (const table of ['transaction', 'account_event', 'statement', 'program_event']) {
    expect(await errorOf(url, setting, `DELETE FROM ${table}`)).toBe('23001');
  }
  expect(await errorOf(ownerUrl, 'DELETE FROM account_event')).toBe('23001');
  expect(await errorOf(url, `SELECT end_account('${early.account}')`)).toBe('55000');
  expect(await errorOf(url, `SELECT end_account('${over.account}')`, setting)).toBeUndefined();
  expect([await isThere(over.account), await isThere(early.account)]).toEqual([false, true]);
  await onServer(ownerUrl, `drop owned by ${role}; drop role ${role}`);
});

testGuarded(
  'a person is not erased while the retention of an account of theirs runs, and the refusal names it',
  async () => {
    const program = await programKeeping(2);
    const { customer } = await gateway.given.customer({ program });
    const { account } = await closedAccount(program, '1 year', [customer]);
    const { rest } = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
    const refused = await rest.post(`/customers/${customer}/erase`, { reason: 'Because' });
    expect([refused.status, refused.body.code]).toEqual([409, 'customer_in_use']);
    const { rows } = await gateway.sql.query(
      `SELECT to_char(closed_at + interval '2 years', 'YYYY-MM-DD') AS day FROM account WHERE account_id = $1`,
      [account],
    );
    expect(refused.body.detail).toContain(`${account} until ${rows[0].day}`);
    await closedAgo(account, '2 years');
    expect((await rest.post(`/customers/${customer}/erase`, { reason: 'Because' })).status).toBe(200);
  },
);

testGuarded('a gateway deletes what is over by itself, each hour', async () => {
  const program = await programKeeping(1);
  const { account } = await closedAccount(program, '2 years');
  const { sweepAfterAnHour, endSweep } = gateway.module<typeof Inside>('packages/data-subject/test/retention');
  await sweepAfterAnHour();
  await until(async () => !(await isThere(account)));
  const lines = await endSweep();
  expect(lines).toContainEqual(expect.objectContaining({ program, accounts: 1, leftCount: 0 }));
});

testGuarded('the command tells people what it did, and programs what its help says', async () => {
  const program = await programKeeping(1);
  await closedAccount(program, '2 years');
  const { status, stdout } = await run(['retention', 'run', '--program', program], env);
  expect(status).toBe(0);
  expect(stdout).toBe(`${program}: accounts deleted 1, customers erased 1, left 0
  account: 1 rows
  account_event: 1 rows
  account_owner: 1 rows
  feed: 1 rows
`);
  const again = await run(['retention', 'run', '--program', program, '--json'], env);
  const sample = (await documentedResult('retention', 'run')) as object;
  expect(Object.keys(JSON.parse(again.stdout))).toEqual(Object.keys(sample));
});

testUnless(UNLESS_ON_CITUS)('on Citus nothing is deleted, and the command says why', async () => {
  const program = await programKeeping(1);
  const { account } = await gateway.given.account({ program });
  const { status, stderr } = await run(['retention', 'run', '--program', program], env);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Retention does not run on Citus')]);
  expect(await isThere(account)).toBe(true);
});
