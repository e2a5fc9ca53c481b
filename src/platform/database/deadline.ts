import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { Refusal } from '../../shared/errors.js';
import { cancelStatement } from './cancel-statement.js';

/** What a request asked for took too long, and was stopped. */
export class TimedOut extends Refusal {
  readonly code = 'timed_out';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super(
      'The operation took too long and was stopped. Request less at once, or try again with the same idempotency key.',
    );
  }
}

/** When the work for one request has to end. Known to everything that runs for this request alone, and to no batch. */
class Deadline {
  isOver = false;
  private held: readonly pg.PoolClient[] = [];

  /** From now on no statement begins, and those that run are cancelled. */
  pass(): void {
    this.isOver = true;
    for (const client of this.held) cancelStatement(client);
  }

  hold(client: pg.PoolClient): void {
    this.held = [...this.held, client];
    client.release = this.releaseOf(client, client.release.bind(client));
  }

  // A function written on the right of `client.release =` would be of the old generation from the start (docs/adr/0016).
  private releaseOf(client: pg.PoolClient, release: pg.PoolClient['release']): pg.PoolClient['release'] {
    return error => {
      this.held = this.held.filter(other => other !== client);
      release(error);
    };
  }
}

const deadlines = new AsyncLocalStorage<Deadline>();

/** Runs work that ends in time or throws `TimedOut`. What is left of it then gets no connection, and loses the one that it has. */
export async function within<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
  const deadline = new Deadline();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      deadline.pass();
      reject(new TimedOut());
    }, timeoutMs);
  });
  try {
    return await Promise.race([deadlines.run(deadline, work), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The refusal to begin anything more for the request that this runs for, if its time is over. */
export function outOfTime(): TimedOut | null {
  return deadlines.getStore()?.isOver ? new TimedOut() : null;
}

/** Makes a pool give connections to requests that have time, and take them back when it is over. */
export function keepDeadlines(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  const connectInTime = async (): Promise<pg.PoolClient> => {
    const early = outOfTime();
    if (early) throw early;
    const client = await connect();
    const late = outOfTime();
    if (late) {
      client.release();
      throw late;
    }
    deadlines.getStore()?.hold(client);
    return client;
  };
  // The other form is that of the pool's own `query`, which no request uses.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback ? connect(callback) : connectInTime()) as typeof pool.connect;
}
