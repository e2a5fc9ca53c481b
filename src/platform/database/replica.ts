import { setTimeout as sleep } from 'node:timers/promises';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import type { Database } from './orm.js';
import { lsnOf, type Place } from './position.js';
import type { Read } from './reading.js';

/** The facts that a server gives about itself. */
export interface Identity {
  readonly system: string;
  readonly timeline: number;
  readonly isReplica: boolean;
  /** True if each statement sees what was replayed before it, which the guard relies on. */
  readonly seesAnew: boolean;
}

/** Why no replica answers. */
export type ReplicaFault = 'down' | 'not_a_replica' | 'other_cluster' | 'isolation';

// The control file has the timeline of the last checkpoint. Only who may see statistics sees that of the receiver,
// which is newer for minutes after a failover.
const IDENTITY: Statement = {
  name: 'replica_identity',
  text: `SELECT (SELECT system_identifier::text FROM pg_control_system()),
    greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT max(received_tli) FROM pg_stat_wal_receiver))::int,
    pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn()::text, '0/0'), current_setting('transaction_isolation')`,
};
type IdentityRow = [system: string, timeline: number, isReplica: boolean, lsn: string, isolation: string];

/**
 * Runs before each read, as a statement of its own: a statement sees what was replayed before it began, and this one
 * says what was. In one statement with the read it would say what was replayed after the read's snapshot was taken.
 */
const GUARD: Statement = {
  name: 'replica_guard',
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END`,
};

const CHECK_TIMEOUT_MS = 1000;
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 10;

interface Waiter {
  readonly lsn: bigint;
  readonly resolve: (hasReached: boolean) => void;
}

/** The connections to a replica, from the moment when it was found fit until it is not. */
interface Link {
  readonly database: Database;
  readonly watch: Database;
  readonly open: Set<(error: Error) => void>;
}

/** A replica that was ejected while it worked on a read. */
class ReplicaLost extends Error {
  override readonly name = 'ReplicaLost';
}

/** A streaming replica: whether it may be asked, and how far it has replayed the log. */
export class Replica {
  identity: Identity | null = null;
  unfit: ReplicaFault | null = 'down';
  /** The message of the server for the log, with nothing of a statement. */
  problem = '';
  /** Has been replayed at least; nothing for sure after the server was lost. */
  replayed = 0n;
  /** When it had all of the primary's log, as far as that is known. */
  currentAtMs = performance.now();
  reads = 0;
  private link: Link | null = null;
  private waiters: Waiter[] = [];
  private isWatching = false;

  constructor(
    /** Host and port. */
    readonly name: string,
    private readonly connect: (poolSize: number | null) => Promise<Database>,
  ) {}

  /** Reads of this gateway that it works on. */
  get busy(): number {
    return this.link?.open.size ?? 0;
  }

  has({ timeline, lsn }: Place): boolean {
    return this.unfit === null && this.identity?.timeline === timeline && this.replayed >= lsn;
  }

  /** Asks the server what it is. What does not answer in time is ejected, with the reads that wait for it. */
  async check(system: string | null): Promise<void> {
    const link = (this.link ??= {
      database: await this.connect(null),
      watch: await this.connect(1),
      open: new Set(),
    });
    try {
      const [row] = await inTime(link.watch.query<IdentityRow>(IDENTITY));
      if (!row || this.link !== link) return;
      const [ofServer, timeline, isReplica, lsn, isolation] = row;
      this.identity = { system: ofServer, timeline, isReplica, seesAnew: isolation === 'read committed' };
      this.unfit = unfitness(this.identity, system);
      this.note(lsnOf(lsn));
    } catch (error) {
      this.eject(error);
    }
  }

  /** Gives the rows and how far the log was replayed before they were read, or null where that is not far enough. */
  async read(lsn: bigint, { statement, values, isShort }: Read): Promise<{ rows: unknown[][]; lsn: bigint } | null> {
    const { link } = this;
    if (!link) throw new ReplicaLost('the replica was lost');
    this.reads += 1;
    let fail: ((error: Error) => void) | undefined;
    try {
      const [[guard = []] = [], rows = []] = await new Promise<unknown[][][]>((resolve, reject) => {
        fail = reject;
        link.open.add(fail);
        const statements = [
          { statement: GUARD, values: [] },
          { statement, values },
        ];
        link.database.flight(statements, isShort).then(resolve, reject);
      });
      const replayed = typeof guard[0] === 'string' ? lsnOf(guard[0]) : -1n;
      if (replayed >= lsn) {
        this.note(replayed);
        return { rows, lsn: replayed };
      }
      // The server was replaced, or promoted.
      this.replayed = replayed;
      return null;
    } finally {
      if (fail) link.open.delete(fail);
    }
  }

  /** Resolves to true if the log is replayed up to this place in time. */
  reaches(lsn: bigint, timeoutMs: number): Promise<boolean> {
    if (this.replayed >= lsn) return Promise.resolve(true);
    return new Promise<boolean>(done => {
      const timer = setTimeout(() => waiter.resolve(false), timeoutMs);
      const waiter: Waiter = {
        lsn,
        resolve: hasReached => {
          clearTimeout(timer);
          this.waiters = this.waiters.filter(other => other !== waiter);
          done(hasReached);
        },
      };
      this.waiters.push(waiter);
      void this.watch();
    });
  }

  /** From now on it is not asked, and what waits for it is asked elsewhere. */
  eject(cause: unknown): void {
    this.unfit = 'down';
    this.problem = cause instanceof Error ? cause.message : 'unknown';
    this.replayed = 0n;
    const { link } = this;
    this.link = null;
    if (!link) return;
    for (const fail of link.open) fail(new ReplicaLost('the replica was lost', { cause }));
    for (const { resolve } of this.waiters) resolve(false);
    // Connections to a server that does not answer close late, and nobody waits for that.
    void Promise.allSettled([link.database.close(), link.watch.close()]);
  }

  async close(): Promise<void> {
    const { link } = this;
    this.unfit = 'down';
    this.link = null;
    for (const { resolve } of this.waiters) resolve(false);
    await Promise.all([link?.database.close(), link?.watch.close()]);
  }

  private note(lsn: bigint): void {
    if (lsn > this.replayed) this.replayed = lsn;
    for (const waiter of this.waiters) if (waiter.lsn <= this.replayed) waiter.resolve(true);
  }

  /** Looks again and again how far the log is replayed, while somebody waits for that. */
  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    for (let pauseMs = FIRST_PAUSE_MS; this.waiters.length > 0 && this.link;) {
      try {
        const [row] = await inTime(this.link.watch.query<[lsn: string | null]>(GUARD));
        if (row?.[0]) this.note(lsnOf(row[0]));
      } catch (error) {
        this.eject(error);
      }
      if (this.waiters.length === 0) break;
      await sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    this.isWatching = false;
    for (const { resolve } of this.waiters) if (!this.link) resolve(false);
  }
}

function unfitness({ system, isReplica, seesAnew }: Identity, ofPrimary: string | null): ReplicaFault | null {
  if (ofPrimary !== null && system !== ofPrimary) return 'other_cluster';
  if (!isReplica) return 'not_a_replica';
  return seesAnew ? null : 'isolation';
}

async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
