import { expect, test } from '@jest/globals';
import { statementOf } from '../../../src/platform/database/statement.js';
import { openedDatabase } from '../../support/opened-database.js';

const database = openedDatabase(3);

const one = statementOf('select pg_backend_pid(), $1::int4');
const other = statementOf('select pg_backend_pid(), $1::text');
const division = statementOf('select pg_backend_pid(), 6 / $1::int4');

test('statements that are asked for at the same moment share a connection, unless they are the same', async () => {
  const [a, b, c, d] = await Promise.all([
    database().queryTogether<[pid: number, n: number]>(one, [1]),
    database().queryTogether<[pid: number, text: string]>(other, ['one']),
    database().queryTogether<[pid: number, n: number]>(one, [2]),
    database().queryTogether<[pid: number, text: string]>(other, ['two']),
  ]);
  expect([a, b, c, d].map(rows => rows[0]?.[1])).toEqual([1, 'one', 2, 'two']);
  const pids = [a, b, c, d].map(rows => rows[0]?.[0]);
  expect([pids[0], pids[2]]).toEqual([pids[1], pids[3]]);
  expect(new Set(pids).size).toBe(2);
});

test('one that fails fails alone, and its connection is of use afterwards', async () => {
  const round = (divisor: number) =>
    Promise.allSettled([
      database().queryTogether(one, [1]),
      database().queryTogether(division, [divisor]),
      database().queryTogether(other, ['x']),
    ]);
  for (let time = 0; time < 5; time++) {
    const ends = await round(0);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  }
  const ends = await round(2);
  expect(ends.map(end => (end.status === 'fulfilled' ? end.value[0]?.[1] : end.reason))).toEqual([1, 3, 'x']);
  expect(database().pool.idleCount).toBe(database().pool.totalCount);
});

test('where there is no connection each is told', async () => {
  const elsewhere = await database().reopen({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const ends = await Promise.allSettled([elsewhere.queryTogether(one, [1]), elsewhere.queryTogether(other, ['x'])]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await elsewhere.close();
});
