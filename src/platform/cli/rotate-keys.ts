import type { WriteStream } from 'node:tty';
import type { KeyRing } from '../crypto/key-ring.js';
import { countOf } from '../crypto/rotate-statements.js';
import { MAX_TOLD, RotateTally } from '../crypto/rotate-tally.js';
import { keysInUse, rotateColumn } from '../crypto/rotate.js';
import { nameOf, type SealedColumn } from '../crypto/sealed-column.js';
import type { Database } from '../database/orm.js';
import { isStatementCancelled } from '../database/pg-errors.js';
import { showProgress } from '../import/progress.js';
import { statusOf } from './stop-signal.js';

export interface RotateKeysOrder {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly columns: readonly SealedColumn[];
  readonly stop: AbortSignal;
  readonly stdout: Pick<WriteStream, 'write'>;
  readonly stderr: WriteStream;
}

/**
 * Seals everything under the newest key, shows how far it is, and says how it ended and which keys may go. Gives the exit status: 1
 * where something could not be opened, or is under an older key in spite of it.
 */
export async function rotateKeys(order: RotateKeysOrder): Promise<number> {
  let unreadable = 0;
  for (const column of order.columns) {
    unreadable += await rotateOne(order, column);
    if (order.stop.aborted) {
      order.stderr.write('Stopped: what is resealed stays so. The same command again does the rest.\n');
      return statusOf(order.stop.reason);
    }
  }
  const outdated = await tellKeys(order);
  return unreadable > 0 || outdated ? 1 : 0;
}

/** Gives how many rows could not be opened. */
async function rotateOne({ stdout, stderr, ...order }: RotateKeysOrder, column: SealedColumn): Promise<number> {
  const name = nameOf(column);
  const total = await countRows(order.database, column);
  const tally = new RotateTally();
  const done = () => total && Math.min(1, tally.rows / total);
  const hideProgress = showProgress(name, tally, { done }, stderr);
  try {
    await rotateColumn({ ...order, column, tally });
  } finally {
    tally.end();
    hideProgress();
    stdout.write(`${name}: ${tally.summary()}\n`);
    for (const { key, reason } of tally.unreadable) {
      const why = reason === 'unknown_key' ? 'names a key that is not in the ring' : 'is broken';
      stderr.write(`${column.table} ${key.join(' ')}: ${column.column} ${why}\n`);
    }
    const untold = tally.counts.unreadable - tally.unreadable.length;
    if (untold > 0) stderr.write(`${name}: ${untold} more unreadable rows after the first ${MAX_TOLD}\n`);
  }
  return tally.counts.unreadable;
}

/** For the progress only, so null where counting takes too long. */
async function countRows(database: Database, column: SealedColumn): Promise<number | null> {
  try {
    const [row] = await database.query<[bigint]>(countOf(column));
    return Number(row?.[0] ?? 0);
  } catch (error) {
    if (isStatementCancelled(error)) return null;
    throw error;
  }
}

/** Gives whether something is sealed under another key than the newest. */
async function tellKeys({ database, keys, columns, stdout, stderr }: RotateKeysOrder): Promise<boolean> {
  const uses = await keysInUse(database, keys, columns);
  const [newest, ...older] = keys.ids;
  const idle = older.filter(id => !uses.has(id));
  if (idle.length > 0) stdout.write(`Keys no longer needed: ${idle.join(', ')}\n`);
  const others = [...uses].filter(([id]) => id !== newest);
  for (const [id, { seals, digests }] of others) {
    const what = older.includes(id) ? 'still needed' : 'missing from the ring';
    stderr.write(`Key ${id} is ${what}: ${seals} seals and ${digests} digests name it.\n`);
  }
  const outdated = others.some(([, { seals }]) => seals > 0);
  if (outdated) {
    stderr.write('If gateways run that have another key in front, give all of them the new ring, and rotate again.\n');
  }
  return outdated;
}
