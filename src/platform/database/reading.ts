import { AsyncLocalStorage } from 'node:async_hooks';
import { laterOf, type Place } from './position.js';
import type { Question } from './ask.js';

/** A read that is on its way to a server. */
export interface Read extends Question {
  /** Over a connection that batches share. */
  readonly isShort: boolean;
}

/** Why the primary was asked for what a replica may answer. */
export type Fallback = 'unavailable' | 'behind' | 'failed' | 'primary_unseen' | 'latest' | 'unknown_position';

/** Sends the reads of requests to replicas. */
export interface ReadRouter {
  admit(reading: ReplicaSession): Promise<void>;
  fallBack(reading: ReplicaSession, why: Fallback): void;
  read(reading: ReplicaSession, read: Read): Promise<unknown[][]>;
  textFor(reading: ReplicaSession): string | null;
  noteEnd(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The servers that may answer the reads of one request, and what these reads have seen. No read goes back behind
 * another one of its request: it sees at least what that one saw. There is none where there are no replicas.
 */
export class ReplicaSession {
  private isReplicated = false;

  constructor(
    readonly replicas: ReadRouter,
    /** The position that the reads have to see at least; null for a request without one. */
    public place: Place | null = null,
    /** Why only the primary may answer; null where a replica may. */
    private readonly why: Fallback | null = null,
  ) {}

  /** Looks for a replica for a request that changes nothing, and waits for it within its bound. */
  async open(): Promise<void> {
    if (this.why) this.replicas.fallBack(this, this.why);
    else await this.replicas.admit(this);
  }

  /** The position that its client is told. */
  get text(): string | null {
    return this.replicas.textFor(this);
  }

  /** True if a replica may answer. Only what changes nothing may ask one, and only until a read went to the primary. */
  get mayUseReplica(): boolean {
    return this.isReplicated;
  }

  useReplicas(): void {
    this.isReplicated = true;
  }

  usePrimary(): void {
    this.isReplicated = false;
  }

  /** Something of the request was written or read as of this place. */
  saw(place: Place): void {
    this.place = laterOf(this.place, place);
  }
}

const current = new AsyncLocalStorage<ReplicaSession>();

/** That of the request for which something runs now. Null for all work that is no request: it asks the primary. */
export function readingNow(): ReplicaSession | null {
  return current.getStore() ?? null;
}

export function whileReading<Result>(reading: ReplicaSession, work: () => Result): Result {
  return current.run(reading, work);
}

/** Notes for the request for which something runs now that it was committed before this place. */
export function committedBefore(place: Place): void {
  current.getStore()?.saw(place);
}

/** The reading of a batch for several requests: it sees what each of them has to see, and each has seen what it saw. */
export class SharedReading extends ReplicaSession {
  constructor(private readonly readings: readonly [ReplicaSession, ...ReplicaSession[]]) {
    super(
      readings[0].replicas,
      readings.reduce<Place | null>((latest, { place }) => (place ? laterOf(latest, place) : latest), null),
    );
    if (readings.every(({ mayUseReplica }) => mayUseReplica)) this.useReplicas();
  }

  override usePrimary(): void {
    super.usePrimary();
    for (const reading of this.readings) reading.usePrimary();
  }

  override saw(place: Place): void {
    super.saw(place);
    for (const reading of this.readings) reading.saw(place);
  }
}
