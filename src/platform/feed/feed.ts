import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/orm.js';
import type { Logger } from '../logging/logger.js';
import {
  ADVANCE,
  MAX_READ,
  IS_LEFT,
  LAST_EVENT,
  PLACES,
  READ,
  WINDOW,
  WINDOW_OF_ACCOUNT,
  WINDOW_OF_PROGRAM,
  eventOf,
  type FeedEvent,
  type FeedPage,
  type FeedRow,
  type FeedSelection,
} from './feed-rows.js';
import { RecentEvents } from './recent-events.js';
import { WaitingReaders } from './waiting-readers.js';

/** The pause between two looks for events that other processes committed. */
const POLL_MS = 250;
/** The least time between two looks, so that many commits are one look. */
const PAUSE_MS = 50;
const RETRY_MS = 1000;
const PRESENT_RETRY_MS = 5;
/** The number of events that get their positions in one transaction. */
const MAX_ADVANCED = 5000;
/** A page looks at so many windows of events to find those that are selected. */
const MAX_WINDOWS = 25;

interface CursorKeyRow {
  readonly cursor_key: Buffer;
}

/**
 * Events in the order in which they were committed, for readers that hold a position: none is missed and none comes
 * twice. One loop a process gives positions to new events, unless another process is doing it, and serves all readers
 * of the process that are up to date from what it reads once. The others read pages.
 */
export class Feed {
  private readonly recent = new RecentEvents();
  private readonly waiting = new WaitingReaders();
  private readers = 0;
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private running: Promise<void> | null = null;
  private readonly looks: ((connection: Database) => Promise<void>)[] = [];
  private isFailing = false;
  private advancedMs = performance.now();
  private lagSeconds = 0;
  /** Numbers of events that may still come from transactions that run. */
  missing = 0;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  /** Begins to look for events, on a connection of its own, so that busy ones do not delay them. */
  start(): void {
    this.running ??= this.open();
  }

  /**
   * From now on each round of the loop looks for something else that other processes wrote, on the same connection.
   * `look` must not fail.
   */
  lookBeside(look: (connection: Database) => Promise<void>): void {
    this.looks.push(look);
  }

  /** Ends all waiting, and the loop. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.waking.abort();
    this.waiting.release();
    await this.running;
  }

  /** Something was committed here, so there is no need to wait for the next look. */
  wake(): void {
    if (this.readers > 0) this.waking.abort();
  }

  /** The last position that this process has seen. */
  get head(): number {
    return this.recent.head;
  }

  /** The number of readers that wait or are being served. */
  get followers(): number {
    return this.readers;
  }

  /** The age of the oldest event that got its position last, or the time for which no look has succeeded. */
  get lag(): number {
    const silentSeconds = (performance.now() - this.advancedMs) / 1000;
    return silentSeconds > (2 * POLL_MS) / 1000 ? Math.max(silentSeconds, this.lagSeconds) : this.lagSeconds;
  }

  /** A position behind every event that is committed now. Gives positions to those that have none yet. */
  async present(): Promise<number> {
    const [last] = await this.database.query<[bigint | null]>(LAST_EVENT);
    for (;;) {
      await this.database.query(ADVANCE, [MAX_ADVANCED]);
      const [places] = await this.database.query<[bigint, string, string, string]>(PLACES);
      if (!places) throw new Error('the table feed_state has no row');
      const [position, ...others] = places;
      const [left] = await this.database.query<[boolean]>(IS_LEFT, [last?.[0] ?? 0, ...others]);
      if (!left?.[0]) return Number(position);
      // Another process is giving positions, and may have begun before an event was committed.
      await sleep(PRESENT_RETRY_MS);
    }
  }

  /** The key that hides positions in cursors. */
  async cursorKey(): Promise<Buffer> {
    const [state] = await this.database.primary().execute<CursorKeyRow[]>('SELECT cursor_key FROM feed_state');
    if (!state) throw new Error('the table feed_state has no row');
    return state.cursor_key;
  }

  /** Events after a position. May give fewer than there are, even none, and say that there are more. */
  async page(selection: FeedSelection, after: number, limit: number): Promise<FeedPage> {
    const { program, accountId, actions } = selection;
    const statement = accountId === undefined ? WINDOW_OF_PROGRAM : WINDOW_OF_ACCOUNT;
    const events: FeedEvent[] = [];
    let position = after;
    for (let windows = 0; windows < MAX_WINDOWS; windows += 1) {
      const missing = limit - events.length;
      const values: unknown[] = [program, position, WINDOW, actions ?? null, missing];
      if (accountId !== undefined) values.push(accountId);
      const rows = await this.database.query<FeedRow>(statement, values);
      const end = rows.pop();
      events.push(...rows.map(eventOf));
      const last = events.at(-1);
      if (last && rows.length === missing) return { events, position: last.position, more: true };
      position = Number(end?.[0] ?? position);
      if (end?.[1] !== 'more') return { events, position, more: false };
    }
    return { events, position, more: true };
  }

  /**
   * The next events after a position: at once if there are any, else when there are, and none when `signal` is aborted
   * or the gateway stops.
   */
  async next(selection: FeedSelection, after: number, limit: number, signal: AbortSignal): Promise<FeedPage> {
    this.readers += 1;
    try {
      let page: FeedPage = { events: [], position: after, more: true };
      while (page.events.length === 0 && !signal.aborted && !this.stopping.signal.aborted) {
        page = this.recent.page(selection, page.position, limit) ?? (await this.page(selection, page.position, limit));
        if (page.events.length === 0 && page.position >= this.recent.from && !page.more) {
          // Nothing may come between this look and the wait.
          const recent = this.recent.page(selection, page.position, limit);
          page = recent?.events.length ? recent : await this.wait(selection, page.position, signal);
        }
      }
      return page;
    } finally {
      this.readers -= 1;
    }
  }

  /**
   * Yields what comes after a position, or from now with null, in batches without an end: no gap, and nothing twice.
   * Ends when `signal` is aborted or the gateway stops. A reader that is slow is given pages, so nothing is kept for
   * it.
   */
  async *follow(selection: FeedSelection, after: number | null, signal: AbortSignal): AsyncGenerator<FeedPage> {
    let position = after ?? (await this.present());
    this.readers += 1;
    try {
      while (!signal.aborted && !this.stopping.signal.aborted) {
        const page = await this.next(selection, position, MAX_READ, signal);
        position = page.position;
        if (page.events.length > 0) yield page;
      }
    } finally {
      this.readers -= 1;
    }
  }

  private async wait(selection: FeedSelection, position: number, signal: AbortSignal): Promise<FeedPage> {
    if (this.stopping.signal.aborted) return { events: [], position, more: false };
    return this.waiting.wait(selection, position, signal);
  }

  private async open(): Promise<void> {
    const tail = await this.database.reopen({ poolSize: 1, entities: [], applicationName: 'tillgate-feed' });
    try {
      await this.run(tail);
    } finally {
      await tail.close();
    }
  }

  private async run(tail: Database): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.waking = new AbortController();
      const isAdvanced = await this.tryToAdvance(tail);
      for (const look of this.looks) await look(tail);
      await sleep(PAUSE_MS);
      const { signal } = isAdvanced ? this.waking : this.stopping;
      await sleep(isAdvanced ? POLL_MS : RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async tryToAdvance(tail: Database): Promise<boolean> {
    try {
      await this.advance(tail);
      this.isFailing = false;
      return true;
    } catch (error) {
      if (!this.isFailing) this.log.warn({ err: error }, 'new events could not be read; the gateway keeps trying');
      this.isFailing = true;
      return false;
    }
  }

  /** Gives positions to what was committed, and reads it. */
  private async advance(tail: Database): Promise<void> {
    let more = true;
    while (more && !this.stopping.signal.aborted) {
      const [row] = await tail.query<[bigint, boolean, number, number]>(ADVANCE, [MAX_ADVANCED]);
      if (!row) return;
      const [last, isCut, missing, lagSeconds] = row;
      [more, this.missing, this.lagSeconds] = [isCut, missing, lagSeconds];
      this.advancedMs = performance.now();
      await this.read(tail, Number(last));
    }
  }

  private async read(tail: Database, last: number): Promise<void> {
    while (this.head < last) {
      // A reader that comes from now on finds no gap, since this is not interrupted.
      if (this.readers === 0) {
        this.recent.skipTo(last);
        return;
      }
      const rows = await tail.query<FeedRow>(READ, [this.head, MAX_READ]);
      const events = rows.map(eventOf);
      this.recent.add(events, events.at(-1)?.position ?? last);
      this.waiting.tell(events, this.head);
    }
  }
}
