import { setTimeout as sleep } from 'node:timers/promises';
import { randomInt } from 'node:crypto';
import pg from 'pg';

export interface WritersOrder {
  /** The address of the database, which may be another one after the server was killed. */
  readonly url: () => string;
  readonly program: string;
  readonly writers: number;
  /** How many events are to be committed in all. */
  readonly events: number;
  readonly eventsATransaction: number;
  /** A transaction is held open for up to so long before it commits. */
  readonly holdMs: number;
  /** How many accounts the writers share. */
  readonly accounts: number;
  /** Called after each commit, with how many events are committed. */
  readonly progress?: (events: number) => void;
}

/** How many in a hundred transactions are rolled back, so that numbers of events stay missing. */
const ROLLED_BACK = 10;

/**
 * Writes events in transactions that commit in another order than they begin. Gives how many were committed. A
 * transaction whose connection is cut is tried again, since nothing of it was committed.
 */
export async function writeEvents(order: WritersOrder): Promise<number> {
  const { url, program, writers, events, eventsATransaction, holdMs, accounts, progress } = order;
  let begun = 0;
  let committed = 0;
  const one = async (): Promise<void> => {
    let client: pg.Client | null = null;
    while (begun < events) {
      const size = Math.min(events - begun, eventsATransaction);
      begun += size;
      try {
        client ??= await connected(url());
        const account = `${program}-${randomInt(accounts)}`;
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [account]);
        await client.query(
          `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
           SELECT $1, 'c', 's', 'r', 'card.freeze', $2, 'card/1', '{}' FROM generate_series(1, $3)`,
          [program, account, size],
        );
        await sleep(holdMs > 0 ? randomInt(holdMs) : 0);
        const isRolledBack = randomInt(100) < ROLLED_BACK;
        await client.query(isRolledBack ? 'ROLLBACK' : 'COMMIT');
        if (isRolledBack) begun -= size;
        else committed += size;
        progress?.(committed);
      } catch {
        // Whether a commit that was cut was done is counted by the caller, from the database.
        begun -= size;
        await client?.end().catch(() => undefined);
        client = null;
        await sleep(100);
      }
    }
    await client?.end();
  };
  await Promise.all(Array.from({ length: writers }, one));
  return committed;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'tillgate-writer' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** What a reader got: how often each event, and whether each account's came in the order of its chain. */
export class ReceiptTally {
  private readonly seen = new Map<string, number>();
  private readonly last = new Map<string, number>();
  doubled = 0;
  disordered = 0;

  add(id: string, accountId: string, sequence: number): void {
    const times = (this.seen.get(id) ?? 0) + 1;
    this.seen.set(id, times);
    if (times > 1) this.doubled += 1;
    else if (sequence <= (this.last.get(accountId) ?? 0)) this.disordered += 1;
    this.last.set(accountId, Math.max(sequence, this.last.get(accountId) ?? 0));
  }

  get count(): number {
    return this.seen.size;
  }

  has(id: string): boolean {
    return this.seen.has(id);
  }
}
