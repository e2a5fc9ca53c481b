import { expect, test } from '@jest/globals';
import { RateLimited } from '../../../src/platform/rate/rate.errors.js';
import { VerificationTurns } from '../../../src/platform/rate/verification-turns.js';

/** Work that lets others run in between, and notes how much of it ran at once. */
function noted() {
  const seen = { order: [] as string[], most: 0 };
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    seen.most = Math.max(seen.most, running);
    await new Promise(resolve => setImmediate(resolve));
    seen.order.push(name);
    running -= 1;
    return name;
  };
  return { seen, work };
}

test('one runs at a time, and addresses take turns whatever each of them sends', async () => {
  const turns = new VerificationTurns();
  const { seen, work } = noted();
  const asked = [
    ...['a1', 'a2', 'a3', 'a4'].map(name => turns.take('a', work(name))),
    ...['b1', 'b2'].map(name => turns.take('b', work(name))),
    turns.take('c', work('c1')),
  ];
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  expect(seen.order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(seen.most).toBe(1);
});

test('what fails is the failure of who asked, and the next one has its turn', async () => {
  const turns = new VerificationTurns();
  const { work } = noted();
  const failing = turns.take('a', () => Promise.reject(new Error('bad')));
  const next = turns.take('a', work('good'));
  await expect(failing).rejects.toThrow('bad');
  expect(await next).toBe('good');
  expect(await turns.take('a', work('later'))).toBe('later');
});

test('the queue of an address has an end, and leaves room for others', async () => {
  const turns = new VerificationTurns();
  const { work } = noted();
  const asked = Array.from({ length: 150 }, () => turns.take('a', work('a')));
  const other = turns.take('b', work('b'));
  expect(await other).toBe('b');
  const results = await Promise.allSettled(asked);
  const refused = results.filter(result => result.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(RateLimited);
  expect(results.length - refused.length).toBeGreaterThanOrEqual(100);
});
