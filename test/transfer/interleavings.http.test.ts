import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { HttpClient } from '../support/http.js';
import { transferStorm } from './support/storm.js';
import { rounds } from '../support/rounds.js';

const OPERATIONS = rounds(500, 200);
const CONNECTIONS = 16;
const MOST_A_DAY = 2000;

let dataDir: string;
let gateways: TestGateway[];
beforeAll(async () => {
  // Processes of one bank share their keys, so the token of one is good for the other.
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-transfers-'));
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
  'whatever is moved, taken back, posted, held and limited at once, where funds %s: no money is lost, doubled or beyond a limit',
  async (_where, isChecked) => {
    const [gateway] = gateways as [TestGateway];
    const program = gateway.given.program();
    const limits = [{ currency: 'USD', perDay: `${MOST_A_DAY / 2}` }];
    await gateway.given.programRecord(program, { checkFunds: isChecked, transfers: { limits } });
    const accounts: string[] = [];
    for (let index = 0; index < 6; index++) accounts.push((await gateway.given.account({ program })).account);
    const token = await gateway.caller({ program });
    const clients = gateways.map(({ url }) => new HttpClient(url, () => undefined));
    const { sql } = gateway;
    const figures = await transferStorm({
      clients,
      sql,
      token,
      program,
      accounts,
      isChecked,
      mostADay: MOST_A_DAY,
      operations: OPERATIONS,
      connections: CONNECTIONS,
    });
    for (const client of clients) client.close();
    expect(figures.wrong.slice(0, 5)).toEqual([]);
    expect(figures.looks).toBeGreaterThan(0);
    // Transfers were made and refused, or the test would say nothing.
    expect(figures.made).toBeGreaterThan(0);
    expect(figures.reversed > 0).toBe(!isChecked);
  },
);
