import { expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../../src/shared/caller.js';
import { run, tillgate } from '../../../test/cli/command-line.js';
import { differsOnCitus } from '../../../test/support/citus-differences.js';
import { startGatewayInside } from '../../../test/support/gateway-inside.js';
import { freshDatabase } from '../../../test/support/postgres.js';
import { testUnless } from '../../../test/support/unless.js';
import { until } from '../../../test/support/until.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

testUnless(differsOnCitus('retention'))(
  'an account whose time is over is ended once by a run that is killed and the next one',
  async () => {
    const database = await freshDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'tillgate-retention-'));
    const env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
    const gateway = await startGatewayInside({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
    const program = gateway.given.program();
    await gateway.given.programRecord(program, { retentionYears: 1 });
    const caller = await gateway.caller({ program, scopes: SCOPES });
    const accounts: string[] = [];
    for (const years of [9, 8, 7]) {
      const { account } = await gateway.given.account({ program });
      await gateway.as(caller).rest.post(`/accounts/${account}/close`, { reason: 'Because' });
      await gateway.tamper(
        `UPDATE account SET closed_at = now() - interval '${years} years' WHERE account_id = '${account}'`,
      );
      accounts.push(account);
    }
    const left = async () =>
      (await gateway.sql.query('SELECT account_id FROM account ORDER BY closed_at')).rows.map(row => row.account_id);
    const holder = await gateway.sql.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM account WHERE account_id = $1 FOR UPDATE', [accounts[1]]);
    const { child, ended } = tillgate(['retention', 'run', '--program', program], env);
    await until(async () => (await left()).length < accounts.length);
    child.kill('SIGKILL');
    await ended;
    holder.release(true);
    expect(await left()).toEqual(accounts.slice(1));

    const again = await run(['retention', 'run', '--program', program, '--json'], env);
    expect([again.status, JSON.parse(again.stdout).programs[0]]).toEqual([
      0,
      expect.objectContaining({ accounts: 2, customersErased: 3 }),
    ]);
    const { rows } = await gateway.sql.query(
      `SELECT object FROM program_event WHERE program = $1 AND action = 'account.end' ORDER BY seq`,
      [program],
    );
    expect(rows).toEqual(accounts.map(account => ({ object: `account/${account}` })));
    expect((await run(['events', 'verify'], env)).status).toBe(0);
    await gateway.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  },
);
