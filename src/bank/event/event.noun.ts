import type { Database } from '../../platform/database/orm.js';
import type { EventFeed } from '../../platform/feed/event-feed.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { ProcessGroup } from '../../platform/workers/process-group.js';
import { EventChainService } from './event-chain.service.js';
import { Event } from './event.entity.js';
import { OBJECT_OF_EVENT } from './event.object.js';
import { EventResolver } from './event.resolver.js';
import { EventService } from './event.service.js';
import { DeniedAttempt, ProgramEvent } from './program-event.entity.js';
import { RecordedEventResolver } from './recorded-events.resolver.js';
import { RecordedEventService } from './recorded-events.service.js';
import { eventRest } from './event.rest.js';

interface Needs {
  readonly database: Database;
  readonly feed: EventFeed;
  readonly together: ProcessGroup;
}
export interface Services {
  readonly events: EventService;
  readonly eventChains: EventChainService;
  readonly recordedEvents: RecordedEventService;
}

export const eventNoun = noun<Needs>()({
  entities: [Event, ProgramEvent, DeniedAttempt],
  services: ({ database, feed, together }): Services => ({
    events: new EventService(database, feed, together),
    eventChains: new EventChainService(database),
    recordedEvents: new RecordedEventService(feed),
  }),
  resolvers: [
    resolver(EventResolver, (of: Services) => new EventResolver(of.events)),
    resolver(RecordedEventResolver, (of: Services) => new RecordedEventResolver(of.recordedEvents)),
  ],
  belongToAccount: [Event],
  nodeLinks: [OBJECT_OF_EVENT],
  nodes: of => ({ Event: (caller, eventId = '') => of.events.find(caller, eventId) }),
  rest: ({ eventTypes }) => [eventRest(eventTypes)],
});
