import { statementOf } from '../../lib/pg-wire/statement.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { Asking } from '../platform/database/transaction.js';
import { BatchedRepository } from '../platform/repository/batched-repository.js';
import { sealIdentity } from '../platform/repository/declarations.js';
import { ConsoleSession, type PersonOfSession } from './session.entity.js';

export const IDLE_MINUTES = 30;
export const LONGEST_HOURS = 12;
/** The oldest one ends when a person begins one more. */
export const MAX_SESSIONS_OF_PERSON = 10;
/** How often the use of a session is written. */
const SEEN_EVERY_SECONDS = 60;
/** About how many people with open streams the provider is asked at once. */
const MAX_ASKED_AT_ONCE = 20;
/** How many of a program are listed at most. */
export const MAX_LISTED = 1000;
/** How long the row of a session that is over is kept. */
const KEPT_DAYS = 1;

const IDLE_UNTIL = `least(ends_at, last_seen_at + interval '${IDLE_MINUTES} minutes')`;
const IS_OPEN = `ended_at IS NULL AND ${IDLE_UNTIL} > now()`;
const IS_STALE = `last_seen_at < now() - interval '${SEEN_EVERY_SECONDS} seconds'`;

/** How long ago the provider was asked, and when it confirmed, in seconds. */
const AGES = `extract(epoch FROM now() - asked_at)::float8, extract(epoch FROM now() - confirmed_at)::float8`;

// One of several requests, in whatever process, asks the provider: a refresh token may be used once.
const CLAIM = statementOf(
  `UPDATE console_session SET asked_at = now()
   WHERE session_id = $1 AND ${IS_OPEN} AND asked_at < now() - $2 * interval '1 second' RETURNING session_id`,
);

const CONFIRM = statementOf(`UPDATE console_session SET confirmed_at = now(), sealed = $2 WHERE session_id = $1`);

const END = statementOf(
  `UPDATE console_session SET ended_at = now()
   WHERE (session_id = $1 OR subject = $2 AND program = coalesce($3, program)) AND ${IS_OPEN}
   RETURNING session_id, program, subject`,
);

const OPEN_AMONG = statementOf(
  `SELECT session_id FROM console_session WHERE session_id = ANY($1::uuid[]) AND ${IS_OPEN}`,
);

const SWEEP = statementOf(
  `WITH over AS (
      SELECT session_id FROM console_session WHERE ends_at < now() - interval '${KEPT_DAYS} days'
      ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), deleted AS (DELETE FROM console_session s USING over o WHERE s.session_id = o.session_id RETURNING 1)
    SELECT count(*)::int FROM deleted`,
);

/** A session as it is read. Who the person is, is opened when it is looked at. */
export type SessionRead = Readonly<
  Pick<ConsoleSession, 'sessionId' | 'program' | 'subject' | 'roles' | 'signIn'> &
    Record<'createdAt' | 'lastSeenAt' | 'endsAt', string>
> & { readonly person: PersonOfSession };

/** A session that is not over. */
export interface OpenSession {
  readonly session: SessionRead;
  readonly idleUntil: string;
  /** Whether its use has not been written for a while. */
  readonly isStale: boolean;
  /** How long ago the provider was asked about the person, and confirmed the roles. */
  readonly askedSeconds: number;
  readonly confirmedSeconds: number;
}

export type NewSession = Readonly<
  Pick<ConsoleSession, 'sessionId' | 'secretHash' | 'program' | 'subject' | 'roles' | 'signIn'>
> & { readonly person: PersonOfSession };

/** Whose session ended. */
export type EndedSession = Pick<SessionRead, 'sessionId' | 'program' | 'subject'>;

export class SessionRepository extends BatchedRepository<ConsoleSession, SessionRead> {
  private readonly all = `${this.columns('s')}, ${IDLE_UNTIL}, ${IS_STALE}, ${AGES}`;
  private readonly finding = statementOf(
    `SELECT ${this.all} FROM console_session s WHERE secret_hash = $1 AND ${IS_OPEN}`,
  );
  private readonly beingDue = statementOf(
    `SELECT ${this.all} FROM console_session s WHERE session_id = ANY($1::uuid[]) AND sign_in = 'oidc' AND ${IS_OPEN}
       AND asked_at < now() - $2 * interval '1 second' ORDER BY asked_at LIMIT ${MAX_ASKED_AT_ONCE}`,
  );
  private readonly seeing = statementOf(
    `UPDATE console_session s SET last_seen_at = now() WHERE session_id = $1 AND ${IS_OPEN} RETURNING ${this.all}`,
  );
  private readonly beginning = statementOf(
    `WITH surplus AS (UPDATE console_session SET ended_at = now() WHERE session_id IN (
        SELECT session_id FROM console_session WHERE program = $3 AND subject = $4 AND ended_at IS NULL
        ORDER BY created_at DESC, session_id OFFSET ${MAX_SESSIONS_OF_PERSON - 1}))
     INSERT INTO console_session AS s
       (session_id, secret_hash, program, subject, roles, sign_in, sealed, created_at, last_seen_at, ends_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now(), now() + interval '${LONGEST_HOURS} hours') RETURNING ${this.all}`,
  );
  private readonly listing = statementOf(
    `SELECT ${this.columns('s', 'false')}, ${IDLE_UNTIL}, ${IS_STALE}, ${AGES} FROM console_session s
     WHERE program = coalesce($1, program) AND ${IS_OPEN} ORDER BY created_at DESC, session_id LIMIT ${MAX_LISTED}`,
  );

  constructor(
    database: Database,
    private readonly keys: KeyRing,
  ) {
    super(database, ConsoleSession, keys);
  }

  /** Begins a session. The oldest ones of the person end where there are too many. */
  async signIn(transaction: Asking, { sessionId, secretHash, person, ...session }: NewSession): Promise<OpenSession> {
    const { program, subject, roles, signIn } = session;
    const sealed = this.keys.seal(sealIdentity('console_session', [sessionId]), person);
    const values = [sessionId, secretHash, program, subject, [...roles], signIn, sealed];
    const [row] = await transaction.query<unknown[]>(this.beginning, values);
    return this.openOf(row as unknown[]);
  }

  /** By the hash of the secret; null for one that is over. */
  async find(secretHash: Buffer): Promise<OpenSession | null> {
    const [row] = await this.database.query<unknown[]>(this.finding, [secretHash]);
    return row ? this.openOf(row) : null;
  }

  /** Writes that a session is used. Null for one that is over. */
  async see(sessionId: string): Promise<OpenSession | null> {
    const [row] = await this.database.query<unknown[]>(this.seeing, [sessionId]);
    return row ? this.openOf(row) : null;
  }

  /** Those of the open sessions about which nobody has asked for so many seconds, the longest first. */
  async dueAmong(sessionIds: readonly string[], afterSeconds: number): Promise<OpenSession[]> {
    const rows = await this.database.query<unknown[]>(this.beingDue, [sessionIds, afterSeconds]);
    return rows.map(row => this.openOf(row));
  }

  /** Whether the caller is the one that asks the provider now, since nobody has for so many seconds. */
  async claim(sessionId: string, afterSeconds: number): Promise<boolean> {
    return (await this.database.query<[string]>(CLAIM, [sessionId, afterSeconds])).length > 0;
  }

  /** Writes that the provider has confirmed the roles, and what it is asked with the next time. */
  async confirm(sessionId: string, person: PersonOfSession): Promise<void> {
    const sealed = this.keys.seal(sealIdentity('console_session', [sessionId]), person);
    await this.database.query(CONFIRM, [sessionId, sealed]);
  }

  /** Ends a session by its id, or null; or those of a subject, of one program or, with null, of all. */
  async end(
    transaction: Asking,
    sessionId: string | null,
    subject: string | null,
    program: string | null,
  ): Promise<EndedSession[]> {
    const rows = await transaction.query<[string, string, string]>(END, [sessionId, subject, program]);
    return rows.map(([id, of, person]) => ({ sessionId: id, program: of, subject: person }));
  }

  async openAmong(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<[string]>(OPEN_AMONG, [sessionIds]);
    return new Set(rows.map(([sessionId]) => sessionId));
  }

  /** The open sessions, the newest first, without their people: those of a program, or with null of all. */
  async listed(program: string | null): Promise<OpenSession[]> {
    const rows = await this.database.query<unknown[]>(this.listing, [program]);
    return rows.map(row => this.openOf(row));
  }

  /** Deletes some of the rows of sessions that are long over. Gives how many. */
  async sweep(rows: number): Promise<number> {
    const [row] = await this.database.query<[number]>(SWEEP, [rows]);
    return row?.[0] ?? 0;
  }

  private openOf(row: readonly unknown[]): OpenSession {
    const [idleUntil, isStale, askedSeconds, confirmedSeconds] = row.slice(-4) as [string, boolean, number, number];
    return { session: this.read(row), idleUntil, isStale, askedSeconds, confirmedSeconds };
  }
}
