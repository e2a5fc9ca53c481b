import { raw, type EntityManager } from '@mikro-orm/postgresql';
import { sql, type ExpressionBuilder } from 'kysely';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { kyselyOf, type Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlTransaction } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import { sealIdentity } from '../../platform/repository/declarations.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { Window } from '../../shared/page.js';
import { ConsoleSession, type PersonOfSession } from './session.entity.js';

const IDLE_MINUTES = 30;
const LONGEST_HOURS = 12;
/** The oldest one ends when a person begins one more. */
const MAX_SESSIONS_OF_PERSON = 10;
/** How often the use of a session is written. */
const SEEN_EVERY_SECONDS = 60;
/** About how many people with open streams the provider is asked at once. */
const MAX_ASKED_AT_ONCE = 20;
/** How long the row of a session that is over is kept. */
const KEPT_DAYS = 1;

const IDLE_MS = IDLE_MINUTES * 60_000;
const IDLE_SINCE = `now() - interval '${IDLE_MINUTES} minutes'`;
const NOW = sql<Date>`now()`;
const WITH_TIME = { populate: ['readAt'] } as const;

interface Tables {
  readonly ConsoleSession: ConsoleSession;
}

/** Sessions that are not over. */
const ifOpen = () => ({ endedAt: null, endsAt: { $gt: raw('now()') }, lastSeenAt: { $gt: raw(IDLE_SINCE) } });
const openOf = (program: string | null) => ({ ...ifOpen(), ...(program !== null && { program }) });
const isOpen = (session: ExpressionBuilder<Tables, 'ConsoleSession'>) =>
  session.and([
    session('endedAt', 'is', null),
    session('endsAt', '>', NOW),
    session('lastSeenAt', '>', sql<Date>`${sql.raw(IDLE_SINCE)}`),
  ]);

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
  /** Whether its use has not been written for a while. */
  readonly isStale: boolean;
  /** How long ago the provider was asked about the person, and confirmed the roles. */
  readonly askedSeconds: number;
  readonly confirmedSeconds: number;
}

export type NewSession = Readonly<
  Pick<ConsoleSession, 'sessionId' | 'secretHash' | 'program' | 'subject' | 'roles' | 'signIn'>
> & { readonly person: PersonOfSession };

type SessionTimes = Pick<ConsoleSession, 'endsAt' | 'lastSeenAt' | 'askedAt' | 'confirmedAt' | 'readAt'>;

/** Whose session ended. */
export type EndedSession = Pick<SessionRead, 'sessionId' | 'program' | 'subject'>;

/**
 * Subjects may be addresses of e-mail, and what stands for a session is a secret: statements with these take Kysely,
 * which sends them as parameters.
 */
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
    const tables = kyselyOf<Tables>(this.database.em(transaction));
    const surplus = tables
      .selectFrom('ConsoleSession')
      .select('sessionId')
      .where('program', '=', program)
      .where('subject', '=', subject)
      .where('endedAt', 'is', null)
      .orderBy('createdAt', 'desc')
      .orderBy('sessionId')
      .offset(MAX_SESSIONS_OF_PERSON - 1);
    await tables.updateTable('ConsoleSession').set({ endedAt: NOW }).where('sessionId', 'in', surplus).execute();
    const sealed = this.keys.seal(sealIdentity('console_session', [sessionId]), person);
    const endsAt = sql<Date>`now() + make_interval(hours => ${LONGEST_HOURS})`;
    await tables
      .insertInto('ConsoleSession')
      .values({ ...session, sealed, createdAt: NOW, lastSeenAt: NOW, askedAt: NOW, confirmedAt: NOW, endsAt })
      .execute();
    const begun = await this.database.em(transaction).findOneOrFail(ConsoleSession, { sessionId }, WITH_TIME);
    return this.openOf(begun);
  }

  /** By the hash of the secret; null for one that is over. */
  async find(secretHash: Buffer): Promise<OpenSession | null> {
    const em = this.database.primary();
    const named = kyselyOf<Tables>(em)
      .selectFrom('ConsoleSession')
      .select('sessionId')
      .where('secretHash', '=', secretHash);
    const row = await named.executeTakeFirst();
    return row ? this.openOne(em, row.sessionId) : null;
  }

  /** Writes that a session is used. Null for one that is over. */
  async see(sessionId: string): Promise<OpenSession | null> {
    const em = this.database.primary();
    await em.nativeUpdate(ConsoleSession, { sessionId, ...ifOpen() }, { lastSeenAt: raw('now()') });
    return this.openOne(em, sessionId);
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
   * Whether the caller is the one that asks the provider now, since nobody has for so many seconds. One of several
   * requests, in whatever process, does: a refresh token may be used once.
   */
  async claim(sessionId: string, afterSeconds: number): Promise<boolean> {
    const claimed = await this.changing()
      .set({ askedAt: NOW })
      .where(isOpen)
      .where('sessionId', '=', sessionId)
      .where('askedAt', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
      .returning('sessionId')
      .execute();
    return claimed.length > 0;
  }

  /** Writes that the provider has confirmed the roles, and what it is asked with the next time. */
  async confirm(sessionId: string, person: PersonOfSession): Promise<void> {
    const sealed = this.keys.seal(sealIdentity('console_session', [sessionId]), person);
    await this.changing().set({ confirmedAt: NOW, sealed }).where('sessionId', '=', sessionId).execute();
  }

  /** Ends a session by its id, or null; or those of a subject, of one program or, with null, of all. */
  end(
    transaction: SqlTransaction,
    sessionId: string | null,
    subject: string | null,
    program: string | null,
  ): Promise<EndedSession[]> {
    const tables = kyselyOf<Tables>(this.database.em(transaction));
    const ending = tables.updateTable('ConsoleSession').set({ endedAt: NOW }).where(isOpen);
    const named =
      sessionId === null ? ending.where('subject', '=', subject ?? '') : ending.where('sessionId', '=', sessionId);
    const ofProgram = program === null ? named : named.where('program', '=', program);
    return ofProgram.returning(['sessionId', 'program', 'subject']).execute();
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

  total(program: string): Promise<number> {
    return this.database.primary().count(ConsoleSession, openOf(program));
  }

  /** The sessions with these ids, open or over, or null. */
  named(transaction: StatementSender, sessionIds: readonly string[]): Promise<(SessionRead | null)[]> {
    const keys = sessionIds.map(sessionId => [UUID_TEXT.test(sessionId) ? sessionId : null]);
    return this.each(transaction, keys);
  }

  /** Deletes some of the rows of sessions that are long over. Gives how many. */
  async sweep(rows: number): Promise<number> {
    const tables = kyselyOf<Tables>(this.database.primary());
    const over = tables
      .selectFrom('ConsoleSession')
      .select('sessionId')
      .where('endsAt', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
      .orderBy('endsAt')
      .limit(rows)
      .forUpdate()
      .skipLocked();
    const deleted = await tables
      .deleteFrom('ConsoleSession')
      .where('sessionId', 'in', over)
      .returning('sessionId')
      .execute();
    return deleted.length;
  }

  private changing() {
    return kyselyOf<Tables>(this.database.primary()).updateTable('ConsoleSession');
  }

  private async openOne(em: EntityManager, sessionId: string): Promise<OpenSession | null> {
    const found = await em.findOne(ConsoleSession, { sessionId, ...ifOpen() }, WITH_TIME);
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
