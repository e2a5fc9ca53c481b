import { CommanderError } from 'commander';
import { isConnectionLost } from '../database/pg-errors.js';
import { redactText } from '../logging/redact-text.js';
import { UsageError } from './usage-error.js';

/** How a command that threw ends. */
export interface Failure {
  readonly status: number;
  /** What to tell on standard error; null where it was told already. */
  readonly message: string | null;
  /** Nobody foresaw it, so whoever looks into it needs the stack. */
  readonly unexpected: boolean;
}

/** Wrong usage, and settings with which no server lets us in. */
const STATUS_USAGE = 2;
const STATUS_FAILED = 1;

export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { status: error.exitCode === 0 ? 0 : STATUS_USAGE, message: null, unexpected: false };
  }
  if (error instanceof UsageError) return { status: STATUS_USAGE, message: error.message, unexpected: false };
  const { code } = error as { code?: unknown };
  const state = typeof code === 'string' ? code : '';
  if (/^28...$|^3D000$/.test(state)) {
    const message = `DATABASE_URL: the server does not let us in (SQLSTATE ${state}). Check user, password and database.`;
    return { status: STATUS_USAGE, message, unexpected: false };
  }
  if (isConnectionLost(error)) {
    const reason = state === '' ? '' : ` (${state})`;
    return {
      status: STATUS_FAILED,
      message: `The database cannot be reached, or it went away${reason}.`,
      unexpected: false,
    };
  }
  // A plain Error, or a class of ours that extends it, was written to be read; those of the platform tell of a mistake in the code.
  const written =
    error instanceof Error && state === '' && !(error instanceof TypeError || error instanceof RangeError);
  return {
    status: STATUS_FAILED,
    message: written ? redactText(error.message) : 'Something broke inside.',
    unexpected: !written,
  };
}
