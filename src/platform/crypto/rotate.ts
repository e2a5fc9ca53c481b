import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/orm.js';
import { SealBroken, type KeyRing } from './key-ring.js';
import {
  labelPages,
  sealPages,
  writeOf,
  writeOneOf,
  type PageStatements,
  nameOf,
  type SealedColumn,
} from './sealed-column.js';
import { isLockTimeout } from '../../../lib/pg-wire/pg-errors.js';
import { Tally } from '../report/progress.js';

/** Small, so that a command waits for one of the rows for a few milliseconds only. */
export const BATCH_ROWS = 500;
const LABEL_ROWS = 5000;
/** Together longer than a command may take, which locks its rows until its end. */
const MAX_ATTEMPTS = 200;
const ATTEMPT_EVERY_MS = 100;

export interface RotateOrder {
  readonly database: Database;
  /** The newest key seals, the others open. */
  readonly keys: KeyRing;
  readonly column: SealedColumn;
  readonly tally: RotateTally;
  /** When it is aborted, the running statement is finished and no other begins. */
  readonly stop: AbortSignal;
}

/** The key, for each digest whether it is missing, and the seal. */
type Row = [...keyAndMissing: (string | boolean)[], sealed: Buffer];

interface StaleSeal {
  readonly key: readonly string[];
  readonly was: Buffer;
  readonly fresh: readonly (Buffer | string | null)[];
}

/**
 * Reseals all values under the newest key, with their digests, while others read and write the same rows. It reads
 * without a lock, and writes only where the old seal is still there. It keeps no state: started again, it skips what is
 * current and lacks no digest.
 */
export async function rotateColumn(order: RotateOrder): Promise<void> {
  const rotation = new Rotation(order);
  let after: readonly string[] = [];
  while (!order.stop.aborted) {
    const rows: Row[] = await rotation.batch(after);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_ROWS) return;
    after = rotation.keyOf(last);
  }
}

class Rotation {
  private readonly pages: PageStatements;

  constructor(private readonly order: RotateOrder) {
    this.pages = sealPages(order.column);
  }

  keyOf(row: Row): string[] {
    return row.slice(0, Object.keys(this.order.column.key).length) as string[];
  }

  /** Brings the rows after this key up to date and gives them. Rows that changed meanwhile are read again. */
  async batch(after: readonly string[]): Promise<Row[]> {
    const found = new Set<string>();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > 1) await sleep(ATTEMPT_EVERY_MS);
      const rows = await pageOf<Row>(this.order.database, this.pages, after, BATCH_ROWS);
      const unreadable: [string[], SealBroken['reason']][] = [];
      const stale = rows.flatMap(row => this.staleOf(row, (key, reason) => unreadable.push([key, reason])));
      for (const { key } of stale) found.add(JSON.stringify(key));
      const held = stale.length - (stale.length > 0 ? await this.write(stale) : 0);
      if (held > 0 && !this.order.stop.aborted) continue;
      this.order.tally.add(rows.length - held, found.size - held, unreadable);
      return rows;
    }
    throw new RowsHeld(nameOf(this.order.column));
  }

  private staleOf(row: Row, fail: (key: string[], reason: SealBroken['reason']) => void): StaleSeal[] {
    const { keys, column } = this.order;
    const [key, was] = [this.keyOf(row), row.at(-1) as Buffer];
    const isMissing = row.slice(key.length, -1) as boolean[];
    try {
      const isCurrent = keys.isCurrent(was);
      if (isCurrent && !isMissing.includes(true)) return [];
      const identity = column.identityOf(...key);
      const value = keys.open(identity, was);
      const digests = (column.digests ?? []).map(({ of }) => of(keys, value));
      if (isCurrent && !digests.some((digest, index) => isMissing[index] && digest !== null)) return [];
      return [{ key, was, fresh: [keys.seal(identity, value), ...digests] }];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      fail(key, error.reason);
      return [];
    }
  }

  /** Gives how many were written. */
  private async write(stale: readonly StaleSeal[]): Promise<number> {
    const { database, column } = this.order;
    const rows = stale.map(({ key, was, fresh }) => [...key, was, ...fresh]);
    if (database.cluster.isApart) return this.writeEach(rows);
    const lists = (rows[0] ?? []).map((_, index) => rows.map(row => row[index]));
    return (await database.query(writeOf(column), lists)).length;
  }

  /** One after another, since Citus locks rows of one shard in a statement. */
  private async writeEach(rows: readonly unknown[][]): Promise<number> {
    const { database, column, stop } = this.order;
    const statement = writeOneOf(column);
    let written = 0;
    for (const row of rows) {
      if (stop.aborted) break;
      try {
        written += (await database.query(statement, row)).length;
      } catch (error) {
        // Citus locks a table that is on every node as a whole. Who waits for it gets this, and tries again.
        if (isLockTimeout(error)) break;
        throw error;
      }
    }
    return written;
  }
}

/** The numbers of values that need each key. */
export interface KeyUses {
  seals: number;
  digests: number;
}

/** The keys in use. A broken value that names no key needs none. */
export async function keysInUse(
  database: Database,
  keys: KeyRing,
  columns: readonly SealedColumn[],
): Promise<Map<string, KeyUses>> {
  const uses = new Map<string, KeyUses>();
  const add = (kind: keyof KeyUses, label: () => string): void => {
    const id = labelOf(label);
    if (id === null) return;
    const found = uses.get(id) ?? { seals: 0, digests: 0 };
    found[kind] += 1;
    uses.set(id, found);
  };
  for (const column of columns) {
    const parts = Object.keys(column.key).length;
    const pages = labelPages(column);
    let after: readonly string[] = [];
    for (;;) {
      const rows = await pageOf<(Buffer | string | null)[]>(database, pages, after, LABEL_ROWS);
      for (const row of rows) {
        const [seal, ...digests] = row.slice(parts) as [Buffer, ...(Buffer | string | null)[]];
        add('seals', () => keys.keyIdOf(seal));
        for (const digest of digests.filter(found => found !== null)) add('digests', () => keys.keyIdOfDigest(digest));
      }
      if (rows.length < LABEL_ROWS) break;
      after = (rows.at(-1) ?? []).slice(0, parts) as string[];
    }
  }
  return uses;
}

function pageOf<PageRow extends unknown[]>(
  database: Database,
  { first, next }: PageStatements,
  after: readonly string[],
  rows: number,
): Promise<PageRow[]> {
  return database.query<PageRow>(after.length === 0 ? first : next, [rows, ...after]);
}

function labelOf(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

/** Another transaction locks rows for longer than any command. */
class RowsHeld extends Error {
  override readonly name = 'RowsHeld';
  constructor(column: string) {
    super(
      `Another transaction has locked rows of ${column} for more than ${(MAX_ATTEMPTS * ATTEMPT_EVERY_MS) / 1000} s. Run the command again when it has ended; the finished work is kept.`,
    );
  }
}

/** A row whose seal cannot be opened. */
export interface UnreadableSeal {
  /** The values of its primary key. */
  readonly key: readonly string[];
  readonly reason: SealBroken['reason'];
}

/** The number of unreadable rows that are listed. */
export const MAX_TOLD = 100;

/** The progress of the rotation of a column. */
export class RotateTally extends Tally {
  readonly counts = { resealed: 0, current: 0, unreadable: 0 };
  /** The first `MAX_TOLD` of the unreadable rows. */
  readonly unreadable: UnreadableSeal[] = [];

  add(rows: number, resealed: number, unreadable: readonly (readonly [string[], UnreadableSeal['reason']])[]): void {
    this.counts.resealed += resealed;
    this.counts.unreadable += unreadable.length;
    // A resealed row may have been deleted since.
    this.counts.current += Math.max(0, rows - resealed - unreadable.length);
    const shown = unreadable.slice(0, MAX_TOLD - this.unreadable.length);
    this.unreadable.push(...shown.map(([key, reason]) => ({ key, reason })));
  }

  get rows(): number {
    return this.counts.resealed + this.counts.current + this.counts.unreadable;
  }

  get failures(): string {
    return this.counts.unreadable > 0 ? `${this.counts.unreadable} unreadable` : '';
  }

  /** `12 resealed, 3 already current, 0 unreadable in 0.2 s (75 rows/s)` */
  summary(): string {
    const { resealed, current, unreadable } = this.counts;
    return this.summaryOf(`${resealed} resealed, ${current} already current, ${unreadable} unreadable`);
  }
}
