import type { WriteStream } from 'node:tty';
import { requireKeyEverywhere } from '../platform/crypto/key-holders.js';
import type { KeyRing, KeyRings } from '../platform/crypto/key-ring.js';
import { nameOf, withAccount, type SealedColumn } from '../platform/crypto/sealed-column.js';
import { MAX_TOLD, RotateTally, keysInUse, rotateColumn, type KeyUses } from '../platform/crypto/rotate.js';
import type { Database } from '../platform/database/orm.js';
import { isStatementCancelled } from '../../lib/pg-wire/pg-errors.js';
import { showProgress } from '../platform/report/progress.js';
import type { Report } from '../platform/report/report.js';
import { statusOf } from '../platform/report/stop-signal.js';

export interface RotateKeysOrder {
  readonly database: Database;
  readonly rings: KeyRings;
  readonly columns: readonly SealedColumn[];
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/**
 * Seals everything under the newest key, shows how far it is, and says how it ended and which keys may go. Gives the
 * exit status: 1 where something could not be opened, or is under an older key in spite of it. Throws
 * `KeyNotEverywhere`.
 */
export async function rotateKeys(rotation: RotateKeysOrder): Promise<number> {
  const { database, rings, report, stop, stderr } = rotation;
  for (const ring of ringsOf(rings)) await requireKeyEverywhere(database, ring);
  const { cluster } = database;
  const order = {
    ...rotation,
    columns: rotation.columns.map(column => (cluster.isKeptWithAccount(column.table) ? withAccount(column) : column)),
  };
  const columns: ColumnResult[] = [];
  for (const column of order.columns) {
    columns.push(await rotateOne(order, column));
    if (stop.aborted) break;
  }
  const unreadable = columns.reduce((sum, column) => sum + column.unreadable, 0);
  const finished = !stop.aborted;
  const uses = finished ? await usesOfKeys(order) : NOT_KNOWN;
  report.result({
    columns,
    unreadable,
    newest: rings.fields.ids[0],
    newestForCards: rings.cards.ids[0],
    ...uses,
    finished,
  });
  if (!finished) {
    stderr.write('The rotation was stopped. Run the same command again to finish.\n');
    return statusOf(stop.reason);
  }
  const outdated = tellKeys(order, uses);
  return unreadable > 0 || outdated ? 1 : 0;
}

/** The settings that have the keys of a ring. */
const KEYS_OF = { fields: 'FIELD_KEYS', cards: 'CARD_KEYS or FIELD_KEYS' } as const;

/** The outcome for the rows of a column: their numbers, and the first of those that could not be opened. */
type ColumnResult = Readonly<RotateTally['counts'] & { name: string; unreadableRows: readonly UnreadableRow[] }>;
type UnreadableRow = Readonly<{ key: readonly string[]; reason: string }>;

async function rotateOne(
  { rings, report, stderr, ...order }: RotateKeysOrder,
  column: SealedColumn,
): Promise<ColumnResult> {
  const name = nameOf(column);
  const total = await countRows(order.database, column);
  const tally = new RotateTally();
  const done = () => total && Math.min(1, tally.rows / total);
  const hideProgress = showProgress(name, tally, { done }, stderr);
  try {
    await rotateColumn({ ...order, keys: rings[column.ring], column, tally });
  } finally {
    tally.end();
    hideProgress();
    report.line(`${name}: ${tally.summary()}`);
    for (const { key, reason } of tally.unreadable) {
      const why =
        reason === 'unknown_key' ? `needs a key that is not in ${KEYS_OF[column.ring]}` : 'cannot be decrypted';
      stderr.write(`${column.table} ${key.join(' ')}: ${column.column} ${why}\n`);
    }
    const untold = tally.counts.unreadable - tally.unreadable.length;
    if (untold > 0) stderr.write(`${name}: ${untold} more unreadable rows after the first ${MAX_TOLD}\n`);
  }
  return { name, ...tally.counts, unreadableRows: tally.unreadable };
}

/** For the progress only, so null where counting takes too long. */
async function countRows(database: Database, { table, column }: SealedColumn): Promise<number | null> {
  const counting = `SELECT count(*)::float8 FROM ${table} WHERE ${column} IS NOT NULL`;
  try {
    const [row] = await database.primary().execute<{ readonly count: number }[]>(counting);
    return row?.count ?? 0;
  } catch (error) {
    if (isStatementCancelled(error)) return null;
    throw error;
  }
}

/** One where cards have no keys of their own. */
function ringsOf({ fields, cards }: KeyRings): ReadonlySet<KeyRing> {
  return new Set([fields, cards]);
}

/** Which keys nothing needs any more, and which are named by something although they are not the newest. */
interface KeysLeft {
  readonly idle: readonly string[];
  readonly needed: readonly Readonly<{ id: string; inRing: boolean; seals: number; digests: number }>[];
}
const NOT_KNOWN: KeysLeft = { idle: [], needed: [] };

async function usesOfKeys({ database, rings, columns }: RotateKeysOrder): Promise<KeysLeft> {
  const [used, needed] = [new Set<string>(), new Map<string, KeyUses>()];
  for (const ring of ringsOf(rings)) {
    const [newest] = ring.ids;
    used.add(newest);
    const own = columns.filter(column => rings[column.ring] === ring);
    for (const [id, { seals, digests }] of await keysInUse(database, ring, own)) {
      used.add(id);
      const counts = needed.get(id) ?? { seals: 0, digests: 0 };
      if (id !== newest) needed.set(id, { seals: counts.seals + seals, digests: counts.digests + digests });
    }
  }
  // The ring of cards has the keys of both.
  const { ids } = rings.cards;
  return {
    idle: ids.filter(id => !used.has(id)),
    needed: Array.from(needed, ([id, uses]) => ({ id, inRing: ids.includes(id), ...uses })),
  };
}

/** Gives whether something is sealed under another key than the newest. */
function tellKeys({ report, stderr }: RotateKeysOrder, { idle, needed }: KeysLeft): boolean {
  if (idle.length > 0) report.line(`Keys no longer needed: ${idle.join(', ')}`);
  for (const { id, inRing, seals, digests } of needed) {
    const what = inRing ? 'still needed' : 'missing from the settings';
    stderr.write(`Key ${id} is ${what}: ${seals} seals and ${digests} digests name it.\n`);
  }
  const outdated = needed.some(({ seals }) => seals > 0);
  if (outdated) {
    stderr.write(
      'If gateways run with another key in front, restart all of them with the new FIELD_KEYS, and rotate again.\n',
    );
  }
  return outdated;
}
