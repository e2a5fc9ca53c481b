import { Field, ID, ObjectType } from 'type-graphql';
import type { EventRecord } from '../../platform/feed/event-types.js';
import { replacedBy } from '../../platform/graphql/deprecation.js';
import { CURSOR } from '../../platform/graphql/subscriptions/live.js';
import { DateTimeISO, JSONObject } from '../../platform/scalars/scalars.js';
import { Event, type EventView } from './event.entity.js';

/** How the schema describes an event in the shape that subscriptions gave until 0.2. */
export const FORMER_EVENT = { description: '`node` in its former shape.', deprecationReason: replacedBy('node') };

@ObjectType({ description: 'An `Event` in its former shape, as webhooks have it.', simpleResolvers: true })
export class FeedEvent implements EventRecord {
  @Field(() => ID, { description: 'The same for the same event, such as `evt_1042`.' })
  id!: string;

  @Field(() => String, {
    description: 'What happened, such as `beneficiary.added`.',
  })
  type!: string;

  @Field(() => DateTimeISO, { description: 'When the command began.' })
  timestamp!: string;

  @Field(() => JSONObject, { description: 'By the type: see `/events.schema.json`.' })
  data!: EventRecord['data'];
}

@ObjectType({ description: 'An event of the program, as it was recorded.', simpleResolvers: true })
export class RecordedEvent {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => Event, { description: 'What happened.' })
  node!: EventView;

  @Field(() => FeedEvent, FORMER_EVENT)
  event!: EventRecord;
}
