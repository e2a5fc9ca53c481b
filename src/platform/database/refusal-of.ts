import { Refusal, Unavailable } from '../../shared/errors.js';
import { isConnectionLost, isLockTimeout, isRetryable, isStatementCancelled } from '../../../lib/pg-wire/pg-errors.js';

/** The refusal that an error means to a client, if it means one: its own, or that the database is busy or away for a moment. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const passing = isConnectionLost(error) || isLockTimeout(error) || isRetryable(error) || isStatementCancelled(error);
  return passing
    ? new Unavailable('The database is busy or cannot be reached. Try again with the same idempotency key.', {
        cause: error,
      })
    : undefined;
}
