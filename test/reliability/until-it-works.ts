import { setTimeout as sleep } from 'node:timers/promises';

/** As long as other waits of tests. */
const BACK_WITHIN_MS = 300_000;
const POLL_MS = 50;

/** Repeats what fails while a server is away. */
export async function untilItWorks<Result>(work: () => Promise<Result>): Promise<Result> {
  const giveUpAt = Date.now() + BACK_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(POLL_MS);
    }
  }
}
