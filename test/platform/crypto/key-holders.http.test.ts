import { afterEach, expect, jest, test } from '@jest/globals';
import { requireKeyEverywhere, tellKeys } from '../../../src/platform/crypto/key-holders.js';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';
import type { Database } from '../../../src/platform/database/orm.js';
import { openedDatabase } from '../../support/opened-database.js';
import { until } from '../../support/until.js';

const opened = openedDatabase(2);
const AGE = { name: 'test_age', text: 'SELECT extract(epoch FROM now() - seen_at)::int FROM key_holder' };

afterEach(() => void jest.useRealTimers());

async function ages(database: Database): Promise<number[]> {
  return (await database.query<[number]>(AGE)).map(([age]) => age);
}

test('a process that runs tells so again and again, also where it was forgotten while the database was away', async () => {
  const database = opened();
  const keys = KeyRing.parse(KeyRing.generate());
  // What waits for the database goes on by itself; only the heartbeat is ours to make.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'performance', 'Date'],
  });
  const leave = await tellKeys(database, keys, () => undefined);
  await database.query({ name: 'test_old', text: "UPDATE key_holder SET seen_at = now() - interval '1 hour'" });
  expect((await ages(database))[0]).toBeGreaterThan(3000);
  jest.advanceTimersByTime(20_000);
  await until(async () => (await ages(database))[0] === 0);

  await database.query({ name: 'test_gone', text: 'DELETE FROM key_holder' });
  jest.advanceTimersByTime(20_000);
  await until(async () => (await ages(database)).length === 1);
  await leave();
  expect(await ages(database)).toEqual([]);
});

test('of many processes that lack a key the first are named, and all are counted', async () => {
  const database = opened();
  const old = KeyRing.parse(KeyRing.generate());
  const leave = await Promise.all(Array.from({ length: 7 }, () => tellKeys(database, old, () => undefined)));
  const asked = requireKeyEverywhere(database, KeyRing.parse(KeyRing.generate()));
  await expect(asked).rejects.toThrow(
    /^7 running processes lack the key k\w+: ([^,]+ process \d+(, )?){5} and others\. They/,
  );
  await expect(requireKeyEverywhere(database, old)).resolves.toBeUndefined();
  for (const done of leave) await done();
});
