import { setTimeout as sleep } from 'node:timers/promises';
import { LockMode } from '@mikro-orm/core';
import {
  MAX_READ,
  NOT_DURABLE,
  READ,
  eventOf,
  inTransaction,
  type Database,
  type FeedRow,
  type Logger,
  type SqlTransaction,
} from 'tillgate/noun';
import { OverviewReading } from './overview.entity.js';
import { countable, figuresOf } from './overview.figures.js';

const EVERY_MS = 1000;
/** Requests come first: after each batch of a long catch-up there is a pause. */
const PAUSE_MS = 20;
const CANNOT = 'events cannot be counted for the overviews of programs; the gateway keeps trying';

export interface ReaderOrder {
  readonly database: Database;
  /** The last position of the feed that this process has seen. */
  readonly head: () => number;
  readonly log: Logger;
}

/**
 * Counts the events of the feed, once each: the figures are written in the transaction that moves the position. One
 * process does it at a time, and another one goes on where it stopped.
 */
export class OverviewReader {
  private position = 0;
  private readonly stopping = new AbortController();
  private readonly loop: Promise<void>;

  constructor(private readonly order: ReaderOrder) {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
    let isFailing = false;
    while (!signal.aborted) {
      try {
        if (this.order.head() > this.position) while (await this.countSome()) await pause(PAUSE_MS);
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.order.log.warn({ err: error }, CANNOT);
        isFailing = true;
      }
      await pause(EVERY_MS);
    }
  }

  /** Counts the next events. Gives whether there are more to be counted here. */
  private async countSome(): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    const { database } = this.order;
    const reached = await inTransaction(database, async transaction => {
      const lockMode = LockMode.PESSIMISTIC_PARTIAL_WRITE;
      const reading = await database.em(transaction).findOne(OverviewReading, { id: 1 }, { lockMode });
      // Another process counts.
      if (!reading) return null;
      return this.countAfter(transaction, reading.position);
    });
    if (!reached) return false;
    this.position = reached.position;
    return reached.hasMore;
  }

  private async countAfter(transaction: SqlTransaction, position: number) {
    const rows = await transaction.query<FeedRow>(READ, [position, MAX_READ]);
    const events = countable(rows.map(eventOf));
    const last = events.at(-1);
    if (!last) return { position, hasMore: false };
    // A crash of the server that loses the figures loses the position with them.
    await transaction.run(NOT_DURABLE);
    for (const query of await figuresOf(transaction, events)) await transaction.run(query);
    const reached = { position: last.position, countedAt: new Date(last.occurredAt) };
    await this.order.database.em(transaction).nativeUpdate(OverviewReading, { id: 1 }, reached);
    return { position: last.position, hasMore: events.length < rows.length || rows.length === MAX_READ };
  }
}
