import { statementOf } from '../../lib/pg-wire/statement.js';
import type { SignInWay } from './session.entity.js';

export const IDLE_MINUTES = 30;
export const LONGEST_HOURS = 12;
/** The oldest one ends when a person begins one more. */
export const MAX_SESSIONS_OF_PERSON = 10;
/** How often the use of a session is written. */
const SEEN_EVERY_SECONDS = 60;
/** How many of a program are listed at most. */
export const MAX_LISTED = 1000;
/** How long the row of a session that is over is kept. */
const KEPT_DAYS = 1;

const IDLE_UNTIL = `least(ends_at, last_seen_at + interval '${IDLE_MINUTES} minutes')`;
const IS_OPEN = `ended_at IS NULL AND ${IDLE_UNTIL} > now()`;
const COLUMNS = `session_id, program, subject, roles, sign_in, sealed, ends_at, ${IDLE_UNTIL},
  last_seen_at < now() - interval '${SEEN_EVERY_SECONDS} seconds'`;

export type SessionRow = [
  sessionId: string,
  program: string,
  subject: string,
  roles: string[],
  signIn: SignInWay,
  sealed: Buffer,
  endsAt: string,
  idleUntil: string,
  /** Whether its use has not been written for a while. */
  isStale: boolean,
];

/** By the hash of the secret. */
export const FIND = statementOf(`SELECT ${COLUMNS} FROM console_session WHERE secret_hash = $1 AND ${IS_OPEN}`);

export const SEE = statementOf(
  `UPDATE console_session SET last_seen_at = now() WHERE session_id = $1 AND ${IS_OPEN} RETURNING ${COLUMNS}`,
);

export const BEGIN = statementOf(
  `WITH surplus AS (UPDATE console_session SET ended_at = now() WHERE session_id IN (
      SELECT session_id FROM console_session WHERE program = $3 AND subject = $4 AND ended_at IS NULL
      ORDER BY created_at DESC, session_id OFFSET ${MAX_SESSIONS_OF_PERSON - 1}))
   INSERT INTO console_session (session_id, secret_hash, program, subject, roles, sign_in, sealed, created_at, last_seen_at, ends_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now(), now() + interval '${LONGEST_HOURS} hours') RETURNING ${COLUMNS}`,
);

/** Sessions by their ids, or null; or those of a subject, of one program or, with null, of all. */
export const END = statementOf(
  `UPDATE console_session SET ended_at = now()
   WHERE (session_id = $1 OR subject = $2 AND program = coalesce($3, program)) AND ${IS_OPEN}
   RETURNING session_id, program, subject`,
);

export const OPEN_AMONG = statementOf(
  `SELECT session_id FROM console_session WHERE session_id = ANY($1::uuid[]) AND ${IS_OPEN}`,
);

export const LIST = statementOf(
  `SELECT session_id, program, subject, roles, sign_in, created_at, last_seen_at, ${IDLE_UNTIL}, ends_at
   FROM console_session WHERE program = coalesce($1, program) AND ${IS_OPEN}
   ORDER BY created_at DESC, session_id LIMIT ${MAX_LISTED}`,
);

export const SWEEP = statementOf(
  `WITH over AS (
      SELECT session_id FROM console_session WHERE ends_at < now() - interval '${KEPT_DAYS} days'
      ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), deleted AS (DELETE FROM console_session s USING over o WHERE s.session_id = o.session_id RETURNING 1)
    SELECT count(*)::int FROM deleted`,
);
