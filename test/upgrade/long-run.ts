/**
 * Upgrades from another revision while clients write and read: it is compiled and filled, this one's migrations run
 * under load, both serve side by side, the old one stops, comes back as after a change of mind, and stops for good.
 * Then nothing may be lost or doubled, and no request may have failed that could not just be sent again.
 *
 *   npm run long -- upgrade --from REV --transactions N --seconds N
 *
 * Without --from it is the last release (tag v*), and without one the last commit of 0.1.
 */
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { onServer } from '../support/postgres.js';
import { audit } from './audit.js';
import { Load } from './load.js';
import { Release, buildRevision } from './release.js';
import { transaction } from './writes.js';

const LAST_OF_0_1 = 'c3aa9de';
const CUSTOMER = '7f1c8a52-6f0e-4c0b-9d55-0c8f0f6f2f01';
const PROGRAM = 'upgrade';
const ACCOUNTS = Array.from({ length: 40 }, (_, index) => `upgrade-${index + 1}`);
const CLIENTS = 8;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: lastRelease() },
    transactions: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
  },
});
const imported = Math.floor(Number(values.transactions) / ACCOUNTS.length) * ACCOUNTS.length;
const phaseMs = Number(values.seconds) * 1000;

const folder = await mkdtemp(join(tmpdir(), 'tillgate-upgrade-'));
const postgres = await startEmbeddedPostgres(folder, { program: 'Tillgate' });
try {
  await onServer(postgres.url('postgres'), 'CREATE DATABASE tillgate');
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: postgres.url('tillgate'),
    DATA_DIR: join(folder, 'gateway'),
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_SECOND: '1000000',
    DEMO_DATA: 'true',
  };
  const before = new Release(
    `the release before (${values.from})`,
    await buildRevision(values.from, join(folder, 'before')),
    env,
  );
  const now = new Release('this release', process.cwd(), env);
  tell(`built ${values.from}`);
  process.exitCode = (await upgrade(before, now)) ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function upgrade(before: Release, now: Release): Promise<boolean> {
  await before.run(['migrate']);
  await fill(before);
  tell(`filled: ${ACCOUNTS.length} accounts with ${imported} transactions`);
  let old = await before.serve();
  const load = new Load((await before.run(['token', '--program', PROGRAM])).trim(), ACCOUNTS, CUSTOMER);
  const phase = async (name: string, ...urls: readonly string[]): Promise<void> => {
    load.urls = urls;
    await sleep(phaseMs);
    tell(
      `${name}: ${load.done.length} writes, ${load.reads} reads, ${load.failures.length} failures, again: ${JSON.stringify(load.again)}`,
    );
  };
  load.urls = [old.url];
  const running = load.run(CLIENTS);
  await phase('the old release alone', old.url);
  const started = performance.now();
  await now.run(['migrate']);
  tell(`migrated under load in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  await phase('the old release on the new tables', old.url);
  const young = await now.serve();
  await phase('both', old.url, young.url);
  const statuses = [await old.stop()];
  await phase('the new release alone', young.url);
  old = await before.serve();
  await phase('both again', old.url, young.url);
  statuses.push(await old.stop());
  await phase('the new release alone again', young.url);
  load.stop();
  await running;

  const sql = new pg.Pool({ connectionString: postgres.url('tillgate'), max: 2 });
  const wrong = await audit(load, sql, imported);
  await sql.end();
  tell((await now.run(['events', 'verify'])).trim());
  await young.stop();
  if (statuses.some(status => status !== 0)) wrong.push(`the old release ended with ${statuses.join(' and ')}`);
  for (const line of [...load.failures, ...wrong]) tell(`WRONG: ${line}`);
  tell(
    JSON.stringify({
      writes: load.done.length,
      reads: load.reads,
      again: load.again,
      failures: load.failures.length,
      wrong: wrong.length,
    }),
  );
  return load.failures.length + wrong.length === 0;
}

async function fill(release: Release): Promise<void> {
  const put = async (kind: string, records: readonly object[]): Promise<void> => {
    const lines = records.map(record => JSON.stringify(record)).join('\n');
    await release.run(['import', kind, '-', '--program', PROGRAM], lines);
  };
  await put('customers', [{ customerId: CUSTOMER, name: { first: 'Ada', last: 'Upgrade' } }]);
  const account = { accountType: 'CHECKING', currency: 'USD', timeZone: 'America/New_York', interestBearing: false };
  await put(
    'accounts',
    ACCOUNTS.map(accountId => ({ accountId, ...account, openedOn: '2020-01-01', owners: [CUSTOMER] })),
  );
  await put(
    'transactions',
    Array.from({ length: imported }, (_, index) => {
      const accountId = ACCOUNTS[index % ACCOUNTS.length];
      return { depositTransaction: { ...transaction(`import-${index}`), accountId, amount: 1 } };
    }),
  );
}

function lastRelease(): string {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD~1']).toString();
  return tags.split('\n')[0] || LAST_OF_0_1;
}

function tell(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}
