import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sharerOf, type Identity } from '../../shared/caller.js';
import { queueOf } from './rate-limited.js';

/** After something was read, the queue rests this many times as long, so that others have the process meanwhile. */
const REST = 3;

/** A program has at most half of the queue, and a client a tenth. */
const waiting = queueOf({ most: 1_000, parts: [1, 1 / 9] });

/**
 * Waits for the turn to read something large, such as a new document or a large body, which holds up the whole process.
 * What follows must be read before the event loop continues. Clients take turns, and all of them together have a
 * quarter of the process at most. Throws `RateLimited` when too much waits already.
 */
export function turnToRead(caller: Identity): Promise<void> {
  return turnOf(caller, false);
}

/** Waits for the turn to make the next part of a long answer. It has begun, so it is never refused. */
export function turnToGoOn(caller: Identity): Promise<void> {
  return turnOf(caller, true);
}

function turnOf(caller: Identity, hasBegun: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const read = async (): Promise<void> => {
      resolve();
      const startedMs = performance.now();
      await nextTurn();
      await sleep(REST * (performance.now() - startedMs));
    };
    waiting.run(sharerOf(caller), read, hasBegun).catch(reject);
  });
}
