import { Arg, Ctx, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../platform/graphql/context.js';
import {
  AFTER,
  Subscribed,
  type Follower,
  type SubscriptionRequest,
} from '../../platform/graphql/subscriptions/live.js';
import type { LiveStream } from '../../shared/live.js';
import { RecordedEventFilter } from './event.inputs.js';
import { RecordedEvent } from './recorded-event.entity.js';
import type { RecordedEventService } from './recorded-events.service.js';
import { READ_EVENTS, READ_FEED_CURSOR } from './event.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

@Resolver(() => RecordedEvent)
export class RecordedEventResolver implements Follower {
  constructor(private readonly events: RecordedEventService) {}

  @Performs(READ_FEED_CURSOR)
  @Query(() => String, {
    nullable: true,
    description: 'The cursor of this moment, such as `ZmVlZCBYazN2OVEwbVl0MkpjUjdiTHcxbjVB`, for `after`.',
  })
  feedCursor(@Ctx() { caller }: Context): Promise<string> {
    return this.events.present(caller);
  }

  @Performs(READ_EVENTS)
  @Subscribed(() => RecordedEvent, () => RecordedEventResolver, 'The events of the program as they are committed.')
  eventRecorded(
    @Root() event: Readonly<RecordedEvent>,
    @Arg('filter', () => RecordedEventFilter, { nullable: true })
    _filter?: RecordedEventFilter | null,
    @Arg('after', () => String, { nullable: true, description: AFTER }) _after?: string | null,
  ): Readonly<RecordedEvent> {
    return event;
  }

  follow({
    args: { filter, after },
    context: { caller, signal },
  }: SubscriptionRequest<{ filter?: RecordedEventFilter | null; after?: string | null }>): Promise<
    LiveStream<RecordedEvent>
  > {
    return this.events.follow(caller, filter ?? {}, after, signal);
  }
}
