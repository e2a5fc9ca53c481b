import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type pg from 'pg';
import { statementOf } from '../statement.js';
import { Pipeline, PreparedQuery } from '../pipeline.js';
import { answered, ask, socketOf } from '../../../src/platform/database/ask.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { openedDatabase } from '../../../test/support/opened-database.js';
import { Messages } from '../../../test/support/postgres-messages.js';
import { until } from '../../../test/support/until.js';

const database = openedDatabase(1);

beforeAll(() => database().query(statementOf('create table jar (n int8 primary key, label text)')));

describe('a statement that comes again on a connection', () => {
  test('gives values of the same kinds, also where the first time was without rows or all NULL', async () => {
    const statement = statementOf(
      `select $2::int8, $2::int4::text, ($2::int8 || ' seconds')::interval + timestamptz 'epoch', array[$2::int8], to_jsonb($2::int8), '\\x00'::bytea, $2::int4, $2 = '1'
        from generate_series(1, $1::int)`,
    );
    const row = (n: number) => [
      BigInt(n),
      `${n}`,
      `1970-01-01T00:00:0${n}.000Z`,
      [BigInt(n)],
      n,
      Buffer.from([0]),
      n,
      n === 1,
    ];
    expect(await database().query(statement, [0, '1'])).toEqual([]);
    const [nulls] = await database().query(statement, [1, null]);
    expect(nulls?.slice(0, 3)).toEqual([null, null, null]);
    expect(await database().query(statement, [1, '1'])).toEqual([row(1)]);
    expect(await database().query(statement, [2, '2'])).toEqual([row(2), row(2)]);
  });

  test('may give nothing at all', async () => {
    const insertion = statementOf('insert into jar values ($1, $2)');
    expect(await database().query(insertion, [1n, 'plums'])).toEqual([]);
    expect(await database().query(insertion, [2n, null])).toEqual([]);
    const all = await database().query(statementOf('select n, label from jar order by n'));
    expect(all).toEqual([
      [1n, 'plums'],
      [2n, null],
    ]);
  });

  test('may have failed the first time', async () => {
    const division = statementOf('select 6 / $1::int4, $1::int8');
    await expect(database().query(division, [0])).rejects.toThrow('division by zero');
    expect(await database().query(division, [2])).toEqual([[3, 2n]]);
    await expect(database().query(division, [0])).rejects.toThrow('division by zero');
    expect(await database().query(division, [3])).toEqual([[2, 3n]]);
  });
});

describe('a statement without a name', () => {
  const unnamed = (text: string) => ({ name: '', text });

  test('gives objects, however its text changes, beside statements with names', async () => {
    for (const n of [1, 2]) {
      expect(await database().query(unnamed(`select ${n}::int8 as big, 'a' as "text", $1::int4 as n`), [n])).toEqual([
        { big: `${n}`, text: 'a', n },
      ]);
      expect(await database().query(statementOf('select 1::int8, 2'))).toEqual([[1n, 2]]);
    }
  });

  test('may fail, and another one succeeds on the same connection', async () => {
    await expect(database().query(unnamed('select 1 / 0'))).rejects.toThrow('division by zero');
    expect(await database().query(unnamed('select 1 as one'))).toEqual([{ one: 1 }]);
  });
});

test('statements that are sent together each get their own rows', async () => {
  const [one, two] = [statementOf('select $1::int8, 1'), statementOf('select $1::text, $1::text')];
  const rounds = await inTransaction(database(), async transaction => {
    const round = () =>
      Promise.all([
        transaction.query(one, [1]),
        transaction.query(one, [2]),
        transaction.query(two, ['a']),
        transaction.query(one, [3]),
      ]);
    return [await round(), await round()];
  });
  const expected = [[[1n, 1]], [[2n, 1]], [['a', 'a']], [[3n, 1]]];
  expect(rounds).toEqual([expected, expected]);
});

test('a statement behind one that failed is closed before it is prepared again, since a pooler may know it', async () => {
  const [failing, behind] = [statementOf('select 1 / $1::int4'), statementOf(`select 'behind'`)];
  const client = await database().pool.connect();
  try {
    const write = jest.spyOn(socketOf(client), 'write');
    const queries = [new PreparedQuery(failing, [0]), new PreparedQuery(behind, [])];
    await expect(answered(client, new Pipeline(queries))).rejects.toThrow('division by zero');
    for (const _time of [1, 2]) expect(await ask(client, behind)).toEqual([['behind']]);
    const types = write.mock.calls.map(([bytes]) =>
      [...new Messages(1).read(bytes as Buffer)].map(([type = 0]) => type),
    );
    expect(types.map(each => String.fromCharCode(...each))).toEqual(['PBDEPBDES', 'CPBDES', 'BES']);
  } finally {
    client.release();
  }
});

test('a value that cannot be sent fails its statement alone', async () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  const statement = statementOf('select $1::jsonb');
  await expect(database().query(statement, [circle])).rejects.toThrow('circular');
  expect(await database().query(statement, [{ a: 1 }])).toEqual([[{ a: 1 }]]);
});

test('a name that two statements have is refused', async () => {
  expect(await database().query({ name: 'twice', text: 'select 1' })).toEqual([[1]]);
  await expect(database().query({ name: 'twice', text: 'select 2' })).rejects.toThrow(
    'two statements have the name twice',
  );
  expect(await database().query({ name: 'twice', text: 'select 1' })).toEqual([[1]]);
});

test('a value that cannot be read fails its statement, and not the process', () => {
  const flight = new Pipeline([new PreparedQuery({ name: 'broken', text: 'select' }, [])]);
  const told: unknown[] = [];
  flight.callback = error => told.push(error);
  flight.handleRowDescription({ fields: [{ dataTypeID: 20 } as pg.FieldDef] });
  flight.handleDataRow({ fields: ['no number'] });
  flight.handleReadyForQuery();
  expect(told).toEqual([expect.any(SyntaxError)]);
});

test('a plan that was made while a table was empty does not stay when it grows', async () => {
  const query = (text: string) => database().query(statementOf(text));
  await query('create table shelf (n int8 primary key, label text)');
  // From here on the server takes the table for empty; a table that it has not looked at yet it takes for a small one.
  await query('analyze shelf');
  const byNumber = statementOf('select label from shelf where n = $1');
  const wholeReads = statementOf(`select seq_scan::int from pg_stat_xact_user_tables where relname = 'shelf'`);
  const wholeReadsForOne = () =>
    inTransaction(database(), async transaction => {
      const count = async () => (await transaction.query<[number]>(wholeReads, []))[0]?.[0] ?? 0;
      const before = await count();
      await transaction.query(byNumber, [77]);
      return (await count()) - before;
    });
  expect(await wholeReadsForOne()).toBe(1);
  await query(`insert into shelf select n, 'label ' || n from generate_series(1, 10000) n`);
  await until(async () => (await wholeReadsForOne()) === 0);
});
