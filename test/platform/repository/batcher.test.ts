import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AsyncLocalStorage } from 'node:async_hooks';
import { batcher } from '../../../src/platform/repository/batcher.js';
import { Unavailable } from '../../../src/shared/errors.js';
import { rounds } from '../../support/rounds.js';

const lost = () => new Error('Connection terminated unexpectedly');

describe('a batcher', () => {
  test('sends the keys of one moment together, in their order, a key that is asked for twice twice', async () => {
    const batches: (readonly string[])[] = [];
    const load = batcher(async (keys: readonly string[]) => {
      batches.push(keys);
      return keys.map(key => `value of ${key}`);
    });
    expect(await Promise.all(['c', 'a', 'b', 'a'].map(load))).toEqual([
      'value of c',
      'value of a',
      'value of b',
      'value of a',
    ]);
    expect(batches).toEqual([['c', 'a', 'b', 'a']]);
  });

  test('remembers nothing: a later load reads again', async () => {
    let reads = 0;
    const load = batcher(async (keys: readonly string[]) => keys.map(() => (reads += 1)));
    expect([await load('a'), await load('a')]).toEqual([1, 2]);
  });

  test('collects what arrives while four batches are in flight, and sends it when the first of them is back', async () => {
    const { gate, batches, load } = gated();
    const answers: Promise<unknown>[] = [];
    for (const key of [1, 2, 3, 4]) {
      answers.push(load(key));
      await turn();
    }
    for (const key of [5, 6, 7, 8, 9]) {
      answers.push(load(key));
      await turn();
    }
    expect(batches).toEqual([[1], [2], [3], [4]]);
    gate[2]?.();
    await turn();
    expect(batches).toEqual([[1], [2], [3], [4], [5, 6, 7, 8, 9]]);
    for (const open of gate) open();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    [12, [12]],
    [13, [12, 1]],
    [40, [12, 12, 12, 4]],
    [100, [36, 24, 24, 16]],
    [250, [60, 60, 60, 60, 10]],
  ])('shares %i keys out among batches that are in flight together, in bundles of 12', async (count, expected) => {
    const sizes: number[] = [];
    const load = batcher(async (keys: readonly number[]) => {
      sizes.push(keys.length);
      return keys;
    });
    const keys = Array.from({ length: count }, (_, index) => index);
    expect(await Promise.all(keys.map(load))).toEqual(keys);
    expect(sizes).toEqual(expected);
  });

  test('takes turns with others: the first batches of all are sent before the second ones', async () => {
    const sent: string[] = [];
    const sending = (name: string) =>
      batcher(async (keys: readonly number[]) => {
        sent.push(`${name} ${keys.length}`);
        return keys;
      });
    const [accounts, pages] = [sending('accounts'), sending('pages')];
    const keys = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all([...keys.map(accounts), ...keys.slice(0, 20).map(pages)]);
    expect(sent).toEqual(['accounts 12', 'pages 12', 'accounts 12', 'pages 8', 'accounts 6']);
  });

  test('gives an error of one key to that key alone', async () => {
    const load = batcher(async (keys: readonly number[]) => keys.map(key => (key === 2 ? new Error('no 2') : key)));
    const results = await Promise.allSettled([1, 2, 3].map(load));
    expect(results.map(result => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
      1,
      'no 2',
      3,
    ]);
  });

  test('loads the keys one by one when their batch fails, so that only the bad one fails', async () => {
    const batches: (readonly number[])[] = [];
    const load = batcher(async (keys: readonly number[]) => {
      batches.push(keys);
      if (keys.includes(2)) throw Object.assign(new Error('value out of range'), { code: '22003' });
      return keys.map(() => null);
    });
    const results = await Promise.allSettled([1, 2, 3].map(load));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test.each([
    ['a lost connection', lost],
    ['a statement that took too long', () => Object.assign(new Error('canceling statement'), { code: '57014' })],
    ['a refusal', () => new Unavailable('Try again.')],
  ])('does not ask again after %s, which every key would meet', async (_what, error) => {
    let asked = 0;
    const load = batcher(async (): Promise<readonly number[]> => {
      asked += 1;
      throw error();
    });
    const results = await Promise.allSettled([1, 2, 3].map(load));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toBe(1);
  });

  test('stops asking one by one when the connection is lost meanwhile, and keeps what it has', async () => {
    const asked: (readonly number[])[] = [];
    const load = batcher(async (keys: readonly number[]) => {
      asked.push(keys);
      if (keys.length > 1) throw new Error('bad batch');
      if (keys[0] === 2) throw lost();
      return keys;
    });
    const results = await Promise.allSettled([1, 2, 3].map(load));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(asked).toEqual([[1, 2, 3], [1], [2]]);
  });

  test('tells a load that gives the wrong number of results, without quoting the keys', async () => {
    const load = batcher(async (): Promise<number[]> => []);
    await expect(load('secret')).rejects.toThrow('A batch of 1 keys was answered with 0 results.');
  });

  test('refuses keys beyond its queue, and takes new ones when the queue is shorter', async () => {
    const { gate, load } = gated({ inFlight: 1, waiting: 3 });
    const first = load(1);
    await turn();
    const waiting = [load(2), load(3), load(4)];
    await expect(load(5)).rejects.toThrow(Unavailable);
    gate[0]?.();
    await first;
    await turn();
    const later = load(6);
    await turn();
    gate[1]?.();
    await Promise.all(waiting);
    await turn();
    gate[2]?.();
    expect(await later).toBe(6);
  });

  test('goes on after failures: no place is lost', async () => {
    const load = batcher(async (keys: readonly number[]) => {
      if (keys.some(key => key < 0)) throw lost();
      return keys;
    });
    for (let round = 0; round < 20; round += 1) {
      await expect(load(-1)).rejects.toThrow('Connection terminated');
    }
    expect(await load(1)).toBe(1);
  });

  test('runs a batch outside of the request that came first, and answers each request inside its own', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const load = batcher(async (keys: readonly number[]) => {
      seen.push(request.getStore());
      return keys;
    });
    const after = await Promise.all(
      ['a', 'b'].map((name, index) => request.run(name, async () => [await load(index), request.getStore()])),
    );
    expect(seen).toEqual([undefined]);
    expect(after).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
  });
});

describe('whatever arrives whenever', () => {
  const arrival = fc.record({ key: fc.integer({ min: 0, max: 30 }), turnsBefore: fc.integer({ min: 0, max: 3 }) });
  const size = fc.integer({ min: 1, max: 5 });
  const limits = fc.record({ bundle: size, bundles: size, inFlight: size });
  const durations = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 10 });
  const badKeys = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 6 });

  test('every key gets its own answer, in batches of the right size, not too many at once, first come first served', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arrival, { maxLength: 80 }),
        limits,
        durations,
        badKeys,
        badKeys,
        async (arrivals, { bundle, bundles, inFlight }, turns, failing, poison) => {
          let running = 0;
          let batchNumber = 0;
          const order: number[] = [];
          const load = batcher(
            async (keys: readonly { key: number; position: number }[]) => {
              running += 1;
              expect(running).toBeLessThanOrEqual(inFlight);
              expect(keys.length).toBeLessThanOrEqual(bundle * bundles);
              for (let turnsLeft = turns[(batchNumber += 1) % turns.length] ?? 0; turnsLeft > 0; turnsLeft -= 1) {
                await turn();
              }
              running -= 1;
              order.push(...keys.map(({ position }) => position));
              if (keys.some(({ key }) => poison.includes(key))) throw new Error('poison');
              return keys.map(({ key, position }) =>
                failing.includes(key) ? new Error(`failed ${position}`) : `${key} at ${position}`,
              );
            },
            { bundle, bundles, inFlight },
          );

          const answers: Promise<string>[] = [];
          for (const [position, { key, turnsBefore }] of arrivals.entries()) {
            for (let turnsLeft = turnsBefore; turnsLeft > 0; turnsLeft -= 1) await turn();
            answers.push(load({ key, position }).catch((error: Error) => error.message));
          }
          const expected = arrivals.map(({ key }, position) =>
            poison.includes(key) ? 'poison' : failing.includes(key) ? `failed ${position}` : `${key} at ${position}`,
          );
          expect(await Promise.all(answers)).toEqual(expected);

          if (inFlight === 1 && poison.length === 0) expect(order).toEqual([...order].sort((a, b) => a - b));
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('a batch starts only after all earlier ones have started', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 60 }), limits, durations, async (arrivals, someLimits, turns) => {
        const started: number[] = [];
        let batchNumber = 0;
        const load = batcher(async (keys: readonly number[]) => {
          started.push(...keys);
          for (let turnsLeft = turns[(batchNumber += 1) % turns.length] ?? 0; turnsLeft > 0; turnsLeft -= 1) {
            await turn();
          }
          return keys;
        }, someLimits);
        const answers: Promise<number>[] = [];
        for (const [position, { turnsBefore }] of arrivals.entries()) {
          for (let turnsLeft = turnsBefore; turnsLeft > 0; turnsLeft -= 1) await turn();
          answers.push(load(position));
        }
        await Promise.all(answers);
        expect(started).toEqual(arrivals.map((_arrival, position) => position));
      }),
      { numRuns: rounds(200) },
    );
  });
});

/** A batcher whose batches come back when their gate is opened. */
function gated(limits = {}): {
  gate: (() => void)[];
  batches: (readonly number[])[];
  load: (key: number) => Promise<number>;
} {
  const gate: (() => void)[] = [];
  const batches: (readonly number[])[] = [];
  const load = batcher(async (keys: readonly number[]) => {
    batches.push(keys);
    const index = gate.length;
    await new Promise<void>(resolve => (gate[index] = resolve));
    return keys;
  }, limits);
  return { gate, batches, load };
}

/** Long enough for everything that is due, without waiting for a clock. */
async function turn(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
  await new Promise(resolve => setImmediate(resolve));
}
