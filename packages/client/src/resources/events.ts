import type { KnownEvent } from '../generated/events.js';
import type { Filters, Rest } from '../rest.js';
import type { CallOptions } from '../transport.js';

/** An event, with ids and facts. `type` says which facts. Types that this version does not know may come, too. */
export type TillgateEvent = KnownEvent & { readonly id: string };

export interface Batch {
  readonly events: readonly TillgateEvent[];
  /** Where to go on after these events: keep it together with what you did about them. */
  readonly cursor: string;
}

export interface FollowOptions extends Pick<CallOptions, 'signal'> {
  /**
   * The cursor of the last batch, or `latest` for what comes from now on; from the first event of the feed if absent.
   */
  readonly after?: string;
}

/** The longest that the gateway waits for an event. */
const WAIT_SECONDS = 30;
const BATCH_SIZE = 100;

export class Events {
  constructor(private readonly rest: Rest) {}

  /** Follows the feed for ever: every event once, in the order of the feed. Batches that are empty do not come. */
  follow(filters: Filters<'GET /events'> = {}, options: FollowOptions = {}): Feed {
    return new Feed(this.rest, filters, options);
  }
}

/**
 * Event by event with `for await (const event of feed)`, or with cursors: `for await (const { events, cursor } of
 * feed.batches())`.
 */
export class Feed implements AsyncIterable<TillgateEvent> {
  constructor(
    private readonly rest: Rest,
    private readonly filters: Filters<'GET /events'>,
    private readonly options: FollowOptions,
  ) {}

  async *batches(): AsyncGenerator<Batch, void, undefined> {
    const { signal, after } = this.options;
    for (let cursor = after; ;) {
      const query = { limit: BATCH_SIZE, ...this.filters, after: cursor, wait: WAIT_SECONDS };
      const { body } = await this.rest.send('GET /events', { query, signal }, { waitMs: WAIT_SECONDS * 1000 });
      const { events, page } = body as { readonly events: readonly TillgateEvent[]; readonly page: Batch };
      cursor = page.cursor;
      if (events.length > 0) yield { events, cursor };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TillgateEvent, void, undefined> {
    for await (const { events } of this.batches()) yield* events;
  }
}
