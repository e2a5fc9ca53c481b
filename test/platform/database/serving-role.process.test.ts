import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { NOUNS } from '../../../src/app/nouns.js';
import { giveGrants, lackingGrants } from '../../../src/platform/database/grants.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { run } from '../../cli/command-line.js';
import { startTestGateway, unique } from '../../support/gateway.js';
import { directly, freshDatabase, onServer, type FreshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { issue, post } from '../../statement/issue/issuing.js';

// As long as a name may be, so that the names of its policies are cut.
const role = unique('serving').replace('-', '_').padEnd(63, 'x');
let fresh: FreshDatabase;
let ownerUrl: string;
let owner: Database;
let roleUrl: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  ownerUrl = directly(fresh.url);
  owner = await openDatabase({
    url: ownerUrl,
    poolSize: 2,
    entities: NOUNS.entities,
    applicationName: 'tillgate-test',
  });
  await onServer(ownerUrl, `create role ${role} login password '${role}'`);
  roleUrl = Object.assign(new URL(ownerUrl), { username: role, password: role }).href;
});
afterAll(async () => {
  await owner.close();
  await fresh.drop();
  await onServer(Object.assign(new URL(ownerUrl), { pathname: 'postgres' }).href, `drop role ${role}`);
});

async function refusalOf(statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: roleUrl });
  await client.connect();
  try {
    await client.query(statement);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

test('a gateway does not start with a role that lacks rights, and says which', async () => {
  const start = startTestGateway({ databaseUrl: roleUrl });
  await expect(start).rejects.toMatchObject({
    name: 'UnfitDatabase',
    problems: expect.arrayContaining([
      expect.stringContaining(`tillgate grants --role ${role} --apply`),
      `GRANT SELECT, INSERT, UPDATE, DELETE ON public.account TO ${role};`,
      `GRANT SELECT, INSERT ON public.transaction TO ${role};`,
      `CREATE POLICY ${`tillgate_serving_${role}`.slice(0, 63)} ON graphile_worker._private_jobs TO ${role} USING (true) WITH CHECK (true);`,
    ]),
  });
});

test('a role that the server does not have is named, and nothing is granted', async () => {
  const env = { ...process.env, DATABASE_URL: ownerUrl };
  expect(await run(['grants', '--role', 'nobody_here', '--apply'], env)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has no role nobody_here. Create it first'),
  });
});

test('with its grants a gateway serves and issues documents, and can change no record', async () => {
  const env = { ...process.env, DATABASE_URL: ownerUrl };
  const lacking = await lackingGrants(owner, role);
  const given = await run(['grants', '--role', role, '--apply', '--json'], env);
  expect([given.status, JSON.parse(given.stdout)]).toEqual([0, { role, lacking, applied: true }]);
  expect([lacking.length > 50, await giveGrants(owner, role)]).toEqual([true, []]);

  const gateway = await startTestGateway({ databaseUrl: roleUrl });
  const of = await gateway.given.account();
  const { account, caller } = of;
  await post(gateway, of, [{ at: '2024-03-05', amount: '20.00', type: 'INTEREST' }]);
  expect(await issue(gateway, '1099', '2024', of.program)).toMatchObject({ issued: 1 });
  expect(await gateway.as(caller).rest.get(`/accounts/${account}`)).toMatchObject({ status: 200 });
  expect(gateway.log.filter(line => /42501|row-level security/.test(line))).toEqual([]);
  await gateway.stop();

  const changes = ['UPDATE transaction SET memo = memo', 'DELETE FROM account_event', 'DROP TABLE card'];
  expect(await Promise.all(changes.map(refusalOf))).toEqual(['42501', '42501', '42501']);
});

test('a gateway that may not use the queue any more says so, and serves', async () => {
  await giveGrants(owner, role);
  const gateway = await startTestGateway({ databaseUrl: roleUrl });
  const readiness = async () => (await gateway.http.send({ path: '/readyz' })).body;
  expect(await readiness()).toEqual({ status: 'ok' });
  await owner.pool.query(`REVOKE ALL ON ALL TABLES IN SCHEMA graphile_worker FROM ${role}`);
  await until(async () => (await readiness()).jobs === 'failing');
  expect(await gateway.http.send({ path: '/readyz' })).toMatchObject({ status: 200 });
  expect((await gateway.http.send({ path: '/metrics' })).text).toContain('tillgate_jobs_failing 1');
  await giveGrants(owner, role);
  await until(async () => (await readiness()).jobs === undefined);
  await gateway.stop();
});

test('no table and no view of the database is forgotten', async () => {
  const { rows } = await owner.pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
       AND NOT has_table_privilege($1, c.oid, 'SELECT')`,
    [role],
  );
  expect(rows).toEqual([]);
});
