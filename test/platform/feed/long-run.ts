import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openContainer } from '../../../src/app/container.js';
import { readConfig } from '../../../src/app/config.js';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { Caller } from '../../../src/shared/caller.js';
import { Site, type Kill } from '../../reliability/site.js';
import { feedReader, subscriptionReader, webhookReader } from './readers.js';
import { addTestWriters } from '../../support/test-writers.js';
import { writeEvents } from './writers.js';

/**
 * Writers hold their transactions open and commit in another order than they began, while gateways, sessions and the
 * server are killed. Two readers follow the feed over HTTP and one subscribes, each with its cursor, and an endpoint
 * gets webhooks. Tells what they missed or got twice: a webhook may come twice.
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
/** So few that the kills fall into the time of the writers. */
const EVENTS_A_TRANSACTION = 60;
const GIVE_UP_MS = 1_200_000;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2));
const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

const [events, writers, holdMs, kills, accounts] = [
  Number(values.events),
  Number(values.writers),
  Number(values['hold-ms']),
  Number(values.kills),
  Number(values.accounts),
];
const site = await Site.start({ WEBHOOK_ALLOW_LOOPBACK: 'true' });
const ended = new AbortController();
try {
  const config = readConfig({ DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir, WEBHOOK_ALLOW_LOOPBACK: 'true' });
  const container = await openContainer(config, createLogger({ level: 'silent' }));
  await addTestWriters(container.database.pool);
  const webhook = await webhookReader(ended.signal);
  const scopes = new Set(['operations'] as const);
  const operator = { program: PROGRAM, clientId: 'reader', subject: 'reader', customerId: null, scopes };
  await container.webhooks.create(new Caller(operator, 'long-run'), { url: webhook.url, types: ['card.frozen'] });
  await container.close();
  const issuer = await DevIssuer.open(site.dataDir);
  const who = { program: PROGRAM, clientId: 'reader', subject: 'reader', scope: 'operations', customerId: null };
  const token = await issuer.sign({ ...who, ttlSeconds: TOKEN_SECONDS });
  await Promise.all(site.gateways.map(gateway => gateway.start()));

  const to = { gateways: site.gateways, token, ended: ended.signal };
  const readers = [feedReader(to, 0), feedReader(to, 1), await subscriptionReader(to, 0), webhook];
  let committed = 0;
  let killed = 0;
  const writing = writeEvents({
    url: () => site.databaseUrl,
    program: PROGRAM,
    writers,
    events,
    holdMs,
    accounts,
    eventsATransaction: Math.min(EVENTS_A_TRANSACTION, Math.ceil(events / writers)),
    progress: count => (committed = count),
  });
  const told = () =>
    `${committed} committed, ${killed} kills, read ${readers.map(({ name, received }) => `${received.count} (${name})`).join(', ')}`;
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
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id::text FROM event WHERE program = $1 AND account_id IS NOT NULL`,
    [PROGRAM],
  );
  await sql.end();
  const giveUpAt = Date.now() + GIVE_UP_MS;
  while (readers.some(({ received }) => received.count < rows.length) && Date.now() < giveUpAt) await sleep(100);
  ended.abort();
  clearInterval(telling);
  await Promise.all(readers.map(({ reading }) => reading));
  const figures = readers.map(({ name, received, mayDouble }) => ({
    name,
    mayDouble,
    read: received.count,
    missed: rows.filter(({ id }) => !received.has(`evt_${id}`)).length,
    doubled: received.doubled,
    disordered: received.disordered,
  }));
  tell(JSON.stringify({ events: rows.length, kills: killed, readers: figures }));
  const isWrong = figures.some(
    ({ missed, doubled, disordered, mayDouble }) => missed + disordered + (mayDouble ? 0 : doubled) > 0,
  );
  process.exitCode = isWrong ? 1 : 0;
} finally {
  ended.abort();
  await site.stop();
}
