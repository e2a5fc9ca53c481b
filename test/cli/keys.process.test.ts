import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { startGatewayInside, type GatewayInThisProcess } from '../support/gateway-inside.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { testUnless } from '../support/unless.js';
import { until } from '../support/until.js';
import { run, tillgate } from './command-line.js';
import { idOf, importCustomers, sealsUnder } from './sealed.js';

const OLD = KeyRing.generate();
const NEW = KeyRing.generate();
const OLD_ID = idOf(OLD);
/** Some batches. */
const CUSTOMERS = 3000;

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: GatewayInThisProcess;
beforeEach(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-keys-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS: `${NEW},${OLD}` };
});
afterEach(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

testUnless(differsOnCitus('heldRows'))('a rotation that is killed, and started again, does the rest', async () => {
  gateway = await startGatewayInside({ databaseUrl: database.url, fieldKeys: `${OLD},${NEW}` });
  await importCustomers(gateway, CUSTOMERS);
  // A row that somebody holds keeps the rotation in its batch, so that it is killed in the middle.
  const holder = await gateway.sql.connect();
  await holder.query('BEGIN');
  await holder.query(
    'SELECT FROM customer WHERE customer_id = (SELECT customer_id FROM customer ORDER BY 1 OFFSET 1200 LIMIT 1) FOR UPDATE',
  );
  const { child, ended } = tillgate(['keys', 'rotate'], env);
  await until(async () => ((await sealsUnder(gateway))[idOf(NEW)] ?? 0) >= 1499);
  child.kill('SIGKILL');
  const killed = await ended;
  await holder.query('ROLLBACK');
  holder.release();
  expect(killed.status).toBeNull();
  expect(killed.stdout).not.toContain('no longer needed');
  expect(await sealsUnder(gateway)).toEqual({ [idOf(NEW)]: 1499, [OLD_ID]: CUSTOMERS - 1499 });

  const again = await run(['keys', 'rotate'], env);
  expect(again).toMatchObject({ status: 0, stderr: '' });
  expect(again.stdout).toContain(`customer.sealed: ${CUSTOMERS - 1499} resealed, 1499 already current, 0 unreadable`);
  expect(again.stdout).toContain(`Keys no longer needed: ${OLD_ID}\n`);
  expect(await sealsUnder(gateway)).toEqual({ [idOf(NEW)]: CUSTOMERS });
});

describe('while a process runs that lacks the newest key', () => {
  test('keys rotate changes nothing, says which and what to do, and goes on once it is started again', async () => {
    const serving = { ...env, PORT: '0', FIELD_KEYS: OLD };
    const lacking = [tillgate(['serve'], serving), tillgate(['serve'], serving)];
    for (const { printed } of lacking) await printed(/^http/m);
    gateway = await startGatewayInside({ databaseUrl: database.url, fieldKeys: `${OLD},${NEW}` });
    await importCustomers(gateway, 3);

    const refused = await run(['keys', 'rotate'], env);
    const places = lacking.map(({ child }) => `${hostname()} process ${child.pid}`).sort(byNumber);
    expect(refused).toEqual({
      status: 1,
      stdout: '',
      stderr:
        `2 running processes lack the key ${idOf(NEW)}: ${places.join(', ')}. They could not decrypt data of that key, so nothing was changed. ` +
        'Restart them with a key ring that contains it, and rotate again. A process that was killed is counted for another 90 s.\n',
    });
    expect(await sealsUnder(gateway)).toEqual({ [OLD_ID]: 3 });

    for (const { child, ended } of lacking) {
      child.kill('SIGTERM');
      await ended;
    }
    expect(await run(['keys', 'rotate'], env)).toMatchObject({ status: 0, stderr: '' });
    expect(await sealsUnder(gateway)).toEqual({ [idOf(NEW)]: 3 });
  });

  test('an import counts as well, and one that was killed until its time is over', async () => {
    gateway = await startGatewayInside({ databaseUrl: database.url, fieldKeys: NEW });
    const { sql } = gateway;
    const { child, ended } = tillgate(['import', 'customers', '-', '--program', 'demo'], { ...env, FIELD_KEYS: OLD });
    const count = async () =>
      (await sql.query('SELECT FROM key_holder WHERE NOT $1 = ANY(key_ids)', [idOf(NEW)])).rowCount;
    await until(async () => (await count()) === 1);
    child.kill('SIGKILL');
    await ended;
    const { status, stderr } = await run(['keys', 'rotate'], env);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^1 running process lacks the key /)]);
    await sql.query("UPDATE key_holder SET seen_at = now() - interval '91 seconds' WHERE NOT $1 = ANY(key_ids)", [
      idOf(NEW),
    ]);
    expect(await run(['keys', 'rotate'], env)).toMatchObject({ status: 0 });
    expect(await count()).toBe(0);
  });
});

function byNumber(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
