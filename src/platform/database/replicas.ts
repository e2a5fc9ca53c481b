import { isConnectionLost, isStatementCancelled } from '../../../lib/pg-wire/pg-errors.js';
import { outOfTime } from './deadline.js';
import type { Database } from './orm.js';
import {
  END_OF_LOG,
  isBehind,
  LATEST,
  laterOf,
  positionOf,
  type Place,
  SignedPositions,
  type EndOfLogRow,
  type PositionKeys,
  type Position,
} from './position.js';
import { PrimaryLog } from './primary-log.js';
import { ReplicaSession, readingNow, type Fallback, type Read, type ReadRouter } from './reading.js';
import { Replica } from './replica.js';
import { LONGEST_LOOK_MS, ReplicaWatch } from './replica-watch.js';

export interface ReplicaSettings {
  /** Addresses of streaming replicas of the database. */
  readonly urls: readonly string[];
  /** A replica that is further behind answers nothing. */
  readonly maxLagMs: number;
  /** The time for which a read waits for a replica to get to its position, before the primary is asked. */
  readonly waitMs: number;
}

/**
 * Sends reads of requests to replicas that have what the read must see, and to the primary where none has. The gateway
 * keeps nothing of a client: what its reads must see is in the position that it sends (docs/adr/0037).
 */
export class Replicas implements ReadRouter {
  readonly all: readonly Replica[];
  readonly positions: SignedPositions;
  readonly fallbacks = new Map<Fallback, number>();
  /** Reads that the primary answered in place of a replica. */
  primaryReads = 0;
  private readonly log: PrimaryLog;
  private readonly watch: ReplicaWatch;
  private turn = 0;
  private ending: Promise<unknown[][][]> | null = null;

  constructor(
    private readonly primary: Database,
    private readonly settings: ReplicaSettings,
    keys: PositionKeys,
    warn: (message: string) => void,
  ) {
    this.positions = new SignedPositions(keys);
    this.log = new PrimaryLog(settings.maxLagMs);
    this.all = settings.urls.map(
      url =>
        new Replica(nameOf(url), poolSize =>
          primary.reopen({
            url,
            acceptsStandby: true,
            pooling: 'none',
            entities: [],
            applicationName: 'tillgate-replica',
            ...(poolSize && { poolSize }),
          }),
        ),
    );
    this.watch = new ReplicaWatch(primary, this.all, this.log, settings.maxLagMs, warn);
  }

  /**
   * Looks at all servers. Throws `UnfitDatabase` where one is of another cluster; one that is down is looked for later.
   */
  start(): Promise<void> {
    return this.watch.start();
  }

  async stop(): Promise<void> {
    await this.watch.stop();
    await Promise.all(this.all.map(replica => replica.close()));
  }

  /** Makes the text by which the answer to a request tells what it wrote or saw. */
  textFor({ place }: ReplicaSession): string | null {
    const { last } = this.log;
    return place && last && this.positions.textOf({ ...place, system: last.system });
  }

  /** Notes for the request that runs now, which has read from the primary, where the log ends. */
  async noteEnd(): Promise<void> {
    const reading = readingNow();
    if (!reading) return;
    // Asked after this turn, so that many ask once.
    this.ending ??= new Promise(resolve => setImmediate(resolve)).then(() => {
      this.ending = null;
      return this.primary.flight([{ statement: END_OF_LOG, values: [] }], true);
    });
    const [[end] = []] = await this.ending;
    if (end) reading.saw(positionOf(end as EndOfLogRow));
  }

  /** Begins the session of a request that came with these positions. Throws `BadPosition`. */
  reading(texts: readonly string[]): ReplicaSession {
    let latest: Place | null = null;
    let why: Fallback | null = null;
    for (const text of texts) {
      const position = text === LATEST ? null : this.positions.read(text);
      // A position of another cluster, or one that nobody can verify any more, says nothing about ours.
      if (position && position.system === this.log.system) latest = latest ? laterOf(latest, position) : position;
      else why ??= text === LATEST ? 'latest' : 'unknown_position';
    }
    return new ReplicaSession(this, latest, why);
  }

  /** Waits within its bound for a replica that has what the request must see, and else leaves it to the primary. */
  async admit(reading: ReplicaSession): Promise<void> {
    reading.useReplicas();
    const { place } = reading;
    const needed = this.needed(reading);
    if (!place || !needed || this.choose(needed)) return;
    const { waitMs } = this.settings;
    const nowMs = performance.now();
    const near = this.all.filter(
      ({ unfit, identity, currentAtMs }) =>
        unfit === null && identity?.timeline === needed.timeline && nowMs - currentAtMs <= waitMs + 2 * LONGEST_LOOK_MS,
    );
    if (near.length === 0 || waitMs === 0) return this.fallBack(reading, near.length === 0 ? this.why() : 'behind');
    const hasReached = await firstTrue(near.map(replica => replica.reaches(needed.lsn, waitMs)));
    if (!hasReached) this.fallBack(reading, 'behind');
  }

  /** Leaves the request to the primary. */
  fallBack(reading: ReplicaSession, why: Fallback): void {
    reading.usePrimary();
    this.fallbacks.set(why, (this.fallbacks.get(why) ?? 0) + 1);
  }

  async read(reading: ReplicaSession, read: Read): Promise<unknown[][]> {
    if (reading.mayUseReplica) {
      const rows = await this.fromReplica(reading, read);
      if (rows) return rows;
    }
    this.primaryReads += 1;
    const { statement, values, isShort } = read;
    // A later read from a replica must not be older than this.
    const statements = [
      { statement, values },
      { statement: END_OF_LOG, values: [] },
    ];
    const [rows = [], [end] = []] = await this.primary.flight(statements, isShort);
    if (end) reading.saw(positionOf(end as EndOfLogRow));
    return rows;
  }

  private async fromReplica(reading: ReplicaSession, read: Read): Promise<unknown[][] | null> {
    const needed = this.needed(reading);
    const replica = needed && this.choose(needed);
    if (!needed || !replica) {
      this.fallBack(reading, needed ? this.why() : 'primary_unseen');
      return null;
    }
    try {
      const found = await replica.read(needed.lsn, read);
      if (found) {
        reading.saw({ timeline: needed.timeline, lsn: found.lsn });
        return found.rows;
      }
      this.fallBack(reading, 'behind');
    } catch (error) {
      if (isConnectionLost(error)) replica.eject(error);
      // A statement that takes too long there would take too long here.
      if (outOfTime() || isStatementCancelled(error)) throw error;
      this.fallBack(reading, 'failed');
    }
    return null;
  }

  /** The least that a replica must have: what the request has to see, and what the limit on lag says. */
  private needed({ place }: ReplicaSession): Position | null {
    const floor = this.log.floor(performance.now());
    if (!floor || (place && place.timeline > floor.timeline)) return null;
    // Before a failover something was written that is before the beginning of this timeline, or lost.
    return place && isBehind(floor, place) ? { ...place, system: floor.system } : floor;
  }

  /** The one with the least to do of those that have it. */
  private choose(needed: Position): Replica | null {
    this.turn += 1;
    let best: Replica | null = null;
    for (let offset = 0; offset < this.all.length; offset += 1) {
      const replica = this.all[(this.turn + offset) % this.all.length] as Replica;
      if (replica.has(needed) && (!best || replica.busy < best.busy)) best = replica;
    }
    return best;
  }

  private why(): Fallback {
    return this.all.some(({ unfit }) => unfit === null) ? 'behind' : 'unavailable';
  }

  /** The milliseconds that a replica is behind, at least. */
  lagMs({ currentAtMs }: Replica): number {
    return Math.max(0, (this.log.last?.sinceMs ?? performance.now()) - currentAtMs);
  }
}

async function firstTrue(conditions: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise(resolve => {
    for (const one of conditions) void one.then(isTrue => isTrue && resolve(true));
    void Promise.all(conditions).then(() => resolve(false));
  });
}

function nameOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '5432'}`;
}
