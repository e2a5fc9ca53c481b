import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import { inTransaction, type Transaction } from '../platform/database/transaction.js';
import { GATEWAY_CLIENT, recording, type Doer } from '../platform/command/recording.js';
import { sealIdentity } from '../platform/repository/declarations.js';
import type { SignIn } from '../shared/caller.js';
import { SignInRequired } from '../shared/errors.js';
import { CONSOLE_CLIENT } from './console.events.js';
import { rolesAmong, type Role } from './console.roles.js';
import type { PersonOfSession, SignInWay } from './session.entity.js';
import { BEGIN, END, FIND, LIST, OPEN_AMONG, SEE, SWEEP, type SessionRow } from './session.rows.js';
import { SessionWatch } from './session.watch.js';

const SECRET_BYTES = 32;
const SWEEP_ROWS = 1000;

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

/** A session as operators of the machine see it. */
export type ListedSession = Readonly<Record<'sessionId' | 'program' | 'subject', string>> & {
  readonly roles: readonly string[];
  readonly signIn: SignInWay;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly idleUntil: string;
  readonly endsAt: string;
};

/** The sessions of the people who use the console. They are rows, so they hold for all processes and can be ended. */
export class SessionService {
  private readonly watching: SessionWatch;

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
  ) {
    this.watching = new SessionWatch(async sessionIds => {
      const rows = await database.query<[string]>(OPEN_AMONG, [[...sessionIds]]);
      return new Set(rows.map(([sessionId]) => sessionId));
    });
  }

  /** Begins a session, and gives the secret that stands for it. The oldest one ends where a person has too many. */
  async begin(
    { program, subject, roles, name, idToken }: Person,
    signIn: SignInWay,
    requestId: string,
  ): Promise<{ readonly session: Session; readonly secret: string }> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const sessionId = randomUUID();
    const sealed = this.keys.seal(identityOf(sessionId), { name, idToken } satisfies PersonOfSession);
    const values = [sessionId, hashOf(secret), program, subject, [...roles], signIn, sealed];
    const row = await inTransaction(this.database, async transaction => {
      const by = { program, clientId: CONSOLE_CLIENT, subject, requestId };
      const data = { roles: [...roles], way: signIn.toUpperCase() };
      await transaction.runAll(
        recording([{ by, action: 'console.sign_in', accountId: null, object: sessionId, data }]),
      );
      const [begun] = await transaction.query<SessionRow>(BEGIN, values);
      return begun as SessionRow;
    });
    return { session: this.sessionOf(row), secret };
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
    const [seen] = await this.database.query<SessionRow>(SEE, [row[0]]);
    if (!seen) throw new SignInRequired();
    return this.sessionOf(seen);
  }

  /** The person signs out. */
  async end({ sessionId, subject }: Session, requestId: string): Promise<void> {
    await this.ending([sessionId, null, null], CONSOLE_CLIENT, subject, requestId);
  }

  /** An operator of the machine ends all sessions of a person. Gives how many. */
  async endOf(subject: string, program: string | null): Promise<number> {
    return this.ending([null, subject, program], GATEWAY_CLIENT, 'console', randomUUID());
  }

  /** The open sessions, the newest first: those of a program, or with null of all. */
  async list(program: string | null): Promise<ListedSession[]> {
    const rows = await this.database.query<ListedRow>(LIST, [program]);
    return rows.map(([sessionId, of, subject, roles, signIn, createdAt, lastSeenAt, idleUntil, endsAt]) => ({
      ...{ sessionId, program: of, subject, roles, signIn, createdAt, lastSeenAt, idleUntil, endsAt },
    }));
  }

  /** Deletes the rows of sessions that are long over. Gives how many. */
  async sweep(): Promise<number> {
    const [row] = await this.database.query<[number]>(SWEEP, [SWEEP_ROWS]);
    return row?.[0] ?? 0;
  }

  /** See `SignIn`. */
  watch(sessionId: string): SignIn['watch'] {
    return ended => this.watching.watch(sessionId, ended);
  }

  private async ending(
    which: [sessionId: string | null, subject: string | null, program: string | null],
    clientId: string,
    subject: string,
    requestId: string,
  ): Promise<number> {
    const ended = await inTransaction(this.database, async transaction => {
      const rows = await transaction.query<EndedRow>(END, which);
      await recordEnds(transaction, rows, program => ({ program, clientId, subject, requestId }));
      return rows;
    });
    for (const [sessionId] of ended) this.watching.tell(sessionId);
    return ended.length;
  }

  private async row(secret: string | null): Promise<SessionRow> {
    const [row] = secret === null ? [] : await this.database.query<SessionRow>(FIND, [hashOf(secret)]);
    if (!row) throw new SignInRequired();
    return row;
  }

  private sessionOf([sessionId, program, subject, roles, signIn, sealed, endsAt, idleUntil]: SessionRow): Session {
    const person = this.keys.open<PersonOfSession>(identityOf(sessionId), sealed);
    return { sessionId, program, subject, roles: rolesAmong(roles), signIn, ...person, endsAt, idleUntil };
  }
}

type EndedRow = [sessionId: string, program: string, subject: string];
type ListedRow = [
  ...[sessionId: string, program: string, subject: string, roles: string[], signIn: SignInWay],
  ...[createdAt: string, lastSeenAt: string, idleUntil: string, endsAt: string],
];

/** Says whose session ended, as an operator may have ended it. */
async function recordEnds(
  transaction: Transaction,
  rows: readonly EndedRow[],
  doer: (program: string) => Doer,
): Promise<void> {
  // In the order of the programs, as everybody locks their chains.
  const ordered = [...rows].sort(([, one], [, other]) => (one < other ? -1 : Number(one > other)));
  const events = ordered.map(([sessionId, program, person]) => ({
    ...{ by: doer(program), action: 'console.sign_out', accountId: null, object: sessionId },
    data: { person },
  }));
  await transaction.runAll(recording(events));
}

function identityOf(sessionId: string): string {
  return sealIdentity('console_session', [sessionId]);
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
