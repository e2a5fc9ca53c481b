import { expect, test } from '@jest/globals';
import { FairQueue } from '../fair-queue.js';

const LIMITS = { places: { most: 1_000, parts: [1, 1 / 9] }, full: () => new RangeError('full') };

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

test('one runs at a time, and keys are served in turn however much waits under each', async () => {
  const queue = new FairQueue(LIMITS);
  const { seen, work } = noted();
  const asked = [
    ...['a1', 'a2', 'a3', 'a4'].map(name => queue.run(['a', 'client'], work(name))),
    ...['b1', 'b2'].map(name => queue.run(['b', 'client'], work(name))),
    queue.run(['c', 'client'], work('c1')),
  ];
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  expect(seen.order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(seen.most).toBe(1);
});

test('what fails is the failure of who asked, and the next one has its turn', async () => {
  const queue = new FairQueue(LIMITS);
  const { work } = noted();
  const failing = queue.run(['a', 'client'], () => Promise.reject(new Error('bad')));
  const next = queue.run(['a', 'client'], work('good'));
  await expect(failing).rejects.toThrow('bad');
  expect(await next).toBe('good');
  expect(await queue.run(['a', 'client'], work('later'))).toBe('later');
});

test('the queue of an address has an end, and leaves room for others', async () => {
  const queue = new FairQueue(LIMITS);
  const { work } = noted();
  const asked = Array.from({ length: 150 }, () => queue.run(['a', 'client'], work('a')));
  const other = queue.run(['b', 'client'], work('b'));
  expect(await other).toBe('b');
  const results = await Promise.allSettled(asked);
  const refused = results.filter(result => result.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(RangeError);
  expect(results.length - refused.length).toBeGreaterThanOrEqual(100);
});

test('programs take turns first, and then their clients, however many clients a program has', async () => {
  const queue = new FairQueue(LIMITS);
  const { seen, work } = noted();
  const asked = [
    ...['1', '2', '3', '4'].map(client => queue.run(['many', client], work(`many ${client}`))),
    queue.run(['many', '1'], work('many 1 again')),
    queue.run(['one', '1'], work('one 1')),
    queue.run(['one', '1'], work('one 1 again')),
  ];
  await Promise.all(asked);
  expect(seen.order).toEqual(['many 1', 'many 2', 'one 1', 'many 3', 'one 1 again', 'many 4', 'many 1 again']);
});
