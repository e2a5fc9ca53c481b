import type pg from 'pg';
import { ask, socketOf } from './ask.js';
import { leavesConnectionIntact } from './pg-errors.js';
import type { Statement } from './statement.js';

/** A connection for some statements. */
interface Trip {
  readonly names: Set<string>;
  readonly client: PromiseWithResolvers<pg.PoolClient>;
  /** Statements that have not been answered. */
  open: number;
  broken: boolean;
}

/**
 * Short statements that are asked for at the same moment share a connection, and leave in one write; each is answered, and fails, by itself. Those with the
 * same name do not share one: they are parts of one large batch, which the server is to work on at the same time.
 */
export class SharedConnections {
  private due: Trip[] = [];

  constructor(private readonly pool: pg.Pool) {}

  async query<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const trip = this.tripFor(statement);
    const client = await trip.client.promise;
    try {
      return await ask<Row>(client, statement, values);
    } catch (error) {
      trip.broken ||= !leavesConnectionIntact(error);
      throw error;
    } finally {
      trip.open -= 1;
      if (trip.open === 0) client.release(trip.broken);
    }
  }

  private tripFor({ name }: Statement): Trip {
    if (this.due.length === 0) process.nextTick(() => this.leave());
    let trip = this.due.find(({ names }) => !names.has(name));
    if (!trip) {
      trip = { names: new Set(), client: Promise.withResolvers(), open: 0, broken: false };
      this.due.push(trip);
    }
    trip.names.add(name);
    trip.open += 1;
    return trip;
  }

  private leave(): void {
    const { due } = this;
    this.due = [];
    for (const { client } of due) {
      this.pool.connect().then(connected => {
        const socket = socketOf(connected);
        socket.cork();
        client.resolve(connected);
        // After all who wait for it have sent what they have.
        process.nextTick(() => socket.uncork());
      }, client.reject);
    }
  }
}
