import { KeyTable } from '../../../lib/collections/in-progress.js';
import { IdempotencyInProgress } from './command.errors.js';

/**
 * Requests of this process under one key go one after another. The database would see to it as well, but each waiting
 * request would hold a connection meanwhile, and a client that retries in a loop could take the whole pool.
 */
export class KeyQueue {
  private readonly running = new KeyTable<Promise<unknown>>();

  /** Runs `work` when no other runs under `key`. Throws `IdempotencyInProgress` after `waitMs`. */
  async run<T>(key: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + waitMs;
    for (let other = this.running.get(key); other; other = this.running.get(key)) {
      await settledBy(other, deadline);
    }
    const own = work();
    this.running.set(key, own);
    try {
      return await own;
    } finally {
      this.running.delete(key);
    }
  }
}

async function settledBy(other: Promise<unknown>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), Math.max(0, deadline - Date.now()));
  });
  const settled = other.then(
    () => 'settled',
    () => 'settled',
  );
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  if (result === 'late') throw new IdempotencyInProgress();
}
