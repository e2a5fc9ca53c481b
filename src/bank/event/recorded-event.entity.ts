import { Field, ObjectType } from 'type-graphql';
import { CURSOR } from '../../platform/graphql/subscriptions/live.js';
import { Event, type EventView } from './event.entity.js';

@ObjectType({ description: 'An event of the program, as it was recorded.', simpleResolvers: true })
export class RecordedEvent {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => Event, { description: 'The event itself, as the feed has it.' })
  event!: EventView;
}
