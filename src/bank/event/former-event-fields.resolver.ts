import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { replacedBy } from '../../platform/graphql/deprecation.js';
import type { Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { JSONObject } from '../../platform/scalars/scalars.js';
import type { Caller } from '../../shared/caller.js';
import { Event, EventOutcome, type EventAudit, type EventView } from './event.entity.js';
import { READ_EVENTS } from './event.operations.js';
import type { EventService } from './event.service.js';

/** How the schema describes a field that `audit` has since 0.3. */
function former(name: keyof EventAudit, nullable = false) {
  return {
    nullable,
    description: `\`${name}\` of \`audit\`.`,
    deprecationReason: replacedBy(`audit { ${name} }`),
  };
}

/** The fields of events that `audit` has since 0.3. */
@Resolver(() => Event)
export class FormerEventFields {
  constructor(private readonly events: EventService) {}

  @Performs(READ_EVENTS)
  @FieldResolver(() => EventOutcome, former('outcome'))
  outcome(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'outcome');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => String, former('clientId'))
  clientId(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'clientId');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => String, former('subject'))
  subject(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'subject');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => String, former('requestId'))
  requestId(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'requestId');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => String, former('action'))
  action(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'action');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => JSONObject, former('data'))
  data(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'data');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => Int, former('chainSeq', true))
  chainSeq(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'chainSeq');
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => String, former('hash', true))
  hash(@Root() event: EventView, @Ctx() { caller }: Context): Promise<unknown> {
    return this.read(caller, event, 'hash');
  }

  private async read(caller: Caller, event: EventView, name: keyof EventAudit): Promise<unknown> {
    return (await this.events.auditOf(caller, event))?.[name];
  }
}
