import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import { sealIdentity } from '../platform/repository/declarations.js';
import type { SignIn } from '../shared/caller.js';
import { SignInRequired, type Refusal } from '../shared/errors.js';
import { statementOf } from '../../lib/pg-wire/statement.js';
import { rolesAmong, type Role } from './console.roles.js';
import type { PersonOfSession, SignInWay } from './session.entity.js';

const SECRET_BYTES = 32;
const IDLE_MINUTES = 30;
const LONGEST_HOURS = 12;
/** The oldest one ends when a person begins one more. */
const MAX_SESSIONS_OF_PERSON = 10;
/** How often the use of a session is written. */
const SEEN_EVERY_SECONDS = 60;
/** How soon open streams notice that their session was ended elsewhere. */
const WATCH_EVERY_MS = 5000;

const IS_OPEN = `ended_at IS NULL AND ends_at > now() AND last_seen_at > now() - interval '${IDLE_MINUTES} minutes'`;
const COLUMNS = `session_id, program, subject, roles, sign_in, sealed, ends_at,
  last_seen_at + interval '${IDLE_MINUTES} minutes', last_seen_at < now() - interval '${SEEN_EVERY_SECONDS} seconds'`;

const FIND = statementOf(`SELECT ${COLUMNS} FROM console_session WHERE secret_hash = $1 AND ${IS_OPEN}`);
const SEE = statementOf(
  `UPDATE console_session SET last_seen_at = now() WHERE session_id = $1 AND ${IS_OPEN} RETURNING ${COLUMNS}`,
);
const BEGIN = statementOf(
  `WITH surplus AS (UPDATE console_session SET ended_at = now() WHERE session_id IN (
      SELECT session_id FROM console_session WHERE program = $3 AND subject = $4 AND ended_at IS NULL
      ORDER BY created_at DESC, session_id OFFSET ${MAX_SESSIONS_OF_PERSON - 1}))
   INSERT INTO console_session (session_id, secret_hash, program, subject, roles, sign_in, sealed, created_at, last_seen_at, ends_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now(), now() + interval '${LONGEST_HOURS} hours') RETURNING ${COLUMNS}`,
);
const END = statementOf('UPDATE console_session SET ended_at = now() WHERE session_id = $1 AND ended_at IS NULL');
const OPEN_AMONG = statementOf(
  `SELECT session_id FROM console_session WHERE session_id = ANY($1::uuid[]) AND ${IS_OPEN}`,
);

type Row = [
  sessionId: string,
  program: string,
  subject: string,
  roles: string[],
  signIn: SignInWay,
  sealed: Buffer,
  endsAt: string,
  idleUntil: string,
  isStale: boolean,
];

/** A person who signs in. */
export interface Person extends PersonOfSession {
  readonly program: string;
  readonly subject: string;
  readonly roles: readonly Role[];
}

export interface Session extends Person {
  readonly sessionId: string;
  readonly signIn: SignInWay;
  readonly idleUntil: string;
  readonly endsAt: string;
}

/** The sessions of the people who use the console. They are rows, so they hold for all processes and can be ended. */
export class SessionService {
  private readonly watchers = new Map<string, Set<(reason: Refusal) => void>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
  ) {}

  /** Begins a session, and gives the secret that stands for it. */
  async begin(
    { program, subject, roles, name, idToken }: Person,
    signIn: SignInWay,
  ): Promise<{ readonly session: Session; readonly secret: string }> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const sessionId = randomUUID();
    const sealed = this.keys.seal(identityOf(sessionId), { name, idToken } satisfies PersonOfSession);
    const values = [sessionId, hashOf(secret), program, subject, [...roles], signIn, sealed];
    const [row] = await this.database.query<Row>(BEGIN, values);
    return { session: this.sessionOf(row as Row), secret };
  }

  /** The session that a secret stands for. To look at it is no use of it. Throws `SignInRequired`. */
  async find(secret: string | null): Promise<Session> {
    return this.sessionOf(await this.row(secret));
  }

  /** The same for a request, which keeps the session from being idle. */
  async use(secret: string | null): Promise<Session> {
    const row = await this.row(secret);
    const isStale = row[8];
    if (!isStale) return this.sessionOf(row);
    const [seen] = await this.database.query<Row>(SEE, [row[0]]);
    if (!seen) throw new SignInRequired();
    return this.sessionOf(seen);
  }

  async end(sessionId: string): Promise<void> {
    await this.database.query(END, [sessionId]);
    this.tell(sessionId);
  }

  /** See `SignIn`. */
  readonly watch: (sessionId: string) => SignIn['watch'] = sessionId => ended => {
    const watchers = this.watchers.get(sessionId) ?? new Set();
    this.watchers.set(sessionId, watchers.add(ended));
    this.timer ??= setInterval(() => void this.review(), WATCH_EVERY_MS).unref();
    return () => {
      watchers.delete(ended);
      if (watchers.size === 0) this.watchers.delete(sessionId);
      if (this.watchers.size === 0) this.stop();
    };
  };

  /** Stops watching. */
  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** Tells the streams of sessions that are over. While the database is away they stay open. */
  private async review(): Promise<void> {
    const watched = [...this.watchers.keys()];
    const open = await this.database.query<[string]>(OPEN_AMONG, [watched]).catch(() => null);
    if (!open) return;
    const ids = new Set(open.map(([sessionId]) => sessionId));
    for (const sessionId of watched) if (!ids.has(sessionId)) this.tell(sessionId);
  }

  private tell(sessionId: string): void {
    for (const ended of [...(this.watchers.get(sessionId) ?? [])]) ended(new SignInRequired());
  }

  private async row(secret: string | null): Promise<Row> {
    const [row] = secret === null ? [] : await this.database.query<Row>(FIND, [hashOf(secret)]);
    if (!row) throw new SignInRequired();
    return row;
  }

  private sessionOf([sessionId, program, subject, roles, signIn, sealed, endsAt, idleUntil]: Row): Session {
    const person = this.keys.open<PersonOfSession>(identityOf(sessionId), sealed);
    const who = { program, subject, roles: rolesAmong(roles) };
    return { sessionId, signIn, ...who, ...person, endsAt, idleUntil: idleUntil < endsAt ? idleUntil : endsAt };
  }
}

function identityOf(sessionId: string): string {
  return sealIdentity('console_session', [sessionId]);
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
