import { answer } from '../../platform/openapi/operation.js';
import { list, record, text } from '../../platform/openapi/schema.js';
import { ref } from '../../platform/input/json-schema.js';
import { EVENT_ID, type EventTypes } from '../../platform/feed/event-types.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { FeedQuery, MAX_WAIT_SECONDS } from './event.inputs.js';
import { READ_EVENTS } from './event.operations.js';
import { exchangeOf } from '../../platform/http/exchange.js';
import type { EventService } from './event.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

const CURSOR = 'ZmVlZCBYazN2OVEwbVl0MkpjUjdiTHcxbjVB';
const NEXT = `/events?types=beneficiary.added&limit=25&after=${CURSOR}`;

/** The time beyond its wait for which a request may be silent. */
const GRACE_MS = 10_000;

interface Services {
  readonly events: EventService;
}
const rest = restOver<Services>();

/** The feed of events. */
export function eventRest(types: EventTypes): RestPart<Services> {
  const [first] = types.all;
  const event = first && types.exampleOf(first);
  return {
    tag: { name: 'Events', description: 'What happens in a program, in the order in which it was committed.' },
    schemas: {
      Event: {
        ...record('What happened, with ids and facts and without personal data.', {
          id: text('The id of the event. The same event always has the same id.', { pattern: EVENT_ID }),
          type: text('What happened. `/events.schema.json` has the schema of each type.', {
            enum: types.all.map(({ type }) => type),
          }),
          timestamp: text('The time at which the command began.', { format: 'date-time' }),
          data: { type: 'object', description: 'Ids and facts. They depend on the type.' },
        }),
        examples: [event],
      },
      EventFeed: record('The next events of the feed.', {
        events: list(ref('Event'), 'The events, oldest first.', MAX_PAGE_SIZE),
        page: record('The position in the feed.', {
          cursor: text('Send it as `after` to get the next events, now or at any later time.', { maxLength: 255 }),
          hasMore: { type: 'boolean', description: 'True if more events are there already.' },
        }),
        links: record('Links to other pages.', {
          next: record('The next events.', {
            href: text('The path and query of the next request.', { format: 'uri-reference' }),
          }),
        }),
      }),
    },
    operations: {
      followEvents: rest(READ_EVENTS, 'GET /events', {
        summary: 'Follow events',
        description: `Events of the program after a cursor, oldest first. Follow \`links.next\` again and again: no event is missed and none comes twice. With \`wait\`, a request for which there is no event waits for one, up to ${MAX_WAIT_SECONDS} seconds.`,
        query: {
          input: FeedQuery,
          examples: { types: ['beneficiary.added'], accountId: 'demo-1001', limit: 25, wait: 0, after: CURSOR },
        },
        run: ({ caller, query, req, res }, { events }) => {
          exchangeOf(req).isWaiting = true;
          req.setTimeout(MAX_WAIT_SECONDS * 1000 + GRACE_MS);
          const gone = new AbortController();
          res.once('close', () => gone.abort());
          return events.follow(caller, query, gone.signal);
        },
        answer: answer('The next events. The list is empty if there are none.', 'EventFeed', {
          page: { cursor: CURSOR, hasMore: false },
          links: { next: { href: NEXT } },
          events: [event],
        }),
        show: ({ events, cursor, hasMore }, { parameters }) => {
          parameters.set('after', cursor);
          return { page: { cursor, hasMore }, links: { next: { href: `/events?${parameters.toString()}` } }, events };
        },
      }),
    },
  };
}
