import { raw, type EntityManager } from '@mikro-orm/postgresql';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlTransaction } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import { sealIdentity } from '../../platform/repository/declarations.js';
import { sweepRows } from '../../platform/repository/sweep-rows.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { Window } from '../../shared/page.js';
import { ConsoleSession, type PersonOfSession } from './session.entity.js';

const IDLE_MINUTES = 30;
const LONGEST_HOURS = 12;
/** The oldest one ends when a person begins one more. */
const MAX_SESSIONS_OF_PERSON = 10;
/** The pause between two writes of the use of a session. */
const SEEN_EVERY_SECONDS = 60;
/** About how many people with open streams the provider is asked at once. */
const MAX_ASKED_AT_ONCE = 20;
/** The most sessions from which people are named. */
const MAX_NAMING = 500;
/** The days for which the row of a session that is over is kept. */
const KEPT_DAYS = 1;

const IDLE_MS = IDLE_MINUTES * 60_000;
const IDLE_SINCE = `now() - interval '${IDLE_MINUTES} minutes'`;
const WITH_TIME = { populate: ['readAt'] } as const;

/** Sessions that are not over. */
const ifOpen = () => ({ endedAt: null, endsAt: { $gt: raw('now()') }, lastSeenAt: { $gt: raw(IDLE_SINCE) } });
const openOf = (program: string | null) => ({ ...ifOpen(), ...(program !== null && { program }) });

/** A session as it is read. Who the person is, is opened when it is looked at. */
export type SessionRead = Readonly<
  Pick<ConsoleSession, 'sessionId' | 'program' | 'subject' | 'roles' | 'signIn'> &
    Record<'createdAt' | 'lastSeenAt' | 'endsAt', string>
> & { readonly endedAt: string | null; readonly person: PersonOfSession };

/** Where a session stands in a list. */
export type SessionPlace = Pick<ConsoleSession, 'createdAt' | 'sessionId'>;

/** A session that is not over. */
export interface OpenSession {
  readonly session: SessionRead;
  readonly idleUntil: string;
  /** True if its use has not been written for a while. */
  readonly isStale: boolean;
  /** The time since the provider was asked about the person, and confirmed the roles. */
  readonly askedSeconds: number;
  readonly confirmedSeconds: number;
}

export type NewSession = Readonly<
  Pick<ConsoleSession, 'sessionId' | 'secretHash' | 'program' | 'subject' | 'roles' | 'signIn'>
> & { readonly person: PersonOfSession };

type SessionTimes = Pick<ConsoleSession, 'endsAt' | 'lastSeenAt' | 'askedAt' | 'confirmedAt' | 'readAt'>;

/** The session that ended. */
export type EndedSession = Pick<SessionRead, 'sessionId' | 'program' | 'subject'>;

export class SessionRepository extends BatchedRepository<ConsoleSession, SessionRead> {
  constructor(
    database: Database,
    private readonly keys: KeyRing,
  ) {
    super(database, ConsoleSession, keys);
  }

  /** Begins a session. The oldest ones of the person end where there are too many. */
  async signIn(transaction: SqlTransaction, { person, ...session }: NewSession): Promise<OpenSession> {
    const { program, subject, sessionId } = session;
    const em = this.database.em(transaction);
    const surplus = em
      .createQueryBuilder(ConsoleSession, 'surplus')
      .select('sessionId')
      .where({ program, subject, endedAt: null })
      .orderBy({ createdAt: 'desc', sessionId: 'asc' })
      .offset(MAX_SESSIONS_OF_PERSON - 1);
    await em.nativeUpdate(ConsoleSession, { sessionId: { $in: surplus } }, { endedAt: raw('now()') });
    const sealed = this.keys.seal(sealIdentity('console_session', [sessionId]), person);
    const now = raw<Date>('now()');
    const endsAt = raw<Date>(`now() + interval '${LONGEST_HOURS} hours'`);
    const times = { createdAt: now, lastSeenAt: now, askedAt: now, confirmedAt: now, endsAt, endedAt: null };
    await em.insert(ConsoleSession, { ...session, sealed, ...times });
    const begun = await em.findOneOrFail(ConsoleSession, { sessionId }, WITH_TIME);
    return this.openOf(begun);
  }

  /** By the hash of the secret; null for one that is over. */
  async find(secretHash: Buffer): Promise<OpenSession | null> {
    return this.openOne(this.database.primary(), { secretHash });
  }

  /** Writes that a session is used. Null for one that is over. */
  async see(sessionId: string): Promise<OpenSession | null> {
    const em = this.database.primary();
    await em.nativeUpdate(ConsoleSession, { sessionId, ...ifOpen() }, { lastSeenAt: raw('now()') });
    return this.openOne(em, { sessionId });
  }

  /** Those of the open sessions about which nobody has asked for so many seconds, the longest first. */
  async dueAmong(sessionIds: readonly string[], afterSeconds: number): Promise<OpenSession[]> {
    const askedAt = { $lt: raw(`now() - ? * interval '1 second'`, [afterSeconds]) };
    const due = { ...ifOpen(), sessionId: { $in: [...sessionIds] }, signIn: 'oidc' as const, askedAt };
    const found = await this.database
      .primary()
      .find(ConsoleSession, due, { ...WITH_TIME, orderBy: { askedAt: 'asc' }, limit: MAX_ASKED_AT_ONCE });
    return found.map(session => this.openOf(session));
  }

  /**
   * True if the caller is the one that asks the provider now, since nobody has for so many seconds. One of several
   * requests, in whatever process, does: a refresh token may be used once.
   */
  async claim(sessionId: string, afterSeconds: number): Promise<boolean> {
    const which = { ...ifOpen(), sessionId, askedAt: { $lt: raw('now() - make_interval(secs => ?)', [afterSeconds]) } };
    const claimed = await this.database.primary().nativeUpdate(ConsoleSession, which, { askedAt: raw('now()') });
    return claimed > 0;
  }

  /** Writes that the provider has confirmed the roles, and what it is asked with the next time. */
  async confirm(sessionId: string, person: PersonOfSession): Promise<void> {
    const sealed = this.keys.seal(sealIdentity('console_session', [sessionId]), person);
    const confirmed = { confirmedAt: raw<Date>('now()'), sealed };
    await this.database.primary().nativeUpdate(ConsoleSession, { sessionId }, confirmed);
  }

  /** Ends a session by its id, or null; or those of a subject, of one program or, with null, of all. */
  end(
    transaction: SqlTransaction,
    sessionId: string | null,
    subject: string | null,
    program: string | null,
  ): Promise<EndedSession[]> {
    const named = sessionId === null ? { subject: subject ?? '' } : { sessionId };
    return this.database
      .em(transaction)
      .createQueryBuilder(ConsoleSession)
      .update({ endedAt: raw('now()') })
      .where({ ...openOf(program), ...named })
      .returning(['sessionId', 'program', 'subject'])
      .execute<EndedSession[]>('all');
  }

  async openAmong(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const which = { ...ifOpen(), sessionId: { $in: [...sessionIds] } };
    const found = await this.database.primary().find(ConsoleSession, which, { fields: ['sessionId'] });
    return new Set(found.map(({ sessionId }) => sessionId));
  }

  /** The open sessions, the newest first: those of a program, or with null of all. */
  async listed(program: string | null, window: Window<SessionPlace>): Promise<OpenSession[]> {
    const found = await this.database.primary().find(ConsoleSession, openOf(program), {
      orderBy: { createdAt: 'desc', sessionId: 'desc' },
      exclude: ['secretHash'],
      populate: ['readAt'],
      ...cursorOptions(window),
    });
    return inReadingOrder(found, window).map(session => this.openOf(session));
  }

  /** The latest sessions of a program, the newest first, also those that are over. */
  async latest(program: string): Promise<SessionRead[]> {
    const found = await this.database
      .primary()
      .find(
        ConsoleSession,
        { program },
        { orderBy: { createdAt: 'desc' }, exclude: ['secretHash'], limit: MAX_NAMING },
      );
    return found.map(session => this.found(session));
  }

  total(program: string): Promise<number> {
    return this.database.primary().count(ConsoleSession, openOf(program));
  }

  /** The sessions with these ids, open or over, or null. */
  named(transaction: StatementSender, sessionIds: readonly string[]): Promise<(SessionRead | null)[]> {
    const keys = sessionIds.map(sessionId => [UUID_TEXT.test(sessionId) ? sessionId : null]);
    return this.each(transaction, keys);
  }

  /** Deletes some of the rows of sessions that are long over. Gives how many. */
  sweep(rows: number): Promise<number> {
    return sweepRows(this.database.primary(), ConsoleSession, 'sessionId', {
      where: { endsAt: { $lt: raw(`now() - interval '${KEPT_DAYS} days'`) } },
      orderBy: { endsAt: 'asc' },
      limit: rows,
    });
  }

  private async openOne(
    em: EntityManager,
    which: Partial<Pick<ConsoleSession, 'sessionId' | 'secretHash'>>,
  ): Promise<OpenSession | null> {
    const found = await em.findOne(ConsoleSession, { ...which, ...ifOpen() }, WITH_TIME);
    return found && this.openOf(found);
  }

  private openOf(found: SessionTimes): OpenSession {
    const { endsAt, lastSeenAt, askedAt, confirmedAt, readAt = new Date() } = found;
    const secondsSince = (instant: Date): number => (readAt.getTime() - instant.getTime()) / 1000;
    return {
      session: this.found(found),
      idleUntil: new Date(Math.min(endsAt.getTime(), lastSeenAt.getTime() + IDLE_MS)).toISOString(),
      isStale: secondsSince(lastSeenAt) > SEEN_EVERY_SECONDS,
      askedSeconds: secondsSince(askedAt),
      confirmedSeconds: secondsSince(confirmedAt),
    };
  }
}
