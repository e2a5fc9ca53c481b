import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { Canaries } from './canaries.js';
import { leaksIn } from './leaks.js';
import { dumpOf, filesIn, toDisk, type Place } from './places.js';
import { Search } from './search.js';

const canaries = new Canaries();
/** One for each place, so that each is found for itself. */
const planted = {
  column: canaries.person('stray', 'a column').taxId,
  index: canaries.person('stray', 'an index').phone,
  json: canaries.person('stray', 'a document').streets[0],
  bytes: canaries.person('stray', 'bytes').email,
  long: canaries.person('stray', 'a compressed value').governmentId,
  day: canaries.person('stray', 'a date').birthDate,
  number: canaries.card('stray', 'a number').number,
  deleted: canaries.person('stray', 'a deleted row').taxId,
  undone: canaries.card('stray', 'a transaction that was undone').pin,
  serverLog: canaries.person('stray', 'the log of the server').email,
  statement: canaries.person('stray', 'a statement').governmentId,
  sample: canaries.person('stray', 'the statistics').phone,
};
const search = new Search(canaries.all);

describe('what somebody plants in the clear in the database is found', () => {
  let folder: string;
  const files: string[] = [];
  const dump: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `tillgate-test-${process.pid}-planted-`));
    const server = await startEmbeddedPostgres(folder, { program: 'Tillgate', parameters: { fsync: 'off' } });
    const onlooker = new pg.Client({ connectionString: server.url('postgres') });
    await onlooker.connect();
    await plant(server.url('postgres'));
    // What a connection ran last is shown for as long as it is open.
    await onlooker.query(`SELECT '${planted.statement}'`);
    for await (const table of dumpOf(server.url('postgres'))) dump.push(...leaksIn(search, table));
    await onlooker.end();
    await toDisk(server.url('postgres'));
    await server.stop();
    for await (const file of filesIn(folder)) files.push(...leaksIn(search, file));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each([
    ['a column', /postgres\/base\//],
    ['an index', /postgres\/base\//],
    ['a document', /postgres\/base\//],
    ['bytes', /postgres\/base\//],
    ['a column', /pg_wal/],
    ['a document', /pg_wal/],
    ['a deleted row', /pg_wal/],
    ['a transaction that was undone', /pg_wal/],
    ['the log of the server', /postgres\.log/],
  ])('in %s, in a file like %s', (sentBy, file) => {
    expect(files.filter(leak => leak.includes(` of ${sentBy},`) && file.test(leak))).not.toEqual([]);
  });

  test.each([
    ['a column', 'public.planted'],
    ['a document', 'public.planted'],
    ['bytes', 'public.planted'],
    // The files have these three in binary, or compressed.
    ['a compressed value', 'public.planted'],
    ['a date', 'public.planted'],
    ['a number', 'public.planted'],
    ['a statement', 'pg_catalog.pg_stat_activity'],
    ['the statistics', 'pg_catalog.pg_statistic'],
    ['the statistics', 'pg_catalog.pg_stats'],
  ])('in %s, in the dump of %s', (sentBy, table) => {
    expect(dump.filter(leak => leak.includes(` of ${sentBy},`) && leak.includes(`dump of ${table} at`))).not.toEqual(
      [],
    );
  });

  test('and what was deleted is no longer in the dump, so the files have to be searched as well', () => {
    expect(dump.filter(leak => leak.includes(' of a deleted row,'))).toEqual([]);
  });
});

async function plant(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE TABLE planted (plain text, found text, document jsonb, bytes bytea, long text, day date, number bigint);
    CREATE INDEX ON planted (found)`);
  const long = `${'seed '.repeat(20_000)}${planted.long}${' seed'.repeat(20_000)}`;
  await client.query('INSERT INTO planted VALUES ($1, $2, $3, $4, $5, $6, $7)', [
    planted.column,
    planted.index,
    JSON.stringify({ line1: planted.json }),
    Buffer.from(planted.bytes, 'utf16le'),
    long,
    planted.day,
    planted.number,
  ]);
  await client.query('INSERT INTO planted (plain) SELECT $1 FROM generate_series(1, 50)', [planted.sample]);
  await client.query('INSERT INTO planted (plain) VALUES ($1)', [planted.deleted]);
  await client.query('DELETE FROM planted WHERE plain = $1', [planted.deleted]);
  await client.query('VACUUM planted');
  await client.query('BEGIN');
  await client.query('INSERT INTO planted (plain) VALUES ($1)', [planted.undone]);
  await client.query('ROLLBACK');
  await client.query(`DO $$ BEGIN RAISE LOG 'a customer: ${planted.serverLog}'; END $$`);
  await client.end();
}

test('a leak is told with what it is, where it was sent, and where it is', () => {
  const place: Place = { name: 'a log', bytes: Buffer.from(`hello ${planted.column}`), isText: true };
  expect(leaksIn(search, place)).toEqual([`The taxId of a column, as text, is in a log at 6: hello ${planted.column}`]);
});
