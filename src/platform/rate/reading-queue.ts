import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sharerOf, type Identity } from '../../shared/caller.js';
import { hasSeveralClients } from '../overload/overload.js';
import { queueOf } from './rate-limited.js';

/** After something was read, a queue rests this many times as long while several clients are here. */
const REST = 3;

/** A program has at most half of a queue, and a client a tenth. */
const SHARES = { most: 1_000, parts: [1, 1 / 9] };
const reading = queueOf(SHARES);
const going = queueOf(SHARES);

/**
 * Waits for the turn to read something large, such as a new document or a large body, which holds up the whole process.
 * The caller must read it before the event loop continues. Clients take turns, and while there are several, all of
 * them together have a quarter of the process at most. Throws `RateLimited` when too much waits already.
 */
export function turnToRead(caller: Identity): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = async (): Promise<void> => {
      resolve();
      await rest();
    };
    reading.run(sharerOf(caller), read).catch(reject);
  });
}

/**
 * Asks the database for the next part of a long answer, and gives it. While several clients are here, long answers take
 * turns, and have one connection together. Such an answer has begun, so it is never refused.
 */
export function nextPart<Part>(caller: Identity, ask: () => Promise<Part>): Promise<Part> {
  if (!hasSeveralClients()) return ask();
  return new Promise((resolve, reject) => {
    const next = async (): Promise<void> => {
      await ask().then(resolve, reject);
      await rest();
    };
    going.run(sharerOf(caller), next, true).catch(reject);
  });
}

/** Waits until what was given has been worked on, and then for the time that others are due. */
async function rest(): Promise<void> {
  const startedMs = performance.now();
  await nextTurn();
  if (hasSeveralClients()) await sleep(REST * (performance.now() - startedMs));
}
