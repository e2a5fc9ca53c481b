import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;
/** Less than a test has, so that the error tells which of its waits was in vain. */
const WITHIN_MS = 300_000;

/** Resolves once it holds. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = WITHIN_MS): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('What a test waited for did not happen in time.');
    await sleep(POLL_MS);
  }
}
