import { expect, test } from '@jest/globals';
import { Backlog, type BacklogOptions } from '../backlog.js';

/** A backlog that does what it is told, and what became of its items. */
function given(changes: Partial<BacklogOptions<number>> = {}) {
  const done: number[][] = [];
  const lost: number[] = [];
  const backlog = new Backlog<number>({
    most: 10,
    batch: 3,
    gatherMs: 1,
    retryMs: 1,
    work: async items => void done.push([...items]),
    passes: () => false,
    lost: count => void lost.push(count),
    ...changes,
  });
  const add = (...items: number[]) => items.forEach(item => backlog.add(item));
  return { backlog, done, lost, add };
}

test('what comes together is done in batches, in its order', async () => {
  const { backlog, done, add } = given();
  add(1, 2, 3, 4, 5, 6, 7);
  await backlog.settled();
  expect(done).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  add(8);
  await backlog.settled();
  expect(done.at(-1)).toEqual([8]);
});

test('more than may wait is lost, and told of', async () => {
  const { backlog, done, lost, add } = given({ most: 2 });
  add(1, 2, 3, 4);
  await backlog.settled();
  expect([done, lost]).toEqual([[[1, 2]], [1, 1]]);
});

test('a failure that passes is tried again, any other loses its batch and no other', async () => {
  const failures = ['passes', 'passes', 'stays'];
  const done: number[][] = [];
  const { backlog, lost, add } = given({
    work: async items => {
      const failure = failures.shift();
      if (failure) throw new Error(failure);
      done.push([...items]);
    },
    passes: error => (error as Error).message === 'passes',
  });
  add(1, 2, 3, 4);
  await backlog.settled();
  expect([done, lost]).toEqual([[[4]], [3]]);
});

test('closing does at once what waits for others', async () => {
  const { backlog, done, lost, add } = given({ gatherMs: 3_600_000 });
  add(1);
  await backlog.close(60_000);
  expect([done, lost]).toEqual([[[1]], []]);
});

test('closing ends in time, and what could not be done is lost', async () => {
  const { backlog, lost, add } = given({
    work: () => Promise.reject(new Error('away')),
    passes: () => true,
  });
  add(1, 2);
  await backlog.close(20);
  expect(lost).toEqual([2]);
});
