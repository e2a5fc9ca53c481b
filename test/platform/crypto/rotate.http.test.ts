import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';
import { MAX_TOLD, RotateTally, BATCH_ROWS, keysInUse, rotateColumn } from '../../../src/platform/crypto/rotate.js';
import type { SealedColumn } from '../../../src/platform/crypto/sealed-column.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const GONE = `gone:${Buffer.alloc(32, 3).toString('base64')}`;
const before = KeyRing.parse(OLD);
const both = KeyRing.parse(`${NEW},${OLD}`);
const after = KeyRing.parse(NEW);

/** Keys of three types, a digest that can be made again and one that cannot. */
const BOXES: SealedColumn = {
  ring: 'fields' as const,
  table: 'box',
  key: { shelf: 'text', label: 'bytea', box_id: 'uuid' },
  column: 'secret',
  identityOf: (shelf: string, label: string, boxId: string) => `box/${shelf}/${label}/${boxId}`,
  digests: { secret_digest: (keys, value) => keys.digest('box', String(value)) },
};

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({ url: fresh.url, poolSize: 4, entities: [], applicationName: 'tillgate' });
  await database.pool.query(
    `CREATE TABLE box (shelf text, label bytea, box_id uuid, note text, secret bytea, secret_digest bytea UNIQUE,
       PRIMARY KEY (shelf, label, box_id))`,
  );
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});
let stop: AbortController;
beforeEach(async () => {
  stop = new AbortController();
  await database.pool.query('TRUNCATE box');
});
afterEach(() => stop.abort());

type Key = [shelf: string, label: Buffer, boxId: string];

async function put(keys: KeyRing, value: string, [shelf, label, boxId]: Key = keyOf(0)): Promise<Key> {
  const secret = keys.seal(BOXES.identityOf(shelf, `\\x${label.toString('hex')}`, boxId), value);
  await database.pool.query(
    `INSERT INTO box VALUES ($1, $2, $3, 'as it was', $4, $5)
     ON CONFLICT (shelf, label, box_id) DO UPDATE SET secret = excluded.secret, secret_digest = excluded.secret_digest`,
    [shelf, label, boxId, secret, keys.digest('box', value)],
  );
  return [shelf, label, boxId];
}

function keyOf(index: number): Key {
  return [`Shelf, "ö" ${index % 7}`, Buffer.from([index % 256, 0x5c, 0x22]), randomUUID()];
}

async function secrets(keys: KeyRing): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT *, label::text AS label FROM box');
  return rows.map(row => keys.open<string>(BOXES.identityOf(row.shelf, row.label, row.box_id), row.secret)).sort();
}

async function rotate(keys = both): Promise<RotateTally> {
  const tally = new RotateTally();
  await rotateColumn({ database, keys, column: BOXES, tally, stop: stop.signal });
  return tally;
}

describe('a rotation', () => {
  test('seals what is under an older key anew, with its digests, batch by batch, and nothing twice', async () => {
    const values = Array.from({ length: 2 * BATCH_ROWS + 7 }, (_, index) => `value ${index}`).sort();
    for (const [index, value] of values.entries()) await put(index % 100 === 0 ? both : before, value, keyOf(index));
    const current = Math.ceil(values.length / 100);
    expect((await rotate()).counts).toEqual({ resealed: values.length - current, current, unreadable: 0 });
    expect(await secrets(after)).toEqual(values);
    const { rows } = await database.pool.query<{ digest: Buffer }>('SELECT secret_digest AS digest FROM box');
    const digests = new Set(values.map(value => after.digest('box', value).toString('hex')));
    for (const { digest } of rows) expect(digests.delete(digest.toString('hex'))).toBe(true);

    const { rows: first } = await database.pool.query('SELECT secret FROM box ORDER BY box_id');
    expect((await rotate()).counts).toEqual({ resealed: 0, current: values.length, unreadable: 0 });
    expect((await database.pool.query('SELECT secret FROM box ORDER BY box_id')).rows).toEqual(first);
  });

  test('has nothing to do in an empty table and where nothing is sealed', async () => {
    expect((await rotate()).rows).toBe(0);
    await put(before, 'value');
    await database.pool.query('UPDATE box SET secret = NULL, secret_digest = NULL');
    expect((await rotate()).rows).toBe(0);
    expect(await keysInUse(database, both, [BOXES])).toEqual(new Map());
  });

  test('stops between two batches', async () => {
    for (let index = 0; index <= BATCH_ROWS; index++) await put(before, `value ${index}`, keyOf(index));
    const tally = new RotateTally();
    const add = tally.add.bind(tally);
    tally.add = (...args) => {
      stop.abort('SIGTERM');
      add(...args);
    };
    await rotateColumn({ database, keys: both, column: BOXES, tally, stop: stop.signal });
    expect(tally.counts).toEqual({ resealed: BATCH_ROWS, current: 0, unreadable: 0 });
    stop = new AbortController();
    expect((await rotate()).counts).toEqual({ resealed: 1, current: BATCH_ROWS, unreadable: 0 });
  });
});

describe('a row that somebody changes between our look and our write', () => {
  test('keeps what was written, and ends under the newest key', async () => {
    const key = await put(before, 'first');
    await put(before, 'other', keyOf(1));
    const somebody = await database.pool.connect();
    await somebody.query('BEGIN');
    const [shelf, label, boxId] = key;
    const secret = before.seal(BOXES.identityOf(shelf, `\\x${label.toString('hex')}`, boxId), 'second');
    await somebody.query('UPDATE box SET secret = $1, note = $2 WHERE box_id = $3', [secret, 'changed', boxId]);
    const rotating = rotate();
    // The other row is done at once, whoever holds this one, and nobody waits for a lock meanwhile.
    await until(async () => (await newlySealed()).includes('other'));
    const { rows } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([]);
    await somebody.query('COMMIT');
    somebody.release();
    expect((await rotating).counts).toEqual({ resealed: 2, current: 0, unreadable: 0 });
    expect(await secrets(after)).toEqual(['other', 'second']);
    expect((await database.pool.query('SELECT note FROM box ORDER BY note')).rows).toEqual([
      { note: 'as it was' },
      { note: 'changed' },
    ]);
  });

  test('may be sealed under the newest key by them, or deleted', async () => {
    const key = await put(before, 'first');
    const gone = await put(before, 'gone', keyOf(1));
    const somebody = await database.pool.connect();
    await somebody.query('BEGIN');
    await somebody.query('SELECT FROM box FOR UPDATE');
    const rotating = rotate();
    const [shelf, label, boxId] = key;
    const secret = both.seal(BOXES.identityOf(shelf, `\\x${label.toString('hex')}`, boxId), 'second');
    await somebody.query('UPDATE box SET secret = $1 WHERE box_id = $2', [secret, boxId]);
    await somebody.query('DELETE FROM box WHERE box_id = $1', [gone[2]]);
    await somebody.query('COMMIT');
    somebody.release();
    await rotating;
    expect(await secrets(after)).toEqual(['second']);
  });

  test('is never overwritten, however often they do so', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => keyOf(index));
    for (const key of keys) await put(before, `${key[2]} 0`, key);
    let over = false;
    const last = new Map<string, string>();
    const changing = (async () => {
      for (let round = 1; round <= 20 || !over; round++) {
        for (const key of keys) {
          last.set(key[2], `${key[2]} ${round}`);
          await put(round % 2 ? both : before, `${key[2]} ${round}`, key);
        }
        if (round >= 200) break;
      }
    })();
    for (let run = 0; run < 10; run++) await rotate();
    over = true;
    await changing;
    expect(await secrets(both)).toEqual([...last.values()].sort());
    await rotate();
    expect(await secrets(after)).toEqual([...last.values()].sort());
  });
});

describe('a row that cannot be opened', () => {
  test('is told by its key, with the reason, and the others are done', async () => {
    const unknown = await put(KeyRing.parse(GONE), 'unknown');
    const broken = await put(before, 'broken', keyOf(1));
    await database.pool.query(
      `UPDATE box SET secret = set_byte(secret, 40, get_byte(secret, 40) # 1) WHERE box_id = $1`,
      [broken[2]],
    );
    const empty = await put(before, 'empty', keyOf(2));
    await database.pool.query(`UPDATE box SET secret = '' WHERE box_id = $1`, [empty[2]]);
    await put(before, 'good', keyOf(3));
    const tally = await rotate();
    expect(tally.counts).toEqual({ resealed: 1, current: 0, unreadable: 3 });
    const told = ([shelf, label, boxId]: Key) => [shelf, `\\x${label.toString('hex')}`, boxId];
    expect(tally.unreadable).toHaveLength(3);
    expect(tally.unreadable).toEqual(
      expect.arrayContaining([
        { key: told(unknown), reason: 'unknown_key' },
        { key: told(broken), reason: 'broken' },
        { key: told(empty), reason: 'broken' },
      ]),
    );
  });

  test('is counted, and told with so many others only', async () => {
    for (let index = 0; index <= MAX_TOLD; index++) await put(KeyRing.parse(GONE), `value ${index}`, keyOf(index));
    const tally = await rotate();
    expect([tally.counts.unreadable, tally.unreadable.length]).toEqual([MAX_TOLD + 1, MAX_TOLD]);
  });
});

test('a key is in use while a seal names it, or a digest', async () => {
  await put(before, 'one', keyOf(0));
  await put(before, 'two', keyOf(1));
  await put(KeyRing.parse(GONE), 'three', keyOf(2));
  const uses = async () => Object.fromEntries(await keysInUse(database, both, [BOXES]));
  expect(await uses()).toEqual({ old: { seals: 2, digests: 2 }, gone: { seals: 1, digests: 1 } });
  await rotate();
  expect(await uses()).toEqual({
    new: { seals: 2, digests: 2 },
    gone: { seals: 1, digests: 1 },
  });
});

/** What can be opened with the new key alone. */
async function newlySealed(): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT *, label::text AS label FROM box');
  return rows
    .filter(row => after.isCurrent(row.secret))
    .map(row => after.open<string>(BOXES.identityOf(row.shelf, row.label, row.box_id), row.secret));
}
