import type { FeedEvent, FeedPage, FeedSelection } from './feed-rows.js';

/** The number of events that are kept in memory for readers that are almost up to date. */
const MAX_RECENT = 2000;

/** The last events of the feed: all of them behind a position, which is `from`. */
export class RecentEvents {
  /** The last position that this process has seen. */
  head = 0;
  from = 0;
  private events: FeedEvent[] = [];

  /** The next events of the feed, up to a position. */
  add(events: readonly FeedEvent[], head: number): void {
    this.head = head;
    this.events.push(...events);
    if (this.events.length <= 2 * MAX_RECENT) return;
    const dropped = this.events.splice(0, this.events.length - MAX_RECENT);
    this.from = dropped.at(-1)?.position ?? this.from;
  }

  /** Forgets everything up to a position. */
  skipTo(position: number): void {
    [this.events, this.from, this.head] = [[], position, position];
  }

  /** Returns what follows a position, or null if that is not all there. */
  page(selection: FeedSelection, after: number, limit: number): FeedPage | null {
    if (after < this.from) return null;
    const events: FeedEvent[] = [];
    for (let index = this.firstAfter(after); index < this.events.length; index += 1) {
      const event = this.events[index] as FeedEvent;
      if (!isSelected(selection, event)) continue;
      if (events.length === limit) return { events, position: events.at(-1)?.position ?? after, more: true };
      events.push(event);
    }
    return { events, position: Math.max(after, this.head), more: false };
  }

  /** The index of the first event behind a position. */
  private firstAfter(position: number): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.events[middle] as FeedEvent).position > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

export function isSelected({ program, accountId, actions }: FeedSelection, event: FeedEvent): boolean {
  return (
    event.program === program &&
    (accountId === undefined || event.accountId === accountId) &&
    (actions === undefined || actions.includes(event.action))
  );
}
