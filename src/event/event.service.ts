import type { Database } from '../platform/database/orm.js';
import { utcInstantOf } from '../shared/calendar.js';
import type { Caller } from '../shared/caller.js';
import { Unavailable } from '../shared/errors.js';
import type { PlaceLimits, Places } from '../platform/workers/limits.js';
import type { Together } from '../platform/workers/together.js';
import type { EventFeed } from '../platform/feed/event-feed.js';
import type { EventRecord } from '../platform/feed/event-types.js';
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
} from '../shared/page.js';
import type { EventOrder, EventOutcome, EventView } from './event.entity.js';
import { LATEST, type EventFilter, type FeedQuery } from './event.inputs.js';
import { EventSelection } from './event.selection.js';

type EventRow = [
  id: string,
  occurredAt: string,
  outcome: EventOutcome,
  clientId: string,
  subject: string,
  requestId: string,
  action: string,
  accountId: string | null,
  object: string | null,
  data: EventView['data'],
  chainSeq: number | null,
  hash: string | null,
];

/** Requests that wait for events, in all and of one client of a program. */
const WAITING: PlaceLimits = { max: 1000, maxPerClient: 50 };

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,18})$/;
const FORM = { test: (position: string) => utcInstantOf(POSITION.exec(position)?.[1] ?? '') !== null };
/** The place before the newest event. */
const NEWEST = ['infinity', '9223372036854775807'];

/** The record of changes, and of attempts that were denied. */
export class EventService {
  /** The requests that wait for events, by their clients. */
  private readonly waiting: Places;

  constructor(
    private readonly database: Database,
    private readonly feed: EventFeed,
    together: Together,
  ) {
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
    caller.require('operations.read');
    const isFeed = order ? order === 'OLDEST_FIRST' : this.feed.isCursor(request.after || (request.before ?? ''));
    const actions = filter?.types ? this.feed.types.actionsOf(filter.types, '/filter/types') : null;
    const selected = new EventSelection(caller.program, filter, actions, isFeed);
    const total = () => this.count(selected);
    if (isFeed) {
      const window = windowOf(request, (cursor, pointer) => this.feed.positionOf(caller.program, cursor, pointer));
      return { page: () => this.feedSlice(caller, selected, window), total };
    }
    const window = windowOf(request, (cursor, pointer) => positionOf(cursor, FORM, pointer).split(' '));
    return { page: () => this.slice(selected, window), total };
  }

  /**
   * The events of the caller's program after a cursor, oldest first. Waits for the first one as long as the query says,
   * `signal` is not aborted and the gateway does not stop. Throws `InvalidInput`, `Unavailable`.
   */
  async follow(caller: Caller, query: FeedQuery, signal: AbortSignal): Promise<FeedRead> {
    caller.require('operations.read');
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
    // Who hears of an event and then reads has to see it.
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
    const { after, before, limit, fromEnd } = window;
    const values = [...selected.values, limit + 1, ...(after ?? NEWEST), ...(before ?? [])];
    const rows = await this.database.read<EventRow>(selected.newest(before !== null, fromEnd), values);
    const events = rows.map(row => this.eventOf(row));
    return sliceOf(events, window, ({ occurredAt, id }) => `${occurredAt} ${id}`);
  }

  private async feedSlice(
    { program }: Caller,
    selected: EventSelection,
    window: Window<number>,
  ): Promise<Slice<EventView>> {
    type Row = [...EventRow, position: bigint];
    const { after, before, limit, fromEnd } = window;
    const values = [...selected.values, limit + 1, after ?? 0, ...(before === null ? [] : [before])];
    const rows = await this.database.query<Row>(selected.inFeed(before !== null, fromEnd), values);
    await this.database.replicas?.noteEnd();
    const events = rows.map(row => ({ event: this.eventOf(row as unknown as EventRow), at: Number(row.at(-1)) }));
    const slice = sliceOf(events, window, ({ at }) => this.feed.textOf(program, at));
    return { ...slice, nodes: slice.nodes.map(({ event }) => event) };
  }

  private async count(selected: EventSelection): Promise<number> {
    const [row] = await this.database.read<[number]>(selected.count(), [...selected.values]);
    return row?.[0] ?? 0;
  }

  private eventOf(row: EventRow): EventView {
    const [id, occurredAt, outcome, clientId, subject, requestId, action, accountId, object, data, chainSeq, hash] =
      row;
    const type = outcome === 'DONE' ? this.feed.types.typeOf(action) : null;
    const attempt = { id, occurredAt, outcome, clientId, subject, requestId };
    return { ...attempt, action, type, accountId, object, data, chainSeq, hash };
  }
}

/** What a reader of the feed gets. */
export interface FeedRead {
  readonly events: readonly EventRecord[];
  /** Where to go on. */
  readonly cursor: string;
  readonly hasMore: boolean;
}
