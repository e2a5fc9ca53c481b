import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { inTransaction, type SqlTransaction } from '../../platform/database/transaction.js';
import { GATEWAY_CLIENT, recording, type Actor } from '../../platform/command/recording.js';
import type { SignIn } from '../../shared/caller.js';
import { SignInRequired } from '../../shared/errors.js';
import { CONSOLE_CLIENT } from './session.events.js';
import { rolesAmong, type Role } from './session.roles.js';
import type { PersonOfSession, SignInWay } from './session.entity.js';
import { SessionRepository, type EndedSession, type OpenSession } from './session.repository.js';
import { SessionWatch } from './session.watch.js';

/** After so many times the bound without an answer of the provider a session ends. */
const UNCONFIRMED_TIMES = 4;

/** Asks the provider again about a person who is signed in. Null while it does not answer. */
export interface ProviderCheck {
  readonly everySeconds: number;
  /** The person as the provider describes them now; 'gone' where it signs nobody in any more. */
  ask(person: Person): Promise<Person | 'gone' | 'away'>;
}

const SECRET_BYTES = 32;
/** The maximum number of sessions that the command line lists. */
const MAX_LISTED = 1000;
const ALL = { after: null, before: null, skip: 0, limit: MAX_LISTED, fromEnd: false };
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
  readonly repository: SessionRepository;
  private readonly watching: SessionWatch;
  /** Null where people do not come from a provider. */
  private provider: ProviderCheck | null = null;

  constructor(
    private readonly database: Database,
    keys: KeyRing,
  ) {
    this.repository = new SessionRepository(database, keys);
    this.watching = new SessionWatch(async sessionIds => {
      await this.recheck(sessionIds);
      return this.repository.openAmong(sessionIds);
    });
  }

  /** From now on the provider is asked again about the people of its sessions. */
  checkWith(provider: ProviderCheck): void {
    this.provider = provider;
  }

  /** Begins a session, and gives the secret that stands for it. The oldest one ends where a person has too many. */
  async begin(
    { program, subject, roles, ...person }: Person,
    signIn: SignInWay,
    requestId: string,
  ): Promise<{ readonly session: Session; readonly secret: string }> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const sessionId = randomUUID();
    // Only the hash of the secret is stored, so that a copy of the database opens no session.
    const begun = { sessionId, secretHash: hashOf(secret), program, subject, roles, signIn, person };
    const open = await inTransaction(this.database, async transaction => {
      const by = { program, clientId: CONSOLE_CLIENT, subject, requestId };
      const data = { roles: [...roles], way: signIn.toUpperCase() };
      await transaction.runAll(
        recording([{ by, action: 'console.sign_in', accountId: null, object: sessionId, data }]),
      );
      return this.repository.signIn(transaction, begun);
    });
    return { session: sessionOf(open), secret };
  }

  /** The session that a secret stands for. To look at it is no use of it. Throws `SignInRequired`. */
  async find(secret: string | null): Promise<Session> {
    return sessionOf(await this.open(secret));
  }

  /** The session of a request. Its use keeps the session from being idle. Throws `SignInRequired`. */
  async use(secret: string | null): Promise<Session> {
    const open = await this.open(secret);
    if (!open.isStale) return sessionOf(open);
    const seen = await this.repository.see(open.session.sessionId);
    // It may have ended since it was read.
    if (!seen) throw new SignInRequired();
    return sessionOf(seen);
  }

  /** The person signs out. */
  async end({ sessionId, subject }: Session, requestId: string): Promise<void> {
    await this.ending([sessionId, null, null], CONSOLE_CLIENT, subject, requestId);
  }

  /** An operator of the machine ends all sessions of a person. Gives how many. */
  async endOf(subject: string, program: string | null): Promise<number> {
    return this.ending([null, subject, program], GATEWAY_CLIENT, 'console', randomUUID());
  }

  /** The names by which the people of a program were greeted lately, by their subjects. */
  async names(program: string): Promise<Readonly<Record<string, string>>> {
    const latest = await this.repository.latest(program);
    return Object.fromEntries(latest.reverse().map(({ subject, person }) => [subject, person.name]));
  }

  /** The open sessions, the newest first: those of a program, or with null of all. */
  async list(program: string | null): Promise<ListedSession[]> {
    const listed = await this.repository.listed(program, ALL);
    return listed.slice(0, MAX_LISTED).map(({ session, idleUntil }) => {
      const { sessionId, program: of, subject, roles, signIn, createdAt, lastSeenAt, endsAt } = session;
      return { sessionId, program: of, subject, roles, signIn, createdAt, lastSeenAt, idleUntil, endsAt };
    });
  }

  /** Deletes the rows of sessions that are long over. Gives how many. */
  sweep(): Promise<number> {
    return this.repository.sweep(SWEEP_ROWS);
  }

  /** See `SignIn`. */
  watch(sessionId: string): SignIn['watch'] {
    return ended => this.watching.watch(sessionId, ended);
  }

  /** Ends the open streams of a session that is over, as far as they are of this process. */
  tellEnded(sessionId: string): void {
    this.watching.tell(sessionId);
  }

  private async ending(
    which: [sessionId: string | null, subject: string | null, program: string | null],
    clientId: string,
    subject: string,
    requestId: string,
  ): Promise<number> {
    const ended = await inTransaction(this.database, async transaction => {
      const sessions = await this.repository.end(transaction, ...which);
      await recordEnds(transaction, sessions, program => ({ program, clientId, subject, requestId }));
      return sessions;
    });
    for (const { sessionId } of ended) this.tellEnded(sessionId);
    return ended.length;
  }

  private async open(secret: string | null): Promise<OpenSession> {
    const open = secret === null ? null : await this.repository.find(hashOf(secret));
    if (!open || !(await this.holds(open))) throw new SignInRequired();
    return open;
  }

  /** Checks sessions with open streams again, which may send no further request. */
  private async recheck(sessionIds: readonly string[]): Promise<void> {
    if (!this.provider) return;
    const due = await this.repository.dueAmong(sessionIds, this.provider.everySeconds);
    await Promise.all(due.map(open => this.holds(open)));
  }

  /**
   * True if the provider still gives the person what the session allows, asked once in a while. A session whose person
   * lost a role ends: with the next sign-in the person has the roles of then.
   */
  private async holds(open: OpenSession): Promise<boolean> {
    const { provider } = this;
    const session = sessionOf(open);
    if (!provider || session.signIn !== 'oidc' || open.askedSeconds < provider.everySeconds) return true;
    const { sessionId, program, subject, roles } = session;
    // Meanwhile others go on with what was confirmed.
    if (!(await this.repository.claim(sessionId, provider.everySeconds))) return true;
    const now = await provider.ask(session);
    if (now === 'away' && open.confirmedSeconds < provider.everySeconds * UNCONFIRMED_TIMES) return true;
    const isSame =
      typeof now === 'object' &&
      now.program === program &&
      now.subject === subject &&
      roles.every(role => now.roles.includes(role));
    if (isSame) {
      const { name, idToken, refreshToken, accessToken } = now;
      // The person stays who signed in: what is asked later may lack the claims of the first ID token.
      const { personId = null } = session;
      await this.repository.confirm(sessionId, { name, idToken, refreshToken, accessToken, personId });
      return true;
    }
    await this.ending([sessionId, null, null], GATEWAY_CLIENT, 'console', randomUUID());
    return false;
  }
}

function sessionOf({ session, idleUntil }: OpenSession): Session {
  const { sessionId, program, subject, roles, signIn, person, endsAt } = session;
  return { sessionId, program, subject, roles: rolesAmong(roles), signIn, ...person, endsAt, idleUntil };
}

/** Says whose session ended, as an operator may have ended it. */
async function recordEnds(
  transaction: SqlTransaction,
  ended: readonly EndedSession[],
  doer: (program: string) => Actor,
): Promise<void> {
  // In the order of the programs, as everybody locks their chains.
  const ordered = [...ended].sort(({ program: one }, { program: other }) => (one < other ? -1 : Number(one > other)));
  const events = ordered.map(({ sessionId, program, subject: person }) => ({
    by: doer(program),
    action: 'console.sign_out',
    accountId: null,
    object: sessionId,
    data: { person },
  }));
  await transaction.runAll(recording(events));
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
