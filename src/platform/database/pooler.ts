import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { FORGET_PLANS } from '../../../lib/pg-wire/pipeline.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { ask } from './ask.js';
import type { Pooling } from './session.js';
import { UnfitDatabase } from './unfit-database.js';

const CONNECT_TIMEOUT_MS = 5000;
const ANSWER_TIMEOUT_MS = 15_000;
/**
 * Enough for a pooler under load, whose connections change sessions all the time, and for one that gives them in turn.
 */
const ROUNDS = 10;
const LEAST_ROUNDS = 3;
/** A pooler with one session for all makes the one wait until the other has ended its transaction. */
const WAIT_MS = 100;

const PROCESS: Statement = { name: 'session_process', text: 'SELECT pg_backend_pid()' };

/**
 * Finds out what is between an address and the sessions of its server. `setting` is the name of the setting that has
 * the address. Throws `UnfitDatabase` for a pooler that the gateway cannot work with, and what the connections throw.
 */
export async function poolingOf(url: string, setting: string): Promise<Pooling> {
  const [first, second] = [clientOf(url), clientOf(url)];
  try {
    await first.connect();
    await keepStatements(first, setting);
    // A pooler gives its clients numbers of its own.
    if ((await processOf(first)) === (first as unknown as { readonly processID: number }).processID) return 'none';
    await second.connect();
    return (await shareSessions(first, second)) ? 'transaction' : 'session';
  } catch (error) {
    throw error instanceof UnfitDatabase ? error : (unfitness(error, setting) ?? error);
  } finally {
    await Promise.all([first, second].map(client => client.end().catch(() => undefined)));
  }
}

/** The code of Pgpool-II for a statement that it has forgotten, which PostgreSQL never has for this one. */
const INTERNAL_ERROR = 'XX000';

/**
 * Throws `UnfitDatabase` where a prepared statement is forgotten when plans are renewed, as all connections do.
 * Pgpool-II does so, and ends the connection then. Its connections are numbered as the sessions of the server, so
 * nothing else tells that it is there.
 */
async function keepStatements(client: pg.Client, setting: string): Promise<void> {
  await processOf(client);
  await ask(client, FORGET_PLANS);
  try {
    await processOf(client);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== INTERNAL_ERROR) throw error;
    throw new UnfitDatabase([
      `${setting} goes through a pooler that forgets prepared statements, as Pgpool-II does. Set it to the address of the PostgreSQL server itself, or use PgBouncer 1.21 or later with max_prepared_statements = 500.`,
    ]);
  }
}

/**
 * True if two connections ever have the same session, or one of them different ones. Both run the same prepared
 * statement, so a pooler that cannot keep apart who prepared what fails here.
 */
async function shareSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()];
  const areShared = (): boolean =>
    ofFirst.size > 1 || ofSecond.size > 1 || [...ofFirst].some(process => ofSecond.has(process));
  for (let round = 0; round < LEAST_ROUNDS || (round < ROUNDS && !areShared()); round += 1) {
    ofFirst.add(await processOf(first));
    await second.query('BEGIN');
    ofSecond.add(await processOf(second));
    // While the second has a session in its transaction, the first gets another one.
    const other = processOf(first);
    await Promise.race([other.catch(() => undefined), sleep(WAIT_MS)]);
    await second.query('COMMIT');
    ofFirst.add(await other);
    ofSecond.add(await processOf(second));
  }
  return areShared();
}

async function processOf(client: pg.Client): Promise<number> {
  const [row] = await ask<[number]>(client, PROCESS);
  return row?.[0] ?? 0;
}

function clientOf(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tillgate-start',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    pipeline: true,
  });
  client.on('error', () => undefined);
  return client;
}

/** SQLSTATEs of a prepared statement that exists already, and of one that does not exist. */
const PREPARED_BY_OTHERS = new Set(['42P05', '26000']);

function unfitness(error: unknown, setting: string): UnfitDatabase | null {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (PREPARED_BY_OTHERS.has(code)) {
    return new UnfitDatabase([
      `${setting} goes through a pooler that pools transactions and does not support prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements = 500, or pool_mode = session.`,
    ]);
  }
  if (/statement pooling/i.test(message)) {
    return new UnfitDatabase([
      `${setting} goes through a pooler that pools statements, and the gateway needs transactions. Use pool_mode = transaction or session.`,
    ]);
  }
  if (/startup parameter/i.test(message)) {
    return new UnfitDatabase([
      `${setting} has parameters such as options that the pooler refuses. Remove them from the address, and set them for the role: ALTER ROLE ... SET.`,
    ]);
  }
  return null;
}
