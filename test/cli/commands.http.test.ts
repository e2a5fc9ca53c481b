import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Bearer } from '../../src/platform/auth/bearer.js';
import { DevIssuer } from '../../src/platform/auth/dev-issuer.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { directly, emptyDatabase, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { run } from './command-line.js';

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-command-'));
  env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('tillgate token', () => {
  test('prints a token alone, needs no database, and opens what it says', async () => {
    const customer = '0000D001-0000-4000-8000-000000000000';
    const args = [
      'token',
      '--program',
      'demo',
      '--scope',
      'accounts.read pii.read',
      '--customer',
      customer,
      '--ttl',
      '60',
    ];
    const { status, stdout, stderr } = await run(args, { DATA_DIR: folder });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(await readdir(folder)).toEqual(['issuer-key.json']);
    const identity = await new Bearer(await DevIssuer.open(folder)).verify(`Bearer ${stdout.trim()}`);
    expect(identity).toMatchObject({
      program: 'demo',
      customerId: customer.toLowerCase(),
      subject: customer.toLowerCase(),
    });
    expect([...identity.scopes]).toEqual(['accounts.read', 'pii.read']);
  });

  test('allows what most callers may do unless it is told otherwise, and nothing for an empty scope', async () => {
    const bearer = new Bearer(await DevIssuer.open(folder));
    const scopes = async (...args: string[]) => {
      const { stdout } = await run(['token', '--program', 'demo', ...args], { DATA_DIR: folder });
      return (await bearer.verify(`Bearer ${stdout.trim()}`)).scopes;
    };
    const usual = await scopes();
    expect([usual.has('operations'), usual.has('pii.read')]).toEqual([true, false]);
    expect((await scopes('--scope', '')).size).toBe(0);
  });

  test.each([
    [
      'a scope that there is not',
      ['--program', 'demo', '--scope', 'all'],
      '--scope must contain only these scopes: accounts.read ',
    ],
    ['no program', [], 'The option --program <program> is missing.\nSee: tillgate token --help\n'],
    ['a customer that is no UUID', ['--program', 'demo', '--customer', '7'], '--customer must be a UUID.'],
    ['no time to live', ['--program', 'demo', '--ttl', '0'], '--ttl must be a whole number of seconds from 1'],
  ])('refuses %s with status 2', async (_what, args, message) => {
    const { status, stdout, stderr } = await run(['token', ...args], { DATA_DIR: folder });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('refuses where another issuer is configured, since nobody would accept the token', async () => {
    const auth = {
      AUTH_ISSUER: 'https://issuer.test',
      AUTH_AUDIENCE: 'tillgate',
      AUTH_JWKS_URL: 'https://issuer.test/jwks',
    };
    const { status, stdout, stderr } = await run(['token', '--program', 'demo'], { DATA_DIR: folder, ...auth });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URL are set');
  });
});

describe('tillgate migrate', () => {
  test('prints what it applied, and later that there is nothing to do', async () => {
    const empty = await emptyDatabase();
    try {
      const first = await run(['migrate'], { ...env, DATABASE_URL: empty.url });
      expect(first).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/^(Migration\d{14}_\w+\n)+([a-z-]+\/\d+-[a-z]+\n)+$/),
      });
      const second = await run(['migrate'], { ...env, DATABASE_URL: empty.url });
      expect(second).toEqual({ status: 0, stderr: '', stdout: 'The database is up to date.\n' });
    } finally {
      await empty.drop();
    }
  });

  test('says what is wrong with the settings, each on a line', async () => {
    const { status, stdout, stderr } = await run(['migrate'], { ...env, DATABASE_URL: 'db', POOL_SIZE: '0' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^DATABASE_URL must .*\nPOOL_SIZE must .*\n$/);
  });

  test('a server that refuses the connection is a wrong setting, and its answer is not repeated', async () => {
    const url = new URL(database.url);
    url.pathname = 'no_such_database';
    const { status, stderr } = await run(['migrate'], { ...env, DATABASE_URL: url.href });
    expect([status, stderr]).toEqual([
      2,
      'The PostgreSQL server in DATABASE_URL refused the connection (SQLSTATE 3D000). Check user, password and database.\n',
    ]);
  });
});

describe('tillgate where it cannot work says what to do', () => {
  test('in production, about migrations that are missing', async () => {
    const [lacksOne, lacksAll] = await Promise.all([freshDatabase(), emptyDatabase()]);
    const client = new pg.Client({ connectionString: directly(lacksOne.url) });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY id');
    await client.query('DELETE FROM schema_migration WHERE id = (SELECT max(id) FROM schema_migration)');
    await client.end();
    const production = {
      NODE_ENV: 'production',
      FIELD_KEYS: KeyRing.generate(),
      AUTH_ISSUER: 'https://a.test',
      AUTH_AUDIENCE: 'tillgate',
      AUTH_JWKS_URL: 'https://a.test/jwks',
    };
    const [first, last] = [rows[0]?.name, rows.at(-1)?.name];
    const one = `the migration ${last}`;
    const lacking = [one, rows.length === 1 ? one : `${rows.length} migrations, from ${first} to ${last}`];
    for (const [index, { url, drop }] of [lacksOne, lacksAll].entries()) {
      const { status, stdout, stderr } = await run(['events', 'verify'], { ...env, ...production, DATABASE_URL: url });
      await drop();
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toBe(`The database lacks ${lacking[index]}. Run: tillgate migrate\n`);
    }
  });

  test('about a user of the database who may not', async () => {
    const role = `reader_${randomUUID().replaceAll('-', '')}`;
    const client = new pg.Client({ connectionString: directly(database.url) });
    await client.connect();
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'`);
    try {
      // A pooler logs in as a role of its own.
      const url = new URL(directly(database.url));
      [url.username, url.password] = [role, 'reader'];
      const { status, stdout, stderr } = await run(['events', 'verify'], { ...env, DATABASE_URL: url.href });
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr.split('\n')).toEqual(
        expect.arrayContaining([
          expect.stringContaining(`Run as the owner of the tables: tillgate grants --role ${role} --apply`),
          `GRANT SELECT ON public.event TO ${role};`,
        ]),
      );
    } finally {
      await client.query(`DROP ROLE ${role}`);
      await client.end();
    }
  });

  test('about a data directory that can be none', async () => {
    await writeFile(join(folder, 'file'), '');
    const { status, stdout, stderr } = await run(['token', '--program', 'demo'], {
      DATA_DIR: join(folder, 'file/data'),
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/file\/data\S* cannot be used: a part of the path is not a folder \(ENOTDIR\)\.\n$/);
  });
});

describe('tillgate', () => {
  test.each([[['--help']], [['token', '--help']], [['import', '--help']]])(
    '%s explains on standard output, with status 0',
    async args => {
      const { status, stdout, stderr } = await run(args, env);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: tillgate /);
    },
  );

  test('a command that there is not is wrong usage, with a guess at what was meant', async () => {
    const { status, stderr } = await run(['improt'], env);
    expect([status, stderr]).toEqual([2, 'There is no command improt. Did you mean import?\nSee: tillgate --help\n']);
  });
});
