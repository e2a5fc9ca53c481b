import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type StatementSender, type SqlQuery, inTwoRoundTrips } from '../../../src/platform/database/transaction.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { openedDatabase } from '../../support/opened-database.js';

// One connection: what a flight leaves behind, the next one meets.
const database = openedDatabase(1);

const INSERT = statementOf('insert into shelf values ($1)');
const ALL = statementOf('select n from shelf order by n');
const DIVISION = statementOf('select 6 / $1::int4');

beforeAll(() => database().query(statementOf('create table shelf (n int4 primary key)')));
beforeEach(() => database().query(statementOf('truncate shelf')));

const inserting = (...numbers: number[]): SqlQuery[] => numbers.map(n => ({ statement: INSERT, values: [n] }));
const nothing = async (): Promise<null> => null;

test('what the first flight reads decides what the second writes', async () => {
  const plan = await inTwoRoundTrips(
    database(),
    async transaction => Promise.all([transaction.query(DIVISION, [2]), transaction.query(DIVISION, [3])]),
    read => inserting(...read.map(([row]) => row?.[0] as number)),
  );
  expect(plan).toEqual([[[3]], [[2]]]);
  expect(await database().query(ALL)).toEqual([[2], [3]]);
});

test('a second flight without statements commits', async () => {
  expect(await inTwoRoundTrips(database(), nothing, () => [])).toBeNull();
});

describe('where a statement fails', () => {
  const asMine = (error: Error): never => {
    throw new Error(`mine: ${error.message}`);
  };
  const never = statementOf(`select 'never asked before'`);

  test('in the first flight, its error is told, and nothing is written', async () => {
    const first = (transaction: StatementSender) =>
      Promise.all([
        transaction.query(DIVISION, [1]),
        transaction.query(DIVISION, [0]).catch(asMine),
        transaction.query(never, []),
      ]);
    await expect(inTwoRoundTrips(database(), first, () => inserting(1))).rejects.toThrow('mine: division by zero');
    expect(await database().query(ALL)).toEqual([]);
  });

  test('those behind it can be asked later on the same connection, though the server has not seen them', async () => {
    expect(await database().query(never)).toEqual([['never asked before']]);
  });

  test('in the second flight, it is told what that means, and nothing is written', async () => {
    await database().query(INSERT, [2]);
    const last = (): SqlQuery[] => [...inserting(1, 2), { statement: statementOf('delete from shelf'), values: [] }];
    await expect(inTwoRoundTrips(database(), nothing, last)).rejects.toMatchObject({ code: '23505' });
    expect(await database().query(ALL)).toEqual([[2]]);
    expect(await inTwoRoundTrips(database(), nothing, () => inserting(3))).toBeNull();
    expect(await database().query(ALL)).toEqual([[2], [3]]);
  });

  test('because a value cannot be sent, nothing of its flight is', async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const unsendable: SqlQuery = { statement: statementOf('select $1::jsonb'), values: [circle] };
    await expect(inTwoRoundTrips(database(), nothing, () => [...inserting(1), unsendable])).rejects.toThrow('circular');
    expect(await database().query(ALL)).toEqual([]);
  });
});

test('a lock that is not free in time is told as what it means', async () => {
  const late = (): Error => new Error('somebody else holds it');
  const other = await database().reopen({ poolSize: 1, session: { lock_timeout: '50ms' } });
  try {
    const failed = await inTwoRoundTrips(
      database(),
      async transaction => {
        await transaction.query(statementOf('lock table shelf in exclusive mode'), []);
        return inTwoRoundTrips(other, nothing, () => [{ statement: INSERT, values: [1], late }]).catch(
          (error: unknown) => error,
        );
      },
      () => [],
    );
    expect(failed).toEqual(late());
  } finally {
    await other.close();
  }
});
