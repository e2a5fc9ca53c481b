import { Field, ID, ObjectType } from 'type-graphql';
import type { EventRecord } from '../platform/feed/event-types.js';
import { CURSOR } from '../platform/graphql/subscriptions/live.js';
import { DateTimeISO, JSONObject } from '../platform/scalars/scalars.js';

/** An event as the feed, webhooks and subscriptions show it. */
@ObjectType({
  description: 'Something that happened, with ids and facts and without personal data.',
  simpleResolvers: true,
})
export class FeedEvent implements EventRecord {
  @Field(() => ID, { description: 'The id of the event, such as `evt_1042`. The same event always has the same id.' })
  id!: string;

  @Field(() => String, {
    description: 'What happened, such as `beneficiary.added`. `/events.schema.json` lists all types.',
  })
  type!: string;

  @Field(() => DateTimeISO, { description: 'When the command began, such as `2026-03-31T18:05:00.000Z`.' })
  timestamp!: string;

  @Field(() => JSONObject, { description: 'Ids and facts, by the type: see `/events.schema.json`.' })
  data!: EventRecord['data'];
}

@ObjectType({ description: 'An event of the program, as it was recorded.', simpleResolvers: true })
export class RecordedEvent {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => FeedEvent, { description: 'What happened.' })
  event!: EventRecord;
}
