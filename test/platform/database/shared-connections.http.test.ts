import { setTimeout as sleepMs } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { openedDatabase } from '../../support/opened-database.js';
import { directly } from '../../support/postgres.js';
import { until } from '../../support/until.js';

// The tests tell connections apart by their sessions, which a pooler shares out.
const database = openedDatabase(3, directly);

const one = statementOf('select pg_backend_pid(), $1::int4');
const other = statementOf('select pg_backend_pid(), $1::text');
const sleep = statementOf('select pg_backend_pid(), pg_sleep($1::float8)');
const division = statementOf('select pg_backend_pid(), 6 / $1::int4');

test('statements share a connection, whether asked for at the same moment or while it is at work', async () => {
  // With a connection that is there already, as to open one takes its time.
  await database().queryTogether(one, [0]);
  // On a busy machine the last one may come so late that it gets another connection, but not each time.
  await until(async () => {
    const first = [
      database().queryTogether<[pid: number, n: number]>(one, [1]),
      database().queryTogether<[pid: number, text: string]>(other, ['one']),
      database().queryTogether<[pid: number, n: number]>(one, [2]),
    ];
    await new Promise(setImmediate);
    const last = database().queryTogether<[pid: number, text: string]>(other, ['two']);
    const answers = await Promise.all([...first, last]);
    expect(answers.map(rows => rows[0]?.[1])).toEqual([1, 'one', 2, 'two']);
    return new Set(answers.map(rows => rows[0]?.[0])).size === 1;
  });
});

test('nobody follows a statement that is not answered', async () => {
  let isAwake = false;
  const asleep = database().queryTogether<[pid: number]>(sleep, [1]);
  const awake = asleep.then(() => (isAwake = true));
  await sleepMs(200);
  const others = await Promise.all([1, 2, 3].map(n => database().queryTogether<[pid: number]>(one, [n])));
  expect(isAwake).toBe(false);
  await awake;
  const [sleeper, ...pids] = [await asleep, ...others].map(rows => rows[0]?.[0]);
  expect(new Set(pids).size).toBe(1);
  expect(pids).not.toContain(sleeper);
  expect(database().pool.idleCount).toBe(database().pool.totalCount);
});

test('a connection that may not be whole answers what waits for it, and nothing else', async () => {
  const broken = database().queryTogether(statementOf('select nothing from nowhere'), []);
  const behind = database().queryTogether<[pid: number]>(sleep, [0.2]);
  await expect(broken).rejects.toThrow('nowhere');
  const [meanwhile] = await database().queryTogether<[pid: number]>(one, [1]);
  const [answer] = await behind;
  const [after] = await database().queryTogether<[pid: number]>(one, [2]);
  expect(meanwhile?.[0]).not.toBe(answer?.[0]);
  expect(after?.[0]).not.toBe(answer?.[0]);
});

test('a connection that is lost fails what waits for it, and the next statement has another', async () => {
  const asleep = database().queryTogether(sleep, [60]);
  const behind = database().queryTogether(one, [1]);
  const ends = Promise.allSettled([asleep, behind]);
  const terminate = statementOf(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
  );
  await sleepMs(200);
  const terminated = await database().query(terminate);
  expect(terminated).toEqual([[true]]);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await database().queryTogether<[number, number]>(one, [2])).toEqual([[expect.any(Number), 2]]);
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
