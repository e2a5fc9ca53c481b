import {
  BatchedRepository,
  NOT_DURABLE,
  inTransaction,
  type AnsweredRequest,
  type Caller,
  type Database,
  type KeyRing,
  type Logger,
} from 'tillgate/noun';
import { leavesConnectionIntact } from '../../../lib/pg-wire/pg-errors.js';
import { rowOf, waitingRequest, type WaitingRequest } from './request.draft.js';
import { ApiRequest } from './request.entity.js';

/** The requests that are kept: `writes` are those that may change something, and what was refused. */
export type KeptRequests = 'off' | 'writes' | 'all';

/** The time after which a request that waits is written. */
const FLUSH_AFTER_MS = 500;
/** The number of requests that may wait for the database. More are dropped. */
const MAX_WAITING = 10_000;
/** The number of requests that are written at a time. */
const MAX_BATCH = 1000;
/** The days whose parts of the table are made ahead are two. */
const PREPARE_EVERY_MS = 60 * 60 * 1000;

/** The parts of the log. */
export interface RequestLogParts {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly log: Logger;
  readonly kept: KeptRequests;
  readonly keptDays: number;
}

/**
 * Writes requests behind their answers, many at a time. A process that is killed loses those of the last half second,
 * and one that has too many to write drops some, and counts them.
 */
export class RequestLog {
  private readonly rows: BatchedRepository<ApiRequest, ApiRequest>;
  private waiting: WaitingRequest[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private preparedMs = -Infinity;
  private isFailing = false;
  /** Counts requests that were dropped. */
  onDrop: (count: number) => void = () => undefined;

  constructor(private readonly parts: RequestLogParts) {
    this.rows = new BatchedRepository<ApiRequest, ApiRequest>(parts.database, ApiRequest);
  }

  get isOn(): boolean {
    return this.parts.kept !== 'off';
  }

  /** Notes a request that is over, if such requests are kept. */
  add(request: AnsweredRequest): void {
    const { caller } = request;
    if (!caller || !(this.parts.kept === 'all' || request.isWrite || request.refusals)) return;
    if (this.waiting.length >= MAX_WAITING) return this.onDrop(1);
    this.waiting.push(waitingRequest(request, caller));
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Resolves when all requests that were noted so far are written, or dropped. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    return (this.writing = this.writing.then(() => this.writeAll()));
  }

  /** Makes the parts of the table for the next days, and drops those whose time is over. Gives how many. */
  async prepare(): Promise<number> {
    const [row] = await this.parts.database
      .primary()
      .execute<{ dropped: number }[]>('SELECT api_request_days(?) AS dropped', [this.parts.keptDays]);
    this.preparedMs = performance.now();
    return row?.dropped ?? 0;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MAX_BATCH);
      this.waiting = this.waiting.slice(MAX_BATCH);
      try {
        if (performance.now() - this.preparedMs > PREPARE_EVERY_MS) await this.prepare();
        await this.writeAsFit(batch);
        this.isFailing = false;
      } catch (error) {
        this.onDrop(batch.length);
        // A database that is away fails every half second.
        if (!this.isFailing) {
          this.parts.log.warn({ err: error }, 'requests could not be written to the log of requests');
        }
        this.isFailing = true;
      }
    }
  }

  /** Writes requests without those that PostgreSQL refuses for what a client made of them, such as a text with NUL. */
  private async writeAsFit(batch: readonly WaitingRequest[]): Promise<void> {
    try {
      await this.write(batch);
    } catch (error) {
      if (batch.length === 1 || !leavesConnectionIntact(error)) throw error;
      const half = Math.ceil(batch.length / 2);
      for (const part of [batch.slice(0, half), batch.slice(half)]) {
        await this.writeAsFit(part).catch((reason: unknown) => {
          if (!leavesConnectionIntact(reason)) throw reason;
          this.onDrop(part.length);
        });
      }
    }
  }

  private async write(batch: readonly WaitingRequest[]): Promise<void> {
    const drafts = batch.map(request => this.rows.draft(rowOf(request, caller => this.digestOf(caller))));
    // On Citus each row has a statement of its own: a batch is written as a whole, or not at all.
    await inTransaction(this.parts.database, transaction =>
      transaction.runAll([NOT_DURABLE, this.rows.insertion(drafts)]),
    );
  }

  /**
   * The digest of the idempotency key of a request; null without one. Keys are of clients, and may be anything, so the
   * digest is a keyed one.
   */
  private digestOf({ program, clientId, subject, idempotency }: Caller): string | null {
    if (!idempotency) return null;
    const text = JSON.stringify([program, clientId, subject, idempotency.key]);
    return this.parts.keys.digest('idempotency key of a request', text).toString('base64url');
  }
}
