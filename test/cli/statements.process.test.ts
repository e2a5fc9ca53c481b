import { expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startTestGateway } from '../support/gateway.js';
import { freshDatabase } from '../support/postgres.js';
import { post } from '../statement/issue/issuing.js';
import { run, tillgate } from './command-line.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const ACCOUNTS = 250;
const CLOSE = ['statements', 'close', '--month', '2024-03'];

test('a close of a month that is killed in the middle loses and doubles nothing: the gateway goes on, and the same command ends it', async () => {
  const database = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-statements-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  const before = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  await before.given.programRecord('harbor');
  const { customer } = await before.given.customer({ program: 'harbor' });
  for (let n = 0; n < ACCOUNTS; n++) {
    const account = await before.given.account({ program: 'harbor', owners: [customer] });
    await post(before, account, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
  }
  // The gateway is stopped, so that the command works alone and dies with a batch begun.
  await before.stop();
  const watch = new pg.Client({ connectionString: database.url });
  await watch.connect();
  const { child, ended } = tillgate(CLOSE, env);
  while ((await watch.query('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL')).rowCount === 0) {
    await sleep(2);
  }
  child.kill('SIGKILL');
  expect((await ended).status).toBeNull();
  const after = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  // It may have to wait until the jobs of the one that was killed are free, and says meanwhile how far it is.
  expect((await run(CLOSE, env)).status).toBe(0);
  const { rows } = await watch.query(
    `SELECT (SELECT count(DISTINCT account_id)::int FROM statement) AS accounts, (SELECT count(*)::int FROM statement) AS documents,
       (SELECT count(*)::int FROM event WHERE action = 'statement.issue') AS events,
       (SELECT max(done) FROM issue_run) AS done, (SELECT sum(issued)::int FROM issue_run) AS issued`,
  );
  expect(rows).toEqual([
    { accounts: ACCOUNTS, documents: ACCOUNTS, events: ACCOUNTS, done: ACCOUNTS, issued: ACCOUNTS },
  ]);
  await watch.end();
  await after.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});
