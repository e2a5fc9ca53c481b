import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { HttpClient } from '../support/http.js';
import { holdStorm, type StormAccount } from './support/storm.js';
import { rounds } from '../support/rounds.js';

// So many that holds end in every way.
const OPERATIONS = rounds(600, 250);

let dataDir: string;
let gateways: TestGateway[];
beforeAll(async () => {
  // Processes of one bank share their keys, so the token of one is good for the other.
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-holds-'));
  const first = await startTestGateway({ dataDir });
  gateways = [first, await startTestGateway({ dataDir, databaseUrl: first.sql.options.connectionString as string })];
});
afterAll(async () => {
  for (const gateway of gateways.toReversed()) await gateway.stop();
  await rm(dataDir, { recursive: true });
});

test.each([
  ['are checked', true],
  ['are not checked', false],
])(
  'whatever is placed, captured, released, expired and posted at once, where funds %s: what is held is what active holds keep back',
  async (_where, isChecked) => {
    const [gateway] = gateways as [TestGateway];
    const program = gateway.given.program();
    await gateway.given.programRecord(program, { checkFunds: isChecked });
    const accounts: StormAccount[] = [];
    for (let index = 0; index < 3; index++) {
      accounts.push({ account: (await gateway.given.account({ program })).account, isChecked });
    }
    const ids = accounts.map(({ account }) => account);
    await gateway.sql.query('UPDATE account SET overdraft_limit_minor = 5000 WHERE account_id = ANY ($1)', [ids]);
    const token = await gateway.caller({ program });
    const clients = gateways.map(({ url }) => new HttpClient(url, () => undefined));
    const { sql } = gateway;
    const figures = await holdStorm({ clients, sql, token, accounts, operations: OPERATIONS, connections: 16 });
    for (const client of clients) client.close();
    expect(figures.wrong.slice(0, 5)).toEqual([]);
    expect(figures.operations).toBe(OPERATIONS);
    expect(figures.looks).toBeGreaterThan(0);
    // Holds ended in every way, or the test would say nothing.
    expect(Object.keys(figures.ends)).toEqual(expect.arrayContaining(['CAPTURED', 'RELEASED', 'EXPIRED']));
  },
);
