import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import type { Context } from '../platform/graphql/context.js';
import { CursorArgs } from '../platform/graphql/page-args.js';
import { Event, type EventView } from './event.entity.js';
import { EventFilter } from './event.inputs.js';
import type { EventService } from './event.service.js';

const EventConnection = connectionOf<EventView>(Event);

@Resolver(() => Event)
export class EventResolver {
  constructor(private readonly record: EventService) {}

  @Query(() => EventConnection, {
    nullable: true,
    description:
      'The events of the program, newest first: who changed what, and which attempts were denied. Needs the scope `operations`.',
  })
  events(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => EventFilter, {
      nullable: true,
      description: 'A filter; without it the list has all elements.',
    })
    filter: EventFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<EventView> {
    return new EventConnection(this.record.list(caller, page, filter));
  }
}
