import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Something that can be searched. */
export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
  /** True for what people read: there a CVV is looked for as well, which any bytes have by chance. */
  readonly isText: boolean;
}

/**
 * The files of a folder, one after another. In those of PostgreSQL the bytes of a text are as they are, in tables,
 * indexes and the log of changes. Not so a value of more than 2 kB, which is compressed or in pieces, and a number or a
 * date, which is stored in binary: those are found in the dump.
 */
export async function* filesIn(folder: string): AsyncGenerator<Place> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = join(entry.parentPath, entry.name);
    yield { name, bytes: await readFile(name), isText: false };
  }
}

/**
 * Tables of every kind; and views, since some show what is nowhere on disk, such as the statements that run. The one of
 * memory nodes fails on machines without any.
 */
const RELATIONS = `SELECT format('%I.%I', n.nspname, c.relname) AS name, n.nspname NOT IN ('pg_catalog', 'information_schema') AS ours
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'm', 'f') OR c.relkind = 'v' AND n.nspname <> 'information_schema' AND c.relname NOT LIKE '%numa%' ORDER BY 1`;

/**
 * Every row of every table and view as text, whatever columns there are. The embedded PostgreSQL comes without pg_dump,
 * which would say as much of our tables and less of the others: statistics hold samples of the values.
 */
export async function* dumpOf(databaseUrl: string): AsyncGenerator<Place> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('ANALYZE');
    const { rows } = await client.query<{ name: string; ours: boolean }>(RELATIONS);
    for (const { name, ours } of rows) {
      const rowsAsText = await text(client.query(copyTo(`COPY (SELECT * FROM ${name}) TO STDOUT`)));
      // COPY doubles every backslash, also those of JSON.
      const unescaped = rowsAsText.replaceAll('\\\\', '\\');
      // What PostgreSQL keeps for itself is full of small numbers.
      yield { name: `the dump of ${name}`, bytes: Buffer.from(unescaped), isText: ours };
    }
  } finally {
    await client.end();
  }
}

/** Brings all changes to the disk: what is in memory alone could not be found. */
export async function toDisk(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CHECKPOINT');
  await client.query('SELECT pg_switch_wal()');
  await client.end();
}
