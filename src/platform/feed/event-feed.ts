import { InvalidInput } from '../../shared/errors.js';
import type { EventRecord, EventTypes } from './event-types.js';
import type { Feed } from './feed.js';
import type { FeedEvent, FeedPage, FeedSelection } from './feed-rows.js';

/** A cursor as it is before it is made opaque. Names of programs contain no spaces. */
const CURSOR = /^feed (\d{1,16}) ([\x21-\x7e]+)$/;

/** What a reader wants of the events of its program. */
export interface EventWish {
  /** Only events of this account. */
  readonly accountId?: string | null | undefined;
  /** Only events of these types; all types without it. */
  readonly types?: readonly string[] | null | undefined;
}

/** An event that is shown, and the cursor behind it. */
export interface ShownEvent {
  readonly event: EventRecord;
  readonly cursor: string;
  readonly source: FeedEvent;
}

/** The feed as the outside sees it: events by their types, and cursors that belong to a program. */
export class EventFeed {
  constructor(
    readonly feed: Feed,
    readonly types: EventTypes,
  ) {}

  /** Opaque to clients. A cursor stays good for ever, also after the database was restored. */
  cursorOf(program: string, position: number): string {
    return Buffer.from(this.textOf(program, position)).toString('base64url');
  }

  /** A cursor before it is made opaque. */
  textOf(program: string, position: number): string {
    return `feed ${position} ${program}`;
  }

  /** Whether a text is a cursor of the feed, of whatever program. */
  isCursor(cursor: string): boolean {
    return CURSOR.test(Buffer.from(cursor, 'base64url').toString());
  }

  /** Where the cursor of a program stands. Throws `InvalidInput` for that of another program or list. */
  positionOf(program: string, cursor: string, pointer = '/after'): number {
    const [, position, of] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    if (position !== undefined && of === program) return Number(position);
    const detail =
      of === undefined
        ? 'Must be a cursor that the feed of events gave.'
        : 'This cursor belongs to the feed of another program. Start without a cursor.';
    throw new InvalidInput('rule_broken', [{ pointer, code: 'format', detail }]);
  }

  /** Where a reader begins: at its cursor, or at the present without one. Throws `InvalidInput`. */
  async beginning(program: string, after: string | null | undefined): Promise<number> {
    return after === null || after === undefined ? this.feed.present() : this.positionOf(program, after);
  }

  /** Throws `InvalidInput` for unknown types. */
  selectionOf(program: string, { accountId, types }: EventWish, pointer = '/types'): FeedSelection {
    return { program, accountId: accountId ?? undefined, actions: this.types.actionsOf(types, pointer) };
  }

  /** The events of a page that the outside is told about. */
  shown({ events }: Pick<FeedPage, 'events'>): ShownEvent[] {
    return events.flatMap(source => {
      const event = this.types.recordOf(source);
      return event ? [{ event, source, cursor: this.cursorOf(source.program, source.position) }] : [];
    });
  }
}
