import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/orm.js';
import type { Logger } from '../logging/logger.js';
import {
  ADVANCE,
  PRESENT,
  READ,
  WINDOW_OF_ACCOUNT,
  WINDOW_OF_PROGRAM,
  eventOf,
  type FeedEvent,
  type FeedRow,
  type FeedSelection,
} from './feed-rows.js';

/** How often a process looks for events that other processes committed. */
const POLL_MS = 250;
/** The least time between two looks, so that many commits are one look. */
const PAUSE_MS = 20;
const RETRY_MS = 1000;
/** So many events get their positions in one transaction. */
const MAX_ADVANCED = 5000;
const MAX_READ = 500;
/** So many events are kept in memory for readers that are almost up to date. */
const MAX_RECENT = 2000;
/** A page looks at so many events at once, and at so many in all, to find those that are selected. */
const WINDOW = 2000;
const MAX_WINDOWS = 25;

export interface FeedPage {
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** Where to go on: everything that is selected up to here was given. */
  readonly position: number;
  /** Whether more is known to be there. */
  readonly more: boolean;
}

/** A reader that has everything there is and waits for more. */
interface Waiting {
  readonly selection: FeedSelection;
  readonly position: number;
  readonly resolve: (page: FeedPage) => void;
}

/**
 * Events in the order in which they were committed, for readers that hold a position: none is missed and none comes
 * twice. One loop a process gives positions to new events, unless another process is doing it, and serves all readers
 * of the process that are up to date from what it reads once. The others read pages.
 */
export class Feed {
  /** The last position that this process has seen. */
  head = 0;
  /** Events after `recentFrom`, all of them. */
  private recent: FeedEvent[] = [];
  private recentFrom = 0;
  private readonly waiting = new Map<string, Set<Waiting>>();
  private readers = 0;
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private running: Promise<void> | null = null;
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

  /** Ends all waiting, and the loop. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.waking.abort();
    for (const readers of this.waiting.values()) {
      for (const { position, resolve } of readers) resolve({ events: [], position, more: false });
    }
    await this.running;
  }

  /** Something was committed here, so there is no need to wait for the next look. */
  wake(): void {
    if (this.readers > 0) this.waking.abort();
  }

  /** How many readers wait or are being served. */
  get followers(): number {
    return this.readers;
  }

  /** How old the oldest event was that got its position last, or how long no look has succeeded. */
  get lag(): number {
    const silentSeconds = (performance.now() - this.advancedMs) / 1000;
    return silentSeconds > (2 * POLL_MS) / 1000 ? Math.max(silentSeconds, this.lagSeconds) : this.lagSeconds;
  }

  /** The position of the last event, as the database knows it now. */
  async present(): Promise<number> {
    const [row] = await this.database.query<[bigint]>(PRESENT);
    return Number(row?.[0] ?? 0);
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
        page = this.recentPage(selection, page.position, limit) ?? (await this.page(selection, page.position, limit));
        if (page.events.length === 0 && page.position >= this.recentFrom && !page.more) {
          // Nothing may come between this look and the wait.
          const recent = this.recentPage(selection, page.position, limit);
          page = recent?.events.length ? recent : await this.wait(selection, page.position, signal);
        }
      }
      return page;
    } finally {
      this.readers -= 1;
    }
  }

  /**
   * What comes after a position, or from now with null, in batches without an end: no gap, and nothing twice. Ends when
   * `signal` is aborted or the gateway stops. A reader that is slow is given pages, so nothing is kept for it.
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

  /** From memory, or null if what follows the position is not all there. */
  private recentPage(selection: FeedSelection, after: number, limit: number): FeedPage | null {
    if (after < this.recentFrom) return null;
    const events: FeedEvent[] = [];
    for (let index = firstAfter(this.recent, after); index < this.recent.length; index += 1) {
      const event = this.recent[index] as FeedEvent;
      if (!isSelected(selection, event)) continue;
      if (events.length === limit) return { events, position: events.at(-1)?.position ?? after, more: true };
      events.push(event);
    }
    return { events, position: Math.max(after, this.head), more: false };
  }

  private wait(selection: FeedSelection, position: number, signal: AbortSignal): Promise<FeedPage> {
    const key = keyOf(selection.program, selection.accountId ?? null);
    return new Promise(resolve => {
      const leave = (page: FeedPage): void => {
        signal.removeEventListener('abort', give);
        const readers = this.waiting.get(key);
        readers?.delete(waiting);
        if (readers?.size === 0) this.waiting.delete(key);
        resolve(page);
      };
      const give = (): void => leave({ events: [], position, more: false });
      const waiting: Waiting = { selection, position, resolve: leave };
      const readers = this.waiting.get(key);
      if (readers) readers.add(waiting);
      else this.waiting.set(key, new Set([waiting]));
      signal.addEventListener('abort', give);
      if (signal.aborted || this.stopping.signal.aborted) give();
    });
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
        [this.recent, this.recentFrom, this.head] = [[], last, last];
        return;
      }
      const rows = await tail.query<FeedRow>(READ, [this.head, MAX_READ]);
      const events = rows.map(eventOf);
      this.head = events.at(-1)?.position ?? last;
      this.keep(events);
      this.tell(events);
    }
  }

  private keep(events: readonly FeedEvent[]): void {
    this.recent.push(...events);
    if (this.recent.length <= 2 * MAX_RECENT) return;
    const dropped = this.recent.splice(0, this.recent.length - MAX_RECENT);
    this.recentFrom = dropped.at(-1)?.position ?? this.recentFrom;
  }

  private tell(events: readonly FeedEvent[]): void {
    const byReader = new Map<string, FeedEvent[]>();
    for (const event of events) {
      const { program, accountId } = event;
      for (const key of accountId === null
        ? [keyOf(program, null)]
        : [keyOf(program, null), keyOf(program, accountId)]) {
        if (!this.waiting.has(key)) continue;
        const ofKey = byReader.get(key);
        if (ofKey) ofKey.push(event);
        else byReader.set(key, [event]);
      }
    }
    for (const [key, ofKey] of byReader) {
      for (const { selection, position, resolve } of [...(this.waiting.get(key) ?? [])]) {
        const selected = ofKey.filter(event => event.position > position && isSelected(selection, event));
        if (selected.length > 0) resolve({ events: selected, position: this.head, more: false });
      }
    }
  }
}

function isSelected({ program, accountId, actions }: FeedSelection, event: FeedEvent): boolean {
  return (
    event.program === program &&
    (accountId === undefined || event.accountId === accountId) &&
    (actions === undefined || actions.includes(event.action))
  );
}

/** The index of the first event behind a position. */
function firstAfter(events: readonly FeedEvent[], position: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle] as FeedEvent).position > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Neither programs nor ids of accounts contain spaces.
function keyOf(program: string, accountId: string | null): string {
  return accountId === null ? program : `${program} ${accountId}`;
}
