import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { cancelStatement } from '../../../lib/pg-wire/cancel.js';
import { Refusal } from '../../shared/errors.js';

/** The operation took too long, and was stopped. */
export class TimedOut extends Refusal {
  readonly code = 'timed_out';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super(
      'The operation took too long and was stopped. Request less at once, or try again with the same idempotency key.',
    );
  }
}

/** When the work for one request has to end. Everything that runs for this request alone has it, and no batch does. */
class Deadline {
  isOver = false;
  private held: readonly pg.PoolClient[] = [];

  /** From now on no statement begins, and running ones are cancelled. */
  pass(): void {
    this.isOver = true;
    for (const client of this.held) endWhatRuns(client);
  }

  hold(client: pg.PoolClient): void {
    this.held = [...this.held, client];
    client.release = this.releaseOf(client, client.release.bind(client));
  }

  // V8 would put a function written on the right of `client.release =` into the old generation at once (docs/adr/0016).
  private releaseOf(client: pg.PoolClient, release: pg.PoolClient['release']): pg.PoolClient['release'] {
    return error => {
      this.held = this.held.filter(other => other !== client);
      release(error);
    };
  }
}

const deadlines = new AsyncLocalStorage<Deadline>();

/**
 * Runs work that ends in time or throws `TimedOut`. What remains of it gets no connection, and loses the one it has.
 */
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

/** The refusal to begin more work for the current request, if its time is over. */
export function outOfTime(): TimedOut | null {
  return deadlines.getStore()?.isOver ? new TimedOut() : null;
}

/** Makes a pool give connections only to requests that have time, and take them back when it is over. */
export function keepDeadlines(pool: pg.Pool): void {
  const open = pool.connect.bind(pool);
  const openInTime = async (): Promise<pg.PoolClient> => {
    const early = outOfTime();
    if (early) throw early;
    const client = await open();
    const late = outOfTime();
    if (late) {
      client.release();
      throw late;
    }
    deadlines.getStore()?.hold(client);
    return client;
  };
  // The form with a callback is that of the pool's own `query`, which no request uses.
  pool.connect = ((callback?: Parameters<typeof open>[0]) =>
    callback ? open(callback) : openInTime()) as typeof pool.connect;
}

const CANCEL_TIMEOUT_MS = 2000;

/**
 * Cancels the statement of a connection, and closes the connection once the statement has ended. From now on it takes
 * no other statement, so the request cannot hit one, and its transaction is rolled back.
 */
function endWhatRuns(client: pg.PoolClient): void {
  // A client with a pipeline closes when what it has sent is answered.
  (client as unknown as pg.Client).end().catch(() => undefined);
  cancelStatement(client, CANCEL_TIMEOUT_MS);
}
