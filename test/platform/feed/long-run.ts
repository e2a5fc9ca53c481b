import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openContainer } from '../../../src/app/container.js';
import { readConfig } from '../../../src/app/config.js';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { Site, type Kill } from '../../reliability/site.js';
import { Received, writeEvents } from './writers.js';

/**
 * Writers hold their transactions open and commit in another order than they began, while gateways, sessions and the
 * server are killed. Two readers follow the feed over HTTP, each with its cursor. Tells what they missed or got twice.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    writers: { type: 'string', default: '32' },
    'hold-ms': { type: 'string', default: '2000' },
    kills: { type: 'string', default: '100' },
    accounts: { type: 'string', default: '400' },
  },
});
const PROGRAM = 'demo';
const TOKEN_SECONDS = 86_400;
/** Of all kills these many are not of a gateway. */
const SERVER_KILLS: readonly Kill[] = ['session', 'gateway', 'gateway', 'gateway', 'postmaster', 'gateway'];
const GIVE_UP_MS = 120_000;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2));
const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

const [events, writers, holdMs, kills, accounts] = [
  Number(values.events),
  Number(values.writers),
  Number(values['hold-ms']),
  Number(values.kills),
  Number(values.accounts),
];
const site = await Site.start();
const ended = new AbortController();
try {
  const config = readConfig({ DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir });
  const container = await openContainer(config, createLogger({ level: 'silent' }));
  await container.close();
  const issuer = await DevIssuer.open(site.dataDir);
  const who = { program: PROGRAM, clientId: 'reader', subject: 'reader', scope: 'operations', customerId: null };
  const token = await issuer.sign({ ...who, ttlSeconds: TOKEN_SECONDS });
  await Promise.all(site.gateways.map(gateway => gateway.start()));

  const received = site.gateways.map(() => new Received());
  const readers = received.map((of, index) => follow(of, index, token));
  let committed = 0;
  let killed = 0;
  const writing = writeEvents({
    ...{ url: () => site.databaseUrl, program: PROGRAM, writers, events, holdMs, accounts },
    eventsATransaction: Math.min(400, Math.ceil(events / writers)),
    progress: count => (committed = count),
  });
  const told = () =>
    `${committed} committed, ${killed} kills, read ${received.map(({ count }) => count).join(' and ')}`;
  const telling = setInterval(() => tell(told()), 5000);
  const killing = (async () => {
    while (killed < kills && committed < events && !ended.signal.aborted) {
      while (committed < (events * killed) / kills) await sleep(50);
      await site.kill(SERVER_KILLS[killed % SERVER_KILLS.length] as Kill);
      killed += 1;
    }
  })();
  await Promise.all([writing, killing]);
  tell(`${told()}: reading to the end`);

  const sql = new pg.Client({ connectionString: site.databaseUrl });
  await sql.connect();
  const { rows } = await sql.query<{ id: string }>(`SELECT id::text FROM event WHERE program = $1`, [PROGRAM]);
  await sql.end();
  const giveUpAt = Date.now() + GIVE_UP_MS;
  while (received.some(({ count }) => count < rows.length) && Date.now() < giveUpAt) await sleep(100);
  ended.abort();
  clearInterval(telling);
  await Promise.all(readers);
  const figures = received.map(of => ({
    read: of.count,
    missed: rows.filter(({ id }) => !of.has(`evt_${id}`)).length,
    doubled: of.doubled,
    disordered: of.disordered,
  }));
  tell(JSON.stringify({ events: rows.length, kills: killed, readers: figures }));
  const isWrong = figures.some(({ missed, doubled, disordered }) => missed + doubled + disordered > 0);
  process.exitCode = isWrong ? 1 : 0;
} finally {
  ended.abort();
  await site.stop();
}

/** Follows the feed with a cursor, at one gateway or, when it is away, at the other. */
async function follow(received: Received, first: number, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  let at = first;
  let path = '/events?limit=100&wait=5';
  while (!ended.signal.aborted) {
    try {
      const gateway = site.gateways[at % site.gateways.length];
      const answer = await gateway?.http.send({ path, headers });
      if (answer?.status !== 200) throw new Error(`the feed answered ${answer?.status}`);
      for (const { id, data } of answer.body.events) received.add(id, data.accountId, data.sequence);
      path = answer.body.links.next.href;
    } catch {
      at += 1;
      await sleep(100);
    }
  }
}
