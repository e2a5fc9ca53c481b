import { setTimeout as sleep } from 'node:timers/promises';
import {
  isConnectionLost,
  isLockTimeout,
  isReadOnly,
  isRetryable,
  isStatementCancelled,
} from '../../../lib/pg-wire/pg-errors.js';
import { CommitUnknown } from './outgoing.js';
import { Refusal, Unavailable } from '../../shared/errors.js';

/** At most so many attempts, with random pauses between them that grow by so much with each. */
export interface Attempts {
  readonly most: number;
  readonly pauseMs: number;
}

/** Runs work, and again from the start after errors for which `passes` is true. */
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

/** The refusal that an error means to a client, if any: its own, or that the database is busy or away for a moment. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const isAway = isConnectionLost(error) || isReadOnly(error) || error instanceof CommitUnknown;
  const passes = isAway || isLockTimeout(error) || isRetryable(error) || isStatementCancelled(error);
  if (!passes) return undefined;
  const advice = 'The database is busy or cannot be reached. Try again with the same idempotency key.';
  return new Unavailable(advice, { cause: error });
}
