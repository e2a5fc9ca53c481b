import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import { tillgate } from '../../cli/command-line.js';
import { WAITING, startGatewayInside } from '../../support/gateway-inside.js';
import { directly, freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

let database: FreshDatabase;
let dataDir: string;
let sql: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-process-'));
  sql = new pg.Client({ connectionString: directly(database.url) });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('the process prints its address, finishes what runs at SIGTERM, and ends well', async () => {
  const { child, printed, ended } = tillgate(['serve'], {
    PORT: '0',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    DEMO_DATA: 'false',
  });
  const [url = ''] = /^http\S+$/m.exec(await printed(/^http\S+$/m)) ?? [];
  const issuer = await DevIssuer.open(dataDir);
  const token = await issuer.sign({
    program: 'p',
    clientId: 'c',
    subject: 's',
    scope: 'beneficiaries.write beneficiaries.read',
    ttlSeconds: 60,
  });
  await sql.query(
    `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing) VALUES ('a', 'p', 'CD', 'USD', 'UTC', 'OPEN', '2020-01-01', false)`,
  );

  await sql.query('BEGIN');
  await sql.query(`SELECT FROM account WHERE account_id = 'a' FOR UPDATE`);
  const running = fetch(`${url}/accounts/a/beneficiaries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: { first: 'A', last: 'B' },
      beneficiaryType: 'PRIMARY',
      relationship: 'CHILD',
      sharePercentage: 1,
    }),
  });
  await until(async () => (await sql.query(WAITING)).rows.length > 0);
  child.kill('SIGTERM');
  await printed(/"msg":"stopping"/);
  await sql.query('COMMIT');
  expect((await running).status).toBe(201);

  const { status, stdout, stderr } = await ended;
  expect([status, child.signalCode, stderr]).toEqual([0, null, '']);
  expect(stdout).toMatch(/"msg":"stopped"/);
  const { rows } = await sql.query(
    `SELECT (SELECT count(*)::int FROM beneficiary) AS beneficiaries, (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tillgate') AS sessions`,
  );
  expect(rows).toEqual([{ beneficiaries: 1, sessions: 0 }]);
});

test('a connection that was there when the last one was accepted is still answered', async () => {
  const gateway = await startGatewayInside({ shutdownGraceMs: 2000 });
  const port = Number(new URL(gateway.url).port);
  // A proxy that has just opened a connection, or keeps one, and has not sent its request yet.
  const early = connect(port, '127.0.0.1');
  await once(early, 'connect');
  const closed = once(early, 'close');
  let answer = '';
  early.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const stopped = gateway.gateway.stop();
  await until(() => isRefused(port));
  early.write('GET /livez HTTP/1.1\r\nHost: gateway\r\n\r\n');
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n/i);
  await stopped;
  await gateway.stop();
});

function isRefused(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(true));
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}

test('bad settings end the process with status 2 and all of them named', async () => {
  const { ended } = tillgate(['serve'], { PORT: 'x', LOG_LEVEL: 'loud', DATA_DIR: dataDir });
  const { status, stderr, stdout } = await ended;
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr.trim().split('\n').sort()).toEqual([
    expect.stringMatching(/^LOG_LEVEL must /),
    expect.stringMatching(/^PORT must /),
  ]);
});
