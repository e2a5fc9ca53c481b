import type { FeedEvent, FeedPage, FeedSelection } from './feed-rows.js';
import { isSelected } from './recent-events.js';

/** A reader that has everything there is and waits for more. */
interface WaitingReader {
  readonly selection: FeedSelection;
  readonly position: number;
  readonly resolve: (page: FeedPage) => void;
}

/** Readers that wait, by what they wait for, so that an event costs those that it is for. */
export class WaitingReaders {
  private readonly waiting = new Map<string, Set<WaitingReader>>();

  /** Resolves with the next events that are selected, or with none when `signal` is aborted or all are released. */
  wait(selection: FeedSelection, position: number, signal: AbortSignal): Promise<FeedPage> {
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
      const waiting: WaitingReader = { selection, position, resolve: leave };
      const readers = this.waiting.get(key);
      if (readers) readers.add(waiting);
      else this.waiting.set(key, new Set([waiting]));
      signal.addEventListener('abort', give);
      if (signal.aborted) give();
    });
  }

  /** Gives events to those who wait for them. `head`: the position up to which these are all. */
  tell(events: readonly FeedEvent[], head: number): void {
    const byReader = new Map<string, FeedEvent[]>();
    for (const event of events) {
      for (const key of keysOf(event)) {
        if (!this.waiting.has(key)) continue;
        const ofKey = byReader.get(key);
        if (ofKey) ofKey.push(event);
        else byReader.set(key, [event]);
      }
    }
    for (const [key, ofKey] of byReader) {
      for (const { selection, position, resolve } of this.waiting.get(key) ?? []) {
        const selected = ofKey.filter(event => event.position > position && isSelected(selection, event));
        if (selected.length > 0) resolve({ events: selected, position: head, more: false });
      }
    }
  }

  /** Ends the waiting of all readers. */
  release(): void {
    for (const readers of this.waiting.values()) {
      for (const { position, resolve } of readers) resolve({ events: [], position, more: false });
    }
  }
}

// Neither programs nor ids of accounts contain spaces.
function keyOf(program: string, accountId: string | null): string {
  return accountId === null ? program : `${program} ${accountId}`;
}

function keysOf({ program, accountId }: FeedEvent): string[] {
  return accountId === null ? [program] : [program, keyOf(program, accountId)];
}
