import { BigIntType } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ShownEvent } from '../../platform/feed/event-feed.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { AsText, FromParent } from '../../platform/repository/declarations.js';
import { DateTimeISO, JSONObject } from '../../platform/scalars/scalars.js';
import type { Json } from '../../shared/json.js';

export const EventOutcome = { DONE: 'DONE', DENIED: 'DENIED' } as const;
export type EventOutcome = keyof typeof EventOutcome;
registerEnumType(EventOutcome, {
  name: 'EventOutcome',
  description: 'The outcome of a command.',
  valuesConfig: {
    DONE: { description: 'The command was executed, and recorded in the same transaction.' },
    DENIED: { description: 'The caller was not allowed to, and nothing was done.' },
  },
});

export const EventOrder = { NEWEST_FIRST: 'NEWEST_FIRST', OLDEST_FIRST: 'OLDEST_FIRST' } as const;
export type EventOrder = keyof typeof EventOrder;
registerEnumType(EventOrder, {
  name: 'EventOrder',
  description: 'The order of a list of events.',
  valuesConfig: {
    NEWEST_FIRST: { description: 'The order of time, to look something up.' },
    OLDEST_FIRST: {
      description: 'The order of commits, to follow what happens; executed commands alone.',
    },
  },
});

@ObjectType({
  description: 'The record of who did something, or was denied it.',
  simpleResolvers: true,
})
export class EventAudit {
  @Field(() => EventOutcome, { description: 'The outcome of the command: executed or denied.' })
  outcome!: EventOutcome;

  @Field(() => String, { description: 'The name of the command, such as `beneficiary.add` or `card.freeze`.' })
  action!: string;

  @Field(() => String, { description: 'The client that sent the command: `client_id` of its access token.' })
  clientId!: string;

  @Field(() => String, { description: 'The subject on whose behalf the client acted: `sub` of its access token.' })
  subject!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The actor for the subject, such as `agent-7`: `act.sub` of the token.',
  })
  actor!: string | null;

  @Field(() => String, {
    description: 'The `X-Request-Id`, such as `7f1c9a52-3d60-4b0e-8a53-0c1f6a2e9d44`.',
  })
  requestId!: string;

  @Field(() => JSONObject, { description: 'The recorded facts of the change; for a denied command, its refusal.' })
  data!: Json;

  @Field(() => Int, {
    nullable: true,
    description: 'The number of the event, from 1 without gaps, in its account, program or denied attempts.',
  })
  chainSeq!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The SHA-256 over the event and the hash before it, such as `9f86d081…`.',
  })
  hash!: string | null;
}

/**
 * The record of who changed what in an account, when: one row for each command that was carried out, in the command's
 * own transaction. Never changed, and deleted only with its account: the database refuses all else. Holds no personal
 * data. What was done to programs, and what callers were denied, have tables of their own; the view `event` has all of
 * them.
 */
@Entity({ tableName: 'account_event' })
@DataClasses<Event>({
  kept: 'as long as the account; events are never changed, and deleted only with their account',
  shownAs: ['EventAudit'],
  internal: ['occurredAt', 'program', 'action', 'chainSeq', 'hash'],
  identifier: ['id', 'accountId', 'clientId', 'subject', 'requestId', 'object'],
  personal: {
    data: 'in the clear: masked facts, and reasons of operators, who are told to write nothing personal into them',
  },
})
@Index({ properties: ['program', 'occurredAt', 'id'] })
@NodeKey('eventId')
@ObjectType({
  description: 'An executed command, or a denied attempt, without personal data.',
  implements: Node,
  simpleResolvers: true,
})
export class Event {
  @Unique()
  @Property({ type: new BigIntType('string') })
  id!: string;

  @Field(() => ID, { description: 'The id of the event, also in webhooks, such as `evt_1042`.' })
  eventId!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the command began.' })
  occurredAt!: Date;

  @Property({ type: 'text' }) program!: string;

  /** By the table: see `EventRepository`. */
  @FromParent()
  outcome!: EventOutcome;

  @Property({ type: 'text' }) clientId!: string;
  @Property({ type: 'text' }) subject!: string;
  @Property({ type: 'text' }) requestId!: string;
  @Property({ type: 'text' }) action!: string;

  /** Declared by the noun whose command it is: see `EventTypes`. */
  @Field(() => String, {
    nullable: true,
    description: 'The type of the event, such as `beneficiary.added`; null if the event is not published.',
  })
  type!: string | null;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, {
    nullable: true,
    description: 'The account that it is about, such as `demo-1001`.',
  })
  accountId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The object that was changed, such as `card/card-17`; null if denied.',
  })
  object!: string | null;

  @Field(() => JSONObject, {
    nullable: true,
    description: 'The `data` of webhooks, whose form depends on the type: see `/events.schema.json`.',
  })
  payload!: Json;

  @AsText('dataText')
  @Property({ type: 'json' })
  data!: Json;

  /** Counts what was done in an account from 1 without gaps. */
  @PrimaryKey({ type: 'bigint', autoincrement: false })
  chainSeq!: bigint | null;

  /** SHA-256 over the hash of the event before it in its chain and everything that it says: see `chain.hash.ts`. */
  @Property({ type: 'blob' })
  hash!: Buffer | null;
}

/** An event as it is shown. */
export interface EventView extends Readonly<Pick<Event, 'eventId' | 'type' | 'accountId' | 'object' | 'payload'>> {
  readonly occurredAt: string;
  /** Absent where the event comes from the feed, which does not read it. */
  readonly audit?: Readonly<EventAudit>;
}

/** An event of the feed as it is shown. */
export function shownEvent({ event: { id, type, timestamp, data }, source }: Omit<ShownEvent, 'cursor'>): EventView {
  const { accountId, object } = source;
  return { eventId: id, type, occurredAt: timestamp, accountId, object, payload: data };
}
