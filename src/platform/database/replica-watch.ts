import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './orm.js';
import { END_OF_LOG, positionOf, type EndOfLogRow } from './position.js';
import type { PrimaryLog } from './primary-log.js';
import type { Replica, ReplicaFault } from './replica.js';
import { UnfitDatabase } from './unfit-database.js';

/** The pause between two questions to servers about how far they are. */
export const LONGEST_LOOK_MS = 1000;
const SHORTEST_LOOK_MS = 50;
const LOOKS_A_LAG = 4;

const WHY: Readonly<Record<ReplicaFault, string>> = {
  down: 'cannot be reached',
  not_a_replica: 'is no replica: it is not in recovery',
  other_cluster: 'is a replica of another cluster than DATABASE_URL',
  isolation: 'has another default_transaction_isolation than read committed',
};

/**
 * Asks the primary where its log ends and each replica how far it is, again and again, and warns of replicas that
 * cannot answer.
 */
export class ReplicaWatch {
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly primary: Database,
    private readonly all: readonly Replica[],
    private readonly log: PrimaryLog,
    private readonly maxLagMs: number,
    private readonly warn: (message: string) => void,
  ) {}

  /**
   * Looks at all servers. Throws `UnfitDatabase` where one is of another cluster; one that is down is looked for later.
   */
  async start(): Promise<void> {
    await this.ask();
    await Promise.all(this.all.map(replica => replica.check(this.log.system)));
    const foreign = this.all.findIndex(({ unfit }) => unfit === 'other_cluster');
    if (foreign >= 0) {
      throw new UnfitDatabase([
        `DATABASE_REPLICA_URLS: address ${foreign + 1} ${WHY.other_cluster}. Set the addresses of streaming replicas of the server at DATABASE_URL.`,
      ]);
    }
    for (const replica of this.all) this.tell(replica, null);
    const everyMs = Math.max(SHORTEST_LOOK_MS, Math.min(LONGEST_LOOK_MS, this.maxLagMs / LOOKS_A_LAG));
    this.running = Promise.all([
      this.repeat(everyMs, () => this.look()),
      ...this.all.map(replica => this.repeat(everyMs, () => this.examine(replica))),
    ]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async look(): Promise<void> {
    // Requests that need the primary have the failure. Without a recent look no replica counts as near enough.
    await this.ask().catch(() => undefined);
  }

  private async ask(): Promise<void> {
    const sinceMs = performance.now();
    const [row] = await this.primary.query<EndOfLogRow>(END_OF_LOG);
    if (row) this.log.add(positionOf(row), sinceMs);
  }

  private async examine(replica: Replica): Promise<void> {
    const before = replica.unfit;
    await replica.check(this.log.system);
    if (this.stopping.signal.aborted) return;
    this.tell(replica, before);
    const { identity, replayed } = replica;
    const atMs = identity && this.log.timeOf({ timeline: identity.timeline, lsn: replayed });
    if (replica.unfit === null && atMs !== null) replica.currentAtMs = Math.max(replica.currentAtMs, atMs);
  }

  private tell({ name, unfit, problem }: Replica, before: ReplicaFault | null): void {
    if (unfit === before) return;
    const why = unfit && `${WHY[unfit]}${unfit === 'down' ? ` (${problem})` : ''}`;
    this.warn(
      why ? `The replica ${name} ${why}. The primary answers in its place.` : `The replica ${name} answers again.`,
    );
  }

  private async repeat(everyMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await work();
    }
  }
}
