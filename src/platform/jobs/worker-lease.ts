import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../database/orm.js';
import type { Logger } from '../logging/logger.js';

const EVERY_MS = 5000;
/** The time that the queue may take to record that the last jobs are done: it gives no sign when it has. */
const RECORDED_MS = 2000;
const LOOK_EVERY_MS = 20;
/** The first half of our advisory locks: the letters of 'jobs'. The second half is the hash of a holder's name. */
const SPACE = 0x6a6f6273;

const HOLD = `SELECT pg_try_advisory_lock(${SPACE}, hashtext($1))`;

// Locks end with their session, so a job whose holder's lock is free belongs to a dead process. A new holder may have
// taken a job before its lock, so young jobs stay.
const FREE_THE_DEAD = `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
   WHERE locked_by IS NOT NULL AND locked_at < now() - interval '2 seconds' AND NOT EXISTS (
     SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${SPACE} AND l.objsubid = 2 AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND l.objid = (hashtext(locked_by)::int8 & 4294967295)::oid)
   HAVING count(*) > 0`;

const HELD = 'SELECT count(*)::int AS held FROM graphile_worker.jobs WHERE locked_by = ANY(ARRAY[?]::text[])';
const GIVE_BACK = 'SELECT graphile_worker.force_unlock_workers(ARRAY[?]::text[])';

/** Shows other processes that this one's holders of jobs are alive, and frees the jobs of dead processes. */
export class WorkerLease {
  private readonly holders: string[] = [];
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

  add(holder: string): void {
    this.holders.push(holder);
    this.tick(() => this.hold(holder));
  }

  /** Frees jobs that are still held here though none runs any more. */
  async giveBack(): Promise<void> {
    try {
      const deadline = performance.now() + RECORDED_MS;
      while ((await this.held()) > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
      await this.database.primary().execute(GIVE_BACK, [this.holders]);
    } catch (error) {
      this.log.debug({ err: error }, 'jobs could not be released; another process releases them later');
    }
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.ticking;
    const { client } = this;
    // From here on the end of the connection must not release it a second time.
    this.client = null;
    // Closing the connection frees the locks.
    client?.release(true);
  }

  private async held(): Promise<number> {
    const [row] = await this.database.primary().execute<{ held: number }[]>(HELD, [this.holders]);
    return row?.held ?? 0;
  }

  private tick(first: () => Promise<void> = async () => undefined): void {
    this.ticking = this.ticking.then(async () => {
      try {
        await this.connect();
        await first();
        await this.database.primary().execute(FREE_THE_DEAD);
      } catch (error) {
        this.log.debug({ err: error }, 'the search for jobs of dead processes failed; the next round tries again');
      }
    });
  }

  private async hold(holder: string): Promise<void> {
    await this.client?.query(HOLD, [holder]);
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
    for (const holder of this.holders) await this.hold(holder);
  }
}
