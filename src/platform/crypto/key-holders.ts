import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../database/orm.js';
import type { KeyRing } from './key-ring.js';

const BEAT_EVERY_MS = 20_000;
/** A few beats, so that a process that is held up for a moment still counts, and a killed one soon does not. */
const GONE_AFTER_SECONDS = 90;
const MAX_TOLD = 5;

const IS_GONE = `seen_at < now() - interval '${GONE_AFTER_SECONDS} seconds'`;
// Processes are no entities.
const BEAT = `INSERT INTO key_holder (holder_id, host, pid, key_ids) VALUES (?, ?, ?, ARRAY[?])
  ON CONFLICT (holder_id) DO UPDATE SET seen_at = now()`;
const LACKING = `SELECT host, pid, count(*) OVER ()::int AS count FROM key_holder
  WHERE NOT ${IS_GONE} AND NOT ? = ANY(key_ids) ORDER BY host, pid LIMIT ${MAX_TOLD}`;

/**
 * Tells other processes the ids of this one's keys: once before it returns, and then by a heartbeat until its result is
 * called. The next process to start deletes the rows of processes that were killed.
 */
export async function tellKeys(
  database: Database,
  keys: KeyRing,
  warn: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const holderId = randomUUID();
  const em = database.primary();
  const beat = () => em.execute(BEAT, [holderId, hostname(), process.pid, [...keys.ids]]);
  await em.execute(`DELETE FROM key_holder WHERE ${IS_GONE}`);
  await beat();
  let beating: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating.then(beat).catch(warn);
  }, BEAT_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await beating;
    // If the database is away, the row expires.
    await em.execute('DELETE FROM key_holder WHERE holder_id = ?', [holderId]).catch(warn);
  };
}

/** Throws `KeyNotEverywhere` while a process runs that lacks the newest key. */
export async function requireKeyEverywhere(database: Database, keys: KeyRing): Promise<void> {
  const [newest] = keys.ids;
  const lacking = await database.primary().execute<{ host: string; pid: number; count: number }[]>(LACKING, [newest]);
  const [first] = lacking;
  if (!first) return;
  const places = lacking.map(({ host, pid }) => `${host} process ${pid}`);
  throw new KeyNotEverywhere(newest, first.count, places);
}

/** Some running processes lack the newest key, and cannot open its seals. */
class KeyNotEverywhere extends Error {
  override readonly name = 'KeyNotEverywhere';
  constructor(key: string, count: number, holders: readonly string[]) {
    const processes = count === 1 ? '1 running process lacks' : `${count} running processes lack`;
    super(
      `${processes} the key ${key}: ${holders.join(', ')}${count > holders.length ? ' and others' : ''}. They could not decrypt data of that key, so nothing was changed. ` +
        `Restart them with a key ring that contains it, and rotate again. A process that was killed is counted for another ${GONE_AFTER_SECONDS} s.`,
    );
  }
}
