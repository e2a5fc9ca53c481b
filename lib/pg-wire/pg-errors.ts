/**
 * The meanings of database errors. Each question takes an error of `pg`, of MikroORM (which copies the fields of the
 * driver's error), or an error with one of those as its cause.
 */

/** Operator intervention (the server goes down or starts), too many connections, idle sessions that were ended. */
const LOST_STATES = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03']);

const LOST_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTCONN',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** `pg` gives no code with these. */
const LOST_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];

/**
 * The server or a pooler ended the session, whatever it says besides: internal errors, resources, operators, its
 * system.
 */
const ENDS_SESSION = /^(XX|53|57|58)...$/;
const FATAL = ['FATAL', 'PANIC'];

/**
 * The beginnings of what Citus says, as an internal error (XX000), when its own server ends meanwhile, and when it
 * loses a node in the middle of a transaction.
 */
const LOST_ON_CITUS = ['postmaster was shut down, exiting', 'failure on connection marked as essential'];

/** The database could not be reached, or went away: nothing is wrong with the request, and later it may succeed. */
export function isConnectionLost(error: unknown): boolean {
  return some(error, ({ code, message, severity }) => {
    if (typeof code === 'string' && ENDS_SESSION.test(code) && FATAL.includes(String(severity))) return true;
    if (code === 'XX000') return LOST_ON_CITUS.some(beginning => String(message).startsWith(beginning));
    if (typeof code === 'string') return LOST_STATES.has(code) || LOST_SYSTEM_CODES.has(code) || /^08...$/.test(code);
    return typeof message === 'string' && LOST_MESSAGES.some(part => message.includes(part));
  });
}

/** Two transactions were in conflict (serialization failure, deadlock): the same one can succeed if it is run again. */
export function isRetryable(error: unknown): boolean {
  return sqlStateIs(error, '40001', '40P01');
}

/** SQLSTATE of a write where nothing may be written. */
export const READ_ONLY_STATE = '25006';

/** The server takes no writes: it is a standby, or its sessions are read-only. Its successor may take this one. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateIs(error, READ_ONLY_STATE);
}

/** True if the request needs another state of the object. */
export function isWrongState(error: unknown): boolean {
  return sqlStateIs(error, '55000');
}

/** A lock was not free within `lock_timeout`, or not at once where the statement said NOWAIT. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateIs(error, '55P03');
}

/** Another row has this key already: somebody else was faster. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlStateIs(error, '23505');
}

/** The statement took longer than `statement_timeout`, or somebody cancelled it. */
export function isStatementCancelled(error: unknown): boolean {
  return sqlStateIs(error, '57014');
}

/**
 * True if a connection can be used again after this error: the data was refused or the statement ended early, and the
 * session is as before. After anything else, for example a prepared statement whose result has changed by a migration,
 * a new one is safer.
 */
export function leavesConnectionIntact(error: unknown): boolean {
  return some(error, ({ code }) => typeof code === 'string' && (/^(22|23|40|55)...$/.test(code) || code === '57014'));
}

interface ErrorFields {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly severity?: unknown;
  readonly cause?: unknown;
}

const MAX_CAUSES = 5;

function sqlStateIs(error: unknown, ...states: readonly string[]): boolean {
  return some(error, ({ code }) => typeof code === 'string' && states.includes(code));
}

function some(error: unknown, test: (fields: ErrorFields) => boolean): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    const fields: ErrorFields = current;
    if (test(fields)) return true;
    current = fields.cause;
  }
  return false;
}
