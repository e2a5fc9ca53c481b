import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { AccountWatch } from '../account/changes/account-watch.service.js';
import type { EventFeed } from '../../platform/feed/event-feed.js';
import type { FeedEvent } from '../../platform/feed/feed-rows.js';
import type { Caller } from '../../shared/caller.js';
import { InvalidInput } from '../../shared/errors.js';
import type { LiveStream } from '../../shared/live.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import type { LedgerRanges } from './ledger-ranges.js';
import type { PostedTransaction } from './posted-transaction.entity.js';
import type { TransactionRead } from './transaction.entity.js';
import { POSTING_ACTIONS, type PostedFacts } from './transaction.events.js';
import { FOLLOW_TRANSACTIONS } from './transaction.operations.js';

/** A cursor of the feed and, inside of an event, the last number that its reader has had. */
const CURSOR = /^([\w-]+)(?:\.([1-9]\d{0,15}))?$/;

/** Where a reader stands: behind this position, and behind this number in the event that comes next. */
interface Place {
  readonly position: number;
  readonly seq: number;
}

/** The numbers that an event added to the ledger: those above `low` up to `high`. */
interface AddedEntries {
  readonly low: number;
  readonly high: number;
  readonly position: number;
  /** The position of the event before it, or where its reader stands. */
  readonly before: number;
}

export interface FollowRequest {
  /** The cursor of the last transaction that the reader has had; without one it begins now. */
  readonly after: string | null | undefined;
  /** True if the lists of transactions are read. */
  readonly lists: boolean;
  readonly signal: AbortSignal;
}

/** The transactions of an account, one by one as they are posted. */
export class PostedTransactionService {
  /** Ranges that are being read, which all their readers share. */
  private readonly reading = new Map<string, Promise<TransactionRead[]>>();

  constructor(
    private readonly ranges: LedgerRanges,
    private readonly accounts: AccountService,
    private readonly feed: EventFeed,
  ) {}

  /** Throws `InsufficientScope`, `AccountNotFound`, `InvalidInput`. */
  async follow(caller: Caller, accountId: string, following: FollowRequest): Promise<LiveStream<PostedTransaction>> {
    caller.require(FOLLOW_TRANSACTIONS);
    const { program } = caller;
    const watch = new AccountWatch(this.accounts, caller, accountId);
    const account = await watch.now();
    const place = await this.placeOf(program, following.after);
    if (place.seq > account.lastSeq) throw badCursor();
    return {
      cursor: this.cursorOf(program, place),
      [Symbol.asyncIterator]: () => this.items(watch, program, accountId, place, following),
    };
  }

  private async *items(
    watch: AccountWatch,
    program: string,
    accountId: string,
    { position, seq }: Place,
    { lists, signal }: FollowRequest,
  ): AsyncGenerator<PostedTransaction> {
    let [before, last] = [position, seq];
    // All events of the account, since another owner may be the reason that the reader may see it no longer.
    for await (const page of this.feed.feed.follow({ program, accountId }, position, signal)) {
      await watch.now();
      const additions = additionsOf(page.events, before, last);
      let index = 0;
      for (const run of runsOf(additions)) {
        for (const transaction of await this.read(await watch.recent(), run, lists)) {
          while ((additions[index] as AddedEntries).high < transaction.seq) index += 1;
          const place = placeAfter(transaction.seq, additions[index] as AddedEntries);
          await watch.recent();
          yield { cursor: this.cursorOf(program, place), transaction };
        }
      }
      before = page.position;
      last = additions.at(-1)?.high ?? last;
    }
  }

  private read(account: AccountView, { low, high }: Range, lists: boolean): Promise<TransactionRead[]> {
    const key = `${account.accountId} ${low} ${high} ${lists}`;
    const running = this.reading.get(key);
    if (running) return running;
    const rows = this.ranges
      .read(account, { high, size: high - low, lists })
      .then(newestFirst => newestFirst.toReversed())
      .finally(() => this.reading.delete(key));
    this.reading.set(key, rows);
    return rows;
  }

  private async placeOf(program: string, after: FollowRequest['after']): Promise<Place> {
    const [, cursor = after, seq = '0'] = CURSOR.exec(after ?? '') ?? [];
    return { position: await this.feed.beginning(program, cursor), seq: Number(seq) };
  }

  private cursorOf(program: string, { position, seq }: Place): string {
    const cursor = this.feed.cursorOf(program, position);
    return seq === 0 ? cursor : `${cursor}.${seq}`;
  }
}

/** The numbers above `low` up to `high`. */
type Range = Pick<AddedEntries, 'low' | 'high'>;

/**
 * Returns the additions of events of which the reader has not had everything. `last`: the last number that it has had.
 */
function additionsOf(events: readonly FeedEvent[], after: number, last: number): AddedEntries[] {
  let before = after;
  let low = last;
  const additions: AddedEntries[] = [];
  for (const { position, action, data } of events) {
    if (POSTING_ACTIONS.has(action)) {
      const { transactions, lastSeq: high } = data as unknown as PostedFacts;
      low = Math.max(low, high - transactions);
      if (low < high) additions.push({ low, high, position, before });
    }
    before = position;
  }
  return additions;
}

/** The ranges to be read: what follows each other is read together, and not too much at once. */
function* runsOf(additions: readonly AddedEntries[]): Generator<Range> {
  let index = 0;
  while (index < additions.length) {
    let { low, high } = additions[index++] as AddedEntries;
    while (additions[index]?.low === high) high = (additions[index++] as AddedEntries).high;
    for (; low < high; low += MAX_PAGE_SIZE) yield { low, high: Math.min(low + MAX_PAGE_SIZE, high) };
  }
}

/** Where a reader stands that has had this number: inside of an event, or behind it. */
function placeAfter(seq: number, { high, position, before }: AddedEntries): Place {
  return seq < high ? { position: before, seq } : { position, seq: 0 };
}

function badCursor(): InvalidInput {
  return new InvalidInput('rule_broken', [
    {
      pointer: '/after',
      code: 'format',
      detail: 'Must be a cursor that this subscription or the feed of events gave.',
    },
  ]);
}
