import { setTimeout as sleep } from 'node:timers/promises';

/** How work is begun again: at most so many times in all, and after random pauses that grow by so much with each. */
export interface Attempts {
  readonly most: number;
  readonly pauseMs: number;
}

/** Runs work, and again from the start while it throws what passes. */
export async function attempt<Result>(
  { most, pauseMs }: Attempts,
  passes: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await work();
    } catch (error) {
      if (count === most || !passes(error)) throw error;
      await sleep(Math.random() * pauseMs * count);
    }
  }
}
