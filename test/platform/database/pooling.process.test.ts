import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FORGET_PLANS } from '../../../lib/pg-wire/pipeline.js';
import { readConfig } from '../../../src/app/config.js';
import { openConfiguredDatabase } from '../../../src/platform/database/open-configured.js';
import { lackingSettings } from '../../../src/platform/database/lacking-settings.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { poolingOf } from '../../../src/platform/database/pooler.js';
import { refusalOf } from '../../../src/platform/database/retry.js';
import { SESSION } from '../../../src/platform/database/session.js';
import { UnfitDatabase } from '../../../src/platform/database/unfit-database.js';
import { Unavailable } from '../../../src/shared/errors.js';
import { runProcess } from '../../cli/command-line.js';
import { isPgpoolInstalled, startPgpool } from '../../installed/pgpool.js';
import { startTestGateway } from '../../support/gateway.js';
import { directly, freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { onCitus } from '../../support/server-nodes.js';
import { startSmallPooler } from '../../support/small-pooler.js';
import { testUnless } from '../../support/unless.js';
import { until } from '../../support/until.js';

/** Of the database itself, also in a run through a pooler. */
let url: string;
let fresh: FreshDatabase;
let admin: pg.Client;
const ROLE = `pooled_${randomUUID().slice(0, 8)}`;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  url = directly(fresh.url);
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE ROLE ${ROLE} SUPERUSER LOGIN PASSWORD 'pooled'`);
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
  await admin.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  await admin.end();
  await fresh.drop();
});

async function pooler(mode: 'session' | 'transaction'): Promise<string> {
  const { url: address, stop } = await startSmallPooler(url, mode);
  undo.push(stop);
  return address;
}

async function open(changes: Partial<Parameters<typeof openDatabase>[0]>): Promise<Database> {
  const database = await openDatabase({ url, poolSize: 1, entities: [], applicationName: 'test', ...changes });
  undo.push(() => database.close());
  return database;
}

const TIMEOUT = { name: 'timeout', text: `SELECT current_setting('statement_timeout')` };

/** The problems with which it does not open, or the warnings with which it does. */
async function checked(settings: Partial<Parameters<typeof openConfiguredDatabase>[0]>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const usual = { databaseUrl: url, databaseDirectUrl: null, dataDir: '', poolSize: 2, production: true };
  try {
    const { close } = await openConfiguredDatabase({ ...usual, ...settings }, [], line => warnings.push(line));
    await close();
  } catch (error) {
    if (error instanceof UnfitDatabase) return error.problems.map(problem => `refused: ${problem}`);
    throw error;
  }
  return warnings;
}

function withOptions(options: string): string {
  const address = new URL(url);
  address.searchParams.set('options', options);
  return address.href;
}

describe('what is between the gateway and the sessions of the server is found', () => {
  test('nothing', async () => {
    expect(await poolingOf(url, 'DATABASE_URL')).toBe('none');
    expect(await checked({})).toEqual([]);
  });

  test('a pooler that gives each connection a session, in which the gateway makes its settings', async () => {
    const address = await pooler('session');
    expect(await poolingOf(address, 'DATABASE_URL')).toBe('session');
    expect(await (await open({ url: address, pooling: 'session' })).query(TIMEOUT)).toEqual([['10s']]);
    expect(await checked({ databaseUrl: address })).toEqual([]);
  });

  test('a pooler of transactions that loses prepared statements, which is refused', async () => {
    const address = await pooler('transaction');
    for (const setting of ['databaseUrl', 'databaseDirectUrl']) {
      expect(await checked({ [setting]: address })).toEqual([
        expect.stringMatching(
          /^refused: DATABASE_(DIRECT_)?URL goes through a pooler .* does not support prepared statements\. Use PgBouncer 1\.21 or later with max_prepared_statements = 500, or pool_mode = session\.$/,
        ),
      ]);
    }
  });

  describe('Pgpool-II', () => {
    const withPgpool = testUnless(isPgpoolInstalled() ? null : 'pgpool is not installed');

    withPgpool('is refused at the start, as either address, since it forgets prepared statements', async () => {
      const pgpool = await startPgpool(url);
      undo.push(pgpool.stop);
      for (const setting of ['databaseUrl', 'databaseDirectUrl']) {
        expect(await checked({ [setting]: pgpool.url })).toEqual([
          expect.stringMatching(
            /^refused: DATABASE_(DIRECT_)?URL goes through a pooler that forgets prepared statements, as Pgpool-II does\. Set it to the address of the PostgreSQL server itself, or use PgBouncer/,
          ),
        ]);
      }
    });

    withPgpool('that ends a session loses a connection: requests get 503, not 500', async () => {
      const pgpool = await startPgpool(url);
      undo.push(pgpool.stop);
      const database = await open({ url: pgpool.url });
      await database.query(TIMEOUT);
      await database.query(FORGET_PLANS);
      const error: unknown = await database.query(TIMEOUT).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'XX000' });
      expect(refusalOf(error)).toBeInstanceOf(Unavailable);
      expect(await database.query(TIMEOUT)).toEqual([[expect.any(String)]]);
    });
  });

  test('a pooler that refuses options of the address, which are named', async () => {
    const address = new URL(await pooler('session'));
    address.searchParams.set('options', '-c work_mem=8MB');
    expect(await checked({ databaseUrl: address.href })).toEqual([
      'refused: DATABASE_URL has parameters such as options that the pooler refuses. Remove them from the address, and set them for the role: ALTER ROLE ... SET.',
    ]);
  });

  test('a connection that nobody looked at makes no settings in the session of a pooler', async () => {
    expect(await (await open({ url: await pooler('session') })).query(TIMEOUT)).toEqual([['0']]);
  });
});

describe('sessions without settings', () => {
  test('are refused in production, by name and with what to run, and only told of in development', async () => {
    const databaseUrl = withOptions('-c statement_timeout=0 -c lock_timeout=10s --timezone=Asia/Tokyo');
    const [problem = '', ...more] = await checked({ databaseUrl });
    const { username, pathname } = new URL(url);
    const alter = `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} SET`;
    expect(problem).toBe(
      `refused: DATABASE_URL gives sessions without settings that the gateway needs: timezone is Asia/Tokyo, statement_timeout is 0. Set them for the role, and have a pooler open its sessions anew (RECONNECT in PgBouncer's console):\n${alter} timezone = 'UTC';\n${alter} statement_timeout = '10s';`,
    );
    expect(more).toEqual([]);
    expect(await checked({ databaseUrl, production: false })).toEqual([problem.replace('refused: ', '')]);
    expect(problem).not.toContain(`:${new URL(url).password}@`);
  });

  test('are complete once what was told is run', async () => {
    const address = Object.assign(new URL(url), { username: ROLE, password: 'pooled' }).href;
    const pooled = await open({ url: address, pooling: 'transaction' });
    const session = { ...SESSION, 'tillgate.sandbox': 'on' };
    const lacking = await lackingSettings(pooled, session);
    expect(lacking?.wrong).toEqual(
      expect.arrayContaining([
        'statement_timeout is 0',
        'idle_in_transaction_session_timeout is 0',
        'tillgate.sandbox is not set',
        ...(onCitus ? [] : ['plan_cache_mode is auto']),
      ]),
    );
    await admin.query(lacking?.remedy.join('\n') ?? '');
    expect(await lackingSettings(await open({ url: address, pooling: 'transaction' }), session)).toBeNull();
  });

  test.each([
    ['statement_timeout', '15s', 'is 15000'],
    ['lock_timeout', '0', 'is 0'],
    ['lock_timeout', '10s', 'is 10000'],
    ['idle_in_transaction_session_timeout', '0', 'is 0'],
    ['datestyle', 'SQL', 'is SQL, MDY'],
    // Citus plans statements about several tables for each set of values, and refuses generic plans for them.
    onCitus
      ? ['plan_cache_mode', 'force_generic_plan', 'is force_generic_plan']
      : ['plan_cache_mode', 'auto', 'is auto'],
  ])('%s = %s is none that the gateway can work with', async (name, value, told) => {
    expect((await checked({ databaseUrl: withOptions(`-c ${name}=${value}`) })).join()).toContain(
      `: ${name} ${told}. Set`,
    );
  });

  test('end the command line with the status of bad settings', async () => {
    const env = {
      NODE_ENV: 'production',
      FIELD_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      PORT: '0',
      AUTH_ISSUER: 'https://a.test',
      AUTH_AUDIENCE: 'tillgate',
      AUTH_JWKS_URL: 'https://a.test/jwks',
    };
    const { status, stdout, stderr } = await runProcess(['serve'], {
      ...env,
      DATABASE_URL: withOptions('-c statement_timeout=0'),
    });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^DATABASE_URL gives sessions without .*: statement_timeout is 0\. [^]*\nALTER ROLE .*;\n$/);
  });
});

describe('the address for sessions of their own', () => {
  test('must lead to the same database', async () => {
    const other = await freshDatabase();
    expect(await checked({ databaseDirectUrl: directly(other.url) })).toEqual([
      'refused: DATABASE_DIRECT_URL leads to another database than DATABASE_URL, or to a replica of it. Set both to the same database of the same server.',
    ]);
    await other.drop();
    expect(await checked({ databaseDirectUrl: url })).toEqual([]);
  });

  test('is used for jobs and session locks, and not for requests', async () => {
    const databaseDirectUrl = Object.assign(new URL(url), { username: ROLE, password: 'pooled' }).href;

    const gateway = await startTestGateway({ databaseUrl: url, databaseDirectUrl });
    const delivering = await startTestGateway({
      databaseUrl: url,
      databaseDirectUrl,
      webhooks: {
        ...readConfig({}).webhooks,
        takesPart: true,
      },
    });
    try {
      const used = async (): Promise<Record<string, string>> => {
        const { rows } = await admin.query<{ application_name: string; roles: string }>(
          `SELECT application_name, string_agg(DISTINCT (usename = '${ROLE}')::text, ' ') roles FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'tillgate%' GROUP BY 1`,
        );
        return Object.fromEntries(rows.map(row => [row.application_name, row.roles]));
      };
      await until(async () => {
        const { rows } = await admin.query(
          `SELECT classid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
           WHERE locktype = 'advisory' AND objsubid = 2 AND datname = current_database() AND usename = '${ROLE}'`,
        );
        return rows.length >= 3;
      });
      expect(await used()).toMatchObject({
        tillgate: 'false',
        'tillgate-feed': 'false',
        'tillgate-jobs': 'true',
        'tillgate-webhooks': 'false true',
      });
    } finally {
      await delivering.stop();
      await gateway.stop();
    }
  });
});
