import type pg from 'pg';
import { RowClient } from '../../../lib/pg-wire/row-client.js';

const FIRST_MS = 50;
const LONGEST_MS = 1000;

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * A client for one pool, which connects no more while the database is away than a few times a second: thousands of requests would
 * else knock at a server that is just starting, and all of them wait. After a failure the next ones fail at once, for 50 ms, then twice as
 * long, up to a second. One success ends it.
 */
export function clientWithBackoff(): typeof pg.Client {
  let lastError: Error | null = null;
  let waitMs = 0;
  let retryAtMs = 0;

  function heard(error: Error | null): void {
    const nowMs = performance.now();
    // Those that were tried together have failed once.
    if (error && nowMs < retryAtMs) return;
    lastError = error;
    waitMs = error ? Math.min(Math.max(waitMs * 2, FIRST_MS), LONGEST_MS) : 0;
    retryAtMs = nowMs + waitMs;
  }

  return class ClientWithBackoff extends RowClient {
    /** The pool's way to connect; nobody else has this client. */
    override connect(): Promise<never>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<never> | void {
      if (lastError && performance.now() < retryAtMs) {
        const error = new Error(lastError.message, { cause: lastError });
        process.nextTick(() => callback?.(error));
        return;
      }
      super.connect((error: Error | null) => {
        heard(error);
        callback?.(error, this);
      });
    }
  };
}
