import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import { InvalidInput } from '../../shared/errors.js';
import type { EventRecord, EventTypes } from './event-types.js';
import type { Feed } from './feed.js';
import type { FeedEvent, FeedPage, FeedSelection } from './feed-rows.js';

/** A cursor before it is made opaque: a sealed position. */
const CURSOR = /^feed ([\w-]{22})$/;
/** One block holds the position and what tells the program, so that neither needs an initialisation vector. */
const CIPHER = 'aes-128-ecb';
const PROGRAM_BYTES = 8;

/** The selection that a reader makes of the events of its program. */
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
  private key: Buffer | null = null;

  constructor(
    readonly feed: Feed,
    readonly types: EventTypes,
  ) {}

  /** Reads the key of cursors, which all later calls need. */
  async open(): Promise<void> {
    this.key = await this.feed.cursorKey();
  }

  /**
   * Opaque to clients: positions count the events of all programs, and nobody is told how many others have. A cursor
   * stays good for ever, also after the database was restored.
   */
  cursorOf(program: string, position: number): string {
    return Buffer.from(this.textOf(program, position)).toString('base64url');
  }

  /** A cursor before it is made opaque. */
  textOf(program: string, position: number): string {
    const block = Buffer.alloc(8 + PROGRAM_BYTES, digestOf(program));
    block.writeBigUInt64BE(BigInt(position));
    return `feed ${this.cipher(createCipheriv, block).toString('base64url')}`;
  }

  /** True for a text that is a cursor of the feed, of whatever program. */
  isCursor(cursor: string): boolean {
    return CURSOR.test(textIn(cursor));
  }

  /** Where the cursor of a program stands. Throws `InvalidInput` for that of another program or list. */
  positionOf(program: string, cursor: string, pointer = '/after'): number {
    const [, sealed] = CURSOR.exec(textIn(cursor)) ?? [];
    if (sealed !== undefined) {
      const block = this.cipher(createDecipheriv, Buffer.from(sealed, 'base64url'));
      if (block.subarray(8).equals(digestOf(program))) return Number(block.readBigUInt64BE());
    }
    const detail = sealed
      ? 'This cursor belongs to the feed of another program. Start without a cursor.'
      : 'Must be a cursor that the feed of events gave.';
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

  private cipher(create: typeof createCipheriv | typeof createDecipheriv, block: Buffer): Buffer {
    if (!this.key) throw new Error('the feed of events was not opened');
    const cipher = create(CIPHER, this.key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]);
  }
}

/** Tells programs apart. */
function digestOf(program: string): Buffer {
  return hash('sha256', program, 'buffer').subarray(0, PROGRAM_BYTES);
}

/** Returns the text that was made opaque. Empty for a text that is written otherwise than the feed writes it. */
function textIn(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.toString('base64url') === cursor ? bytes.toString() : '';
}
