import type { Database } from '../../platform/database/orm.js';
import { batchedFind } from '../../platform/repository/batched-find.js';
import { utcInstantOf } from '../../shared/calendar.js';
import type { Caller } from '../../shared/caller.js';
import { Unavailable } from '../../shared/errors.js';
import type { PlaceLimits, PlaceLimiter } from '../../platform/workers/limits.js';
import type { ProcessGroup } from '../../platform/workers/process-group.js';
import type { EventFeed } from '../../platform/feed/event-feed.js';
import { eventNumberOf, type EventRecord } from '../../platform/feed/event-types.js';
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  positionOf,
  sliceOf,
  windowOf,
  type CursorRequest,
  type Listing,
  type Slice,
  type Window,
} from '../../shared/page.js';
import type { EventAudit, EventOrder, EventView } from './event.entity.js';
import { LATEST, type EventFilter, type FeedQuery } from './event.inputs.js';
import { EventRepository, type EventRead } from './event.repository.js';
import { selectionOf, type EventSelection } from './event.selection.js';
import { viewOf } from './event.view.js';
import { READ_EVENTS } from './event.operations.js';

/** Requests that wait for events, in all and of one client of a program. */
const WAITING: PlaceLimits = { max: 1000, maxPerClient: 50 };

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,18})$/;
const FORM = { test: (position: string) => utcInstantOf(POSITION.exec(position)?.[1] ?? '') !== null };

/** The record of changes, and of attempts that were denied. */
export class EventService {
  private readonly repository: EventRepository;
  private readonly byNumber: (number: string) => Promise<EventRead | null>;
  /** Those of the requests that wait for events, by their clients. */
  private readonly waiting: PlaceLimiter;

  constructor(
    private readonly database: Database,
    private readonly feed: EventFeed,
    together: ProcessGroup,
  ) {
    this.repository = new EventRepository(database);
    this.byNumber = batchedFind(
      numbers => this.repository.byNumbers(numbers),
      ({ id }) => id,
    );
    this.waiting = together.places('waiting for events', WAITING);
  }

  /**
   * The events of the caller's program: newest first, or in the order of the feed if `order` or the cursor says so.
   * Throws `InvalidInput`.
   */
  list(
    caller: Caller,
    request: CursorRequest,
    filter: EventFilter | null,
    order: EventOrder | null | undefined,
  ): Listing<EventView> {
    caller.require(READ_EVENTS);
    const isFeed = order ? order === 'OLDEST_FIRST' : this.feed.isCursor(request.after || (request.before ?? ''));
    const actions = filter?.types ? this.feed.types.actionsOf(filter.types, '/filter/types') : null;
    const selected = selectionOf(caller.program, filter, actions, isFeed);
    const total = () => this.repository.countOf(selected);
    if (isFeed) {
      const window = windowOf(request, (cursor, pointer) => this.feed.positionOf(caller.program, cursor, pointer));
      return { page: () => this.feedSlice(caller, selected, window), total };
    }
    const window = windowOf(request, (cursor, pointer) => positionOf(cursor, FORM, pointer).split(' '));
    return { page: () => this.slice(selected, window), total };
  }

  /** An event of the caller's program, or null. Throws `InsufficientScope`, `ProgramWideOnly`. */
  async find(caller: Caller, eventId: string): Promise<EventView | null> {
    caller.require(READ_EVENTS);
    const number = eventNumberOf(eventId);
    const found = number === null ? null : await this.byNumber(number);
    return found?.program === caller.program ? viewOf(found, this.feed.types) : null;
  }

  /**
   * Returns the record of who did it. An event of the feed is looked up for that. Throws `InsufficientScope`,
   * `ProgramWideOnly`.
   */
  async auditOf(caller: Caller, event: EventView): Promise<Readonly<EventAudit> | null> {
    caller.require(READ_EVENTS);
    return event.audit ?? (await this.find(caller, event.eventId))?.audit ?? null;
  }

  /**
   * The events of the caller's program after a cursor, oldest first. Waits for the first one as long as the query says,
   * `signal` is not aborted and the gateway does not stop. Throws `InvalidInput`, `Unavailable`.
   */
  async follow(caller: Caller, query: FeedQuery, signal: AbortSignal): Promise<FeedRead> {
    caller.require(READ_EVENTS);
    const { program } = caller;
    const selection = this.feed.selectionOf(program, query);
    const { feed } = this.feed;
    const after = await this.placeOf(program, query.after);
    const limit = Math.min(query.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
    let page = await feed.page(selection, after, limit);
    if (page.events.length === 0 && !page.more && query.wait) {
      const late = AbortSignal.any([signal, AbortSignal.timeout(query.wait * 1000)]);
      const from = page.position;
      page = await this.asWaiting(caller, () => feed.next(selection, from, limit, late));
    }
    // A client that hears of an event and then reads has to see it.
    await this.database.replicas?.noteEnd();
    const events = this.feed.shown(page).map(({ event }) => event);
    return { events, cursor: this.feed.cursorOf(program, page.position), hasMore: page.more };
  }

  private async placeOf(program: string, after: string | null | undefined): Promise<number> {
    if (after === LATEST) return this.feed.feed.present();
    return after ? this.feed.positionOf(program, after) : 0;
  }

  private async asWaiting<Result>({ program, clientId }: Caller, wait: () => Promise<Result>): Promise<Result> {
    const place = await this.waiting.take(JSON.stringify([program, clientId]));
    if (typeof place === 'string') {
      throw new Unavailable('Too many requests wait for events. Use one request for all types, or try again later.');
    }
    try {
      return await wait();
    } finally {
      place();
    }
  }

  private async slice(selected: EventSelection, window: Window<readonly string[]>): Promise<Slice<EventView>> {
    const events = await this.repository.newest(selected, window);
    const slice = sliceOf(events, window, ({ occurredAt, id }) => `${occurredAt} ${id}`);
    return { ...slice, nodes: slice.nodes.map(event => viewOf(event, this.feed.types)) };
  }

  private async feedSlice(
    { program }: Caller,
    selected: EventSelection,
    window: Window<number>,
  ): Promise<Slice<EventView>> {
    const events = await this.repository.inFeed(selected, window);
    await this.database.replicas?.noteEnd();
    const slice = sliceOf(events, window, ({ at }) => this.feed.textOf(program, at));
    return { ...slice, nodes: slice.nodes.map(({ event }) => viewOf(event, this.feed.types)) };
  }
}

/** The page that a reader of the feed gets. */
export interface FeedRead {
  readonly events: readonly EventRecord[];
  /** Where to go on. */
  readonly cursor: string;
  readonly hasMore: boolean;
}
