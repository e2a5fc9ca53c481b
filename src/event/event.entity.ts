import { BigIntType } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { AsText, FromParent } from '../platform/repository/declarations.js';
import { DateTimeISO, JSONObject } from '../platform/scalars/scalars.js';
import type { Json } from '../shared/json.js';

export const EventOutcome = { DONE: 'DONE', DENIED: 'DENIED' } as const;
export type EventOutcome = keyof typeof EventOutcome;
registerEnumType(EventOutcome, {
  name: 'EventOutcome',
  description: 'Whether a command was executed.',
  valuesConfig: {
    DONE: { description: 'The command was executed, and its event was recorded in the same transaction.' },
    DENIED: { description: 'The caller was not allowed to execute the command, and nothing was done.' },
  },
});

export const EventOrder = { NEWEST_FIRST: 'NEWEST_FIRST', OLDEST_FIRST: 'OLDEST_FIRST' } as const;
export type EventOrder = keyof typeof EventOrder;
registerEnumType(EventOrder, {
  name: 'EventOrder',
  description: 'The order of a list of events.',
  valuesConfig: {
    NEWEST_FIRST: { description: 'By the time of the event, the newest first: to look something up.' },
    OLDEST_FIRST: {
      description:
        'In the order in which the events were committed: to follow what happens. Whoever goes on from the last cursor misses no event and gets none twice. Events of executed commands only.',
    },
  },
});

/**
 * Who changed what in an account, when: one row for each command that was carried out, in the command's own
 * transaction. Never changed and never deleted: the database refuses both. Holds no personal data. What was done to
 * programs, and what callers were denied, have tables of their own; the view `event` has all of them.
 */
@Entity({ tableName: 'account_event' })
@Index({ properties: ['program', 'occurredAt', 'id'] })
@ObjectType({
  description:
    'A record of a change, or of a denied attempt to change something. An event never changes and contains no personal data.',
  simpleResolvers: true,
})
export class Event {
  @Unique()
  @Property({ type: new BigIntType('string') })
  @Field(() => ID, { description: 'The number of the event, such as `1042`. Later events have higher numbers.' })
  id!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When the command began, such as `2026-03-31T18:05:00.000Z`.' })
  occurredAt!: Date;

  @Property({ type: 'text' }) program!: string;

  /** By the table: see `EventRepository`. */
  @FromParent()
  @Field(() => EventOutcome, { description: 'Whether the command was executed or denied.' })
  outcome!: EventOutcome;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The client that sent the command: `client_id` of its access token.' })
  clientId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The subject on whose behalf the client acted: `sub` of its access token.' })
  subject!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description:
      '`X-Request-Id` of the request, such as `7f1c9a52-3d60-4b0e-8a53-0c1f6a2e9d44`. The log contains the same id.',
  })
  requestId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The name of the command, such as `beneficiary.add` or `card.freeze`.' })
  action!: string;

  /** Declared by the noun whose command it is: see `EventTypes`. */
  @Field(() => String, {
    nullable: true,
    description:
      'What happened, such as `beneficiary.added`: the name that the feed, webhooks and subscriptions use. Null for a denied command.',
  })
  type!: string | null;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, {
    nullable: true,
    description:
      "The bank's own id of the account, such as `demo-1001`; null if the command is about no account, or if a denied command names no account of the program.",
  })
  accountId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The object that was changed, such as `card/card-17`; null for a denied command.',
  })
  object!: string | null;

  @AsText('dataText')
  @Property({ type: 'json' })
  @Field(() => JSONObject, {
    description: 'Details of the change, without personal data; for a denied command the code of its refusal.',
  })
  data!: Json;

  /** Counts what was done in an account from 1 without gaps. */
  @PrimaryKey({ type: 'bigint', autoincrement: false })
  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the event in its chain, from 1 without gaps. The changes of an account are one chain; the changes of a program, such as its webhook endpoints, are another; and its denied attempts are a third.',
  })
  chainSeq!: bigint | null;

  /** SHA-256 over the hash of the event before it in its chain and everything that it says: see `chain.hash.ts`. */
  @Property({ type: 'blob' })
  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of this event and the hash of the previous event in its chain, 64 hexadecimal digits such as `9f86d081…`.',
  })
  hash!: Buffer | null;
}

/** An event as it is shown. */
export type EventView = Readonly<Omit<Event, 'occurredAt' | 'program' | 'chainSeq' | 'hash'>> & {
  readonly occurredAt: string;
  readonly chainSeq: number | null;
  readonly hash: string | null;
};
