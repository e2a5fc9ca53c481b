import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import type { Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { Event, EventAudit, EventOrder, type EventView } from './event.entity.js';
import { EventFilter } from './event.inputs.js';
import type { EventService } from './event.service.js';
import { READ_EVENTS } from './event.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const EventConnection = connectionOf<EventView>(Event);

@Resolver(() => Event)
export class EventResolver {
  constructor(private readonly record: EventService) {}

  @Performs(READ_EVENTS)
  @Query(() => EventConnection, {
    nullable: true,
    description: 'The events: changes with who made them, and denied attempts, the newest first.',
  })
  events(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => EventFilter, { nullable: true })
    filter: EventFilter | null,
    @Arg('order', () => EventOrder, {
      nullable: true,
      description: 'The order of the list; when absent, that of the cursor `after`, or NEWEST_FIRST.',
    })
    order: EventOrder | null | undefined,
    @Ctx() { caller }: Context,
  ): Connection<EventView> {
    return new EventConnection(this.record.list(caller, page, filter, order));
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => EventAudit, {
    nullable: true,
    description: 'The caller, the request and what is recorded of the change.',
  })
  audit(@Root() event: EventView, @Ctx() { caller }: Context): Promise<Readonly<EventAudit> | null> {
    return this.record.auditOf(caller, event);
  }
}
