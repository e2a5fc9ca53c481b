import type { EventFeed, EventWish } from '../../platform/feed/event-feed.js';
import type { FeedSelection } from '../../platform/feed/feed-rows.js';
import type { Caller } from '../../shared/caller.js';
import type { LiveStream } from '../../shared/live.js';
import { shownEvent } from './event.entity.js';
import type { RecordedEvent } from './recorded-event.entity.js';
import { READ_EVENTS, READ_FEED_CURSOR } from './event.operations.js';

/** The events of a program as they are recorded. */
export class RecordedEventService {
  constructor(private readonly feed: EventFeed) {}

  /**
   * The cursor behind everything that is committed now, of use to any subscription of the program. Throws
   * `InsufficientScope`.
   */
  async present(caller: Caller): Promise<string> {
    const { program } = caller;
    caller.require(READ_FEED_CURSOR);
    return this.feed.cursorOf(program, await this.feed.feed.present());
  }

  /** Throws `InsufficientScope`, `ProgramWideOnly`, `InvalidInput`. */
  async follow(
    caller: Caller,
    wish: EventWish,
    after: string | null | undefined,
    signal: AbortSignal,
  ): Promise<LiveStream<RecordedEvent>> {
    caller.require(READ_EVENTS);
    const { feed } = this;
    const { program } = caller;
    const selection = feed.selectionOf(program, wish, '/filter/types');
    const position = await feed.beginning(program, after);
    return {
      cursor: feed.cursorOf(program, position),
      [Symbol.asyncIterator]: () => this.items(selection, position, signal),
    };
  }

  private async *items(selection: FeedSelection, after: number, signal: AbortSignal): AsyncGenerator<RecordedEvent> {
    for await (const page of this.feed.feed.follow(selection, after, signal)) {
      for (const shown of this.feed.shown(page)) {
        yield { cursor: shown.cursor, event: shownEvent(shown) };
      }
    }
  }
}
