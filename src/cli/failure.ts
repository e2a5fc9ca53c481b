import { CommanderError } from 'commander';
import { BadSettings } from '../platform/settings/settings.js';
import { WorkersFailed } from '../platform/workers/workers-failed.js';
import { Refusal } from '../shared/errors.js';
import { isConnectionLost, isReadOnly } from '../../lib/pg-wire/pg-errors.js';
import { redactText } from '../../lib/redact/redact-text.js';
import { UnfitDatabase } from '../platform/database/unfit-database.js';
import { UsageError } from '../shared/usage-error.js';

/** The end of a command that threw. */
export interface Failure {
  readonly status: number;
  /** The stable code of what went wrong, for a program. */
  readonly code: string;
  /** The message for standard error; null where it was told already. */
  readonly message: string | null;
  /** An unexpected failure: its stack is logged. */
  readonly unexpected?: boolean;
}

/** Wrong usage, and settings with which no server lets us in. */
const STATUS_USAGE = 2;
const STATUS_FAILED = 1;

/** The reasons of the system, in words for a person. */
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'it is on a file system that cannot be written',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'another file has this name',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process listens on PORT (EADDRINUSE). Stop it, set another PORT, or set PORT=0 for a free one.',
  EADDRNOTAVAIL:
    'This machine does not have the address in HOST (EADDRNOTAVAIL). Set an address of this machine, such as 127.0.0.1.',
  EACCES: 'This user may not listen on PORT (EACCES). Set PORT to 1024 or higher.',
};

/** The reasons of PostgreSQL for which a command can succeed later, in words for a person. */
const DATABASE_REASONS: Readonly<Record<string, string>> = {
  '57014': 'a statement took longer than the limit of time, or somebody cancelled it',
  '55P03': 'another session held a lock for too long',
  '40001': 'other transactions were in its way again and again',
  '40P01': 'other transactions were in its way again and again',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
};

export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { status: error.exitCode === 0 ? 0 : STATUS_USAGE, code: 'wrong_usage', message: null };
  }
  if (error instanceof UsageError) return { status: STATUS_USAGE, code: 'wrong_usage', message: error.message };
  // The process that could not start has said why.
  if (error instanceof WorkersFailed) return { status: error.status, code: 'workers_failed', message: null };
  if (error instanceof BadSettings || error instanceof UnfitDatabase) {
    return { status: STATUS_USAGE, code: 'bad_settings', message: error.message };
  }
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const state = typeof code === 'string' ? code : '';
  return databaseFailure(error, state) ?? systemFailure(state, path, syscall) ?? otherFailure(error, state);
}

function databaseFailure(error: unknown, state: string): Failure | null {
  if (/^28...$|^3D000$/.test(state)) {
    const message = `The PostgreSQL server in DATABASE_URL refused the connection (SQLSTATE ${state}). Check user, password and database.`;
    return { status: STATUS_USAGE, code: 'database_refused', message };
  }
  if (state === '42501') {
    const message =
      'The role in DATABASE_URL lacks a right in the database (SQLSTATE 42501). Migrations and grants need the owner of the tables; tillgate grants --role NAME --apply gives another role what it needs to serve.';
    return { status: STATUS_USAGE, code: 'database_refused', message };
  }
  if (isReadOnly(error)) {
    const message =
      'The PostgreSQL server in DATABASE_URL takes no writes: it is a standby, or read-only. Promote it, set the address of the primary, or set all hosts with target_session_attrs=read-write.';
    return { status: STATUS_FAILED, code: 'database_read_only', message };
  }
  const reason = DATABASE_REASONS[state];
  if (reason !== undefined) {
    const message = `The PostgreSQL server did not carry out the command: ${reason} (SQLSTATE ${state}). Look what else it does, and run the command again.`;
    return { status: STATUS_FAILED, code: 'database_busy', message };
  }
  if (!isConnectionLost(error)) return null;
  const shownState = state === '' ? '' : ` (${state})`;
  const message = `The database cannot be reached, or the connection was lost${shownState}. Check that it runs and that DATABASE_URL is right, and try again.`;
  return { status: STATUS_FAILED, code: 'database_unreachable', message };
}

function systemFailure(state: string, path: string | undefined, syscall: string | undefined): Failure | null {
  // Where a primary listens for its workers, these are told of the step that failed.
  const listening = syscall === 'listen' || syscall === 'bind' ? LISTEN_REASONS[state] : undefined;
  const refused = path === undefined ? undefined : SYSTEM_REASONS[state];
  const message = listening ?? (refused && `${path} cannot be used: ${refused} (${state}).`);
  return message === undefined ? null : { status: STATUS_FAILED, code: 'system_refused', message };
}

function otherFailure(error: unknown, state: string): Failure {
  if (error instanceof Refusal) return { status: STATUS_FAILED, code: error.code, message: redactText(error.message) };
  // A plain Error, or a class of ours that extends it, was written to be read; those of the platform tell of a mistake
  // in the code.
  const written =
    error instanceof Error && state === '' && !(error instanceof TypeError || error instanceof RangeError);
  return written
    ? { status: STATUS_FAILED, code: 'failed', message: redactText(error.message) }
    : {
        status: STATUS_FAILED,
        code: 'internal_error',
        message: 'The command failed because of an internal error.',
        unexpected: true,
      };
}
