import 'reflect-metadata';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openContainer } from '../../src/app/container.js';
import { readConfig } from '../../src/app/config.js';
import { DevIssuer } from '../../src/platform/auth/dev-issuer.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Site } from '../reliability/site.js';
import { TestData } from '../support/gateway-process/test-data.js';
import { HttpClient } from '../support/http.js';
import { transferStorm } from './support/storm.js';

/** Clients of two gateways move money between accounts, all at once. Tells what was not as it must be. */
const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    connections: { type: 'string', default: '40' },
    accounts: { type: 'string', default: '50' },
  },
});
const PROGRAMS = { checked: true, unchecked: false };
const TOKEN_SECONDS = 86_400;
/** What an account may let out for each operation on it: more than half of what is asked for. */
const LET_OUT_AN_OPERATION = 30;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2));
const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

const site = await Site.start();
const sql = new pg.Pool({ connectionString: site.databaseUrl, max: 8 });
let wrong = 0;
const mostADay = Math.ceil((Number(values.operations) / Number(values.accounts)) * LET_OUT_AN_OPERATION);
try {
  const config = readConfig({ DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir });
  const container = await openContainer(config, createLogger({ level: 'silent' }));
  const issuer = await DevIssuer.open(site.dataDir);
  const given = new TestData(container, async () => '');
  const accounts: Record<string, string[]> = {};
  for (const [program, isChecked] of Object.entries(PROGRAMS)) {
    await given.programRecord(program, {
      checkFunds: isChecked,
      transfers: { limits: [{ currency: 'USD', perDay: `${mostADay / 2}` }] },
    });
    const of: string[] = [];
    for (let count = 0; count < Number(values.accounts) / 2; count++) {
      of.push((await given.account({ program })).account);
    }
    accounts[program] = of;
  }
  await container.close();
  await Promise.all(site.gateways.map(gateway => gateway.start()));

  const clients = site.gateways.map(({ http }) => new HttpClient(http.url, () => undefined));
  for (const [program, isChecked] of Object.entries(PROGRAMS)) {
    const who = { program, clientId: 'storm', subject: 'storm', customerId: null };
    const scope = 'operations accounts.read transactions.read';
    const token = await issuer.sign({ ...who, scope, ttlSeconds: TOKEN_SECONDS });
    const begunMs = performance.now();
    const figures = await transferStorm({
      clients,
      sql,
      token,
      program,
      isChecked,
      mostADay,
      accounts: accounts[program] as string[],
      tell,
      operations: Number(values.operations) / 2,
      connections: Number(values.connections),
    });
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    for (const line of figures.wrong.slice(0, 10)) tell(`wrong: ${line}`);
    tell(JSON.stringify({ program, ...figures, wrong: figures.wrong.length, seconds }));
    wrong += figures.wrong.length;
  }
  for (const client of clients) client.close();
} finally {
  await sql.end();
  await site.stop();
}
process.exitCode = wrong > 0 ? 1 : 0;
