import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { EventChainService } from './event-chain.service.js';
import { Event } from './event.entity.js';
import { OBJECT_OF_EVENT } from './event.object.js';
import { EventResolver } from './event.resolver.js';
import { EventService } from './event.service.js';
import { DeniedAttempt, ProgramEvent } from './program-event.entity.js';
import { RecordedEventResolver } from './recorded-events.resolver.js';
import { RecordedEventService } from './recorded-events.service.js';
import { eventRest } from './event.rest.js';

export const eventNoun = noun({
  entities: [Event, ProgramEvent, DeniedAttempt],
  services: ({ database, feed, together }: NounBase) => ({
    events: new EventService(database, feed, together),
    eventChains: new EventChainService(database),
    recordedEvents: new RecordedEventService(feed),
  }),
  resolvers: [resolver(EventResolver, 'events'), resolver(RecordedEventResolver, 'recordedEvents')],
  belongToAccount: [Event],
  nodeLinks: [OBJECT_OF_EVENT],
  nodes: of => ({ Event: (caller, eventId = '') => of.events.find(caller, eventId) }),
  rest: ({ eventTypes }) => [eventRest(eventTypes)],
});
