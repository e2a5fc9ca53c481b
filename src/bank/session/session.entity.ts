import { Check, Entity, Formula, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { Sealed } from '../../platform/repository/declarations.js';

/** The way in which people sign in: as one of the demo people, or at the provider of the bank. */
export type SignInWay = 'demo' | 'oidc';

/** The sealed part of a session. */
export interface PersonOfSession {
  /** As the person is greeted. */
  readonly name: string;
  /** The token that the provider wants to see again when the person signs out; null without a provider. */
  readonly idToken: string | null;
  /** With what the provider is asked again whether the person still has the roles; null where it gave none. */
  readonly refreshToken: string | null;
  readonly accessToken: string | null;
  /** The id of the person by `AUTH_PERSON_CLAIM`; null or absent where it says nothing. */
  readonly personId?: string | null;
}

/** A person who is signed in at the console. */
@Entity({ tableName: 'console_session' })
@DataClasses<ConsoleSession>({
  kept: 'a day after its end',
  shownAs: ['OperatorSession'],
  internal: ['program', 'roles', 'signIn', 'createdAt', 'lastSeenAt', 'askedAt', 'confirmedAt', 'endsAt', 'endedAt'],
  identifier: ['sessionId', 'subject'],
  personal: { sealed: 'sealed' },
  secret: { secretHash: 'hashed: SHA-256 of 32 random bytes' },
})
@Index({ properties: ['program', 'subject', 'createdAt'] })
@Index({ properties: ['endsAt'] })
@Check({ name: 'console_session_sign_in', expression: "sign_in in ('demo', 'oidc')" })
export class ConsoleSession {
  /** Tells the session from others in logs and lists. */
  @PrimaryKey({ type: 'uuid' }) sessionId!: string;

  /** SHA-256 of what is in the cookie: it is long and random, so it cannot be guessed from the hash. */
  @Property({ type: 'blob' }) @Unique() secretHash!: Buffer;

  @Property({ type: 'text' }) program!: string;
  @Property({ type: 'text' }) subject!: string;
  @Property({ type: 'array' }) roles!: readonly string[];
  @Property({ type: 'text' }) signIn!: SignInWay;

  /** `PersonOfSession`: the name of the person, and the tokens of the provider. */
  @Sealed({ as: 'person' })
  @Property({ type: 'blob' })
  sealed!: Buffer;

  @Property({ type: 'datetime', length: 3 }) createdAt!: Date;
  /** Written at most once a minute. */
  @Property({ type: 'datetime', length: 3 }) lastSeenAt!: Date;
  /** When the provider was last asked about the person's roles, and when it last confirmed them. */
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) askedAt!: Date;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) confirmedAt!: Date;
  /** However much it is used. */
  @Property({ type: 'datetime', length: 3 }) endsAt!: Date;
  /** When the person signed out or an operator ended it; null while nobody has. */
  @Property({ type: 'datetime', length: 3, nullable: true }) endedAt!: Date | null;

  /** When the row was read, by the clock of the database, by which all instants of the row are. */
  @Formula('now()', { lazy: true, type: 'datetime' })
  readAt?: Date;
}
