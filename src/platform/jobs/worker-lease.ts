import type pg from 'pg';
import { statementOf, type Database } from '../database/orm.js';
import type { Logger } from '../logging/logger.js';

const EVERY_MS = 5000;
/** The first half of our advisory locks: the letters of 'jobs'. The second half is the worker's id, hashed. */
const SPACE = 0x6a6f6273;

const HOLD = `SELECT pg_try_advisory_lock(${SPACE}, hashtext($1))`;

// Locks of one session die with it, so a job whose worker's lock nobody holds belongs to a process that is gone.
const FREE_THE_DEAD = statementOf(
  `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
   WHERE locked_by IS NOT NULL AND locked_at < now() - interval '2 seconds' AND NOT EXISTS (
     SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${SPACE} AND l.objsubid = 2 AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND l.objid = (hashtext(locked_by)::int8 & 4294967295)::oid)
   HAVING count(*) > 0`,
);

/** Shows other processes which workers are alive, and frees the jobs of those that are not. */
export class WorkerLease {
  private readonly workerIds = new Set<string>();
  private readonly timer: NodeJS.Timeout;
  private client: pg.PoolClient | null = null;
  private ticking: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => this.tick(), EVERY_MS);
    this.timer.unref();
    this.tick();
  }

  add(workerId: string): void {
    this.workerIds.add(workerId);
    this.tick(() => this.hold(workerId));
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.ticking;
    // Closing the connection gives the locks back.
    this.client?.release(true);
  }

  private tick(first: () => Promise<void> = async () => undefined): void {
    this.ticking = this.ticking.then(async () => {
      try {
        await this.connect();
        await first();
        await this.database.query(FREE_THE_DEAD);
      } catch (error) {
        this.log.debug({ err: error }, 'jobs of dead workers could not be looked for; the next round tries again');
      }
    });
  }

  private async hold(workerId: string): Promise<void> {
    await this.client?.query(HOLD, [workerId]);
  }

  /** After a lost connection the locks are taken anew. */
  private async connect(): Promise<void> {
    if (this.client) return;
    const client = await this.database.pool.connect();
    client.on('error', () => {
      if (this.client !== client) return;
      this.client = null;
      client.release(true);
    });
    this.client = client;
    for (const workerId of this.workerIds) await this.hold(workerId);
  }
}
