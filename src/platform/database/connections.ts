import type pg from 'pg';
import { leavesConnectionIntact } from '../../../lib/pg-wire/pg-errors.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { ask, socketOf } from './ask.js';

/** A shared connection that has answered nothing for so long gets no further statements. */
const STALLED_AFTER_MS = 20;

/** A connection while it is shared. */
interface Lane {
  readonly client: Promise<pg.PoolClient>;
  /** The number of statements that are not answered yet. */
  open: number;
  /** When it last answered a statement, or was opened. */
  movedMs: number;
  isBroken: boolean;
  isCorked: boolean;
}

/**
 * Short statements share one connection, on which they follow each other without waiting for answers; each succeeds or
 * fails by itself. Statements of the same moment are sent in one write. Another connection is opened only while the
 * first is stalled: a server that works on several statements takes processor time from the gateway (docs/adr/0019).
 */
export class SharedConnections {
  private lanes: Lane[] = [];

  constructor(private readonly pool: pg.Pool) {}

  query<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.run(client => ask<Row>(client, statement, values));
  }

  /** Runs what sends its statements at once, when it is called. */
  async run<Result>(send: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const lane = this.movingLane() ?? this.newLane();
    lane.open += 1;
    let client: pg.PoolClient | null = null;
    try {
      client = await lane.client;
      sendTogether(lane, client);
      return await send(client);
    } catch (error) {
      lane.isBroken ||= !leavesConnectionIntact(error);
      throw error;
    } finally {
      lane.open -= 1;
      lane.movedMs = performance.now();
      if (lane.open === 0) {
        this.lanes = this.lanes.filter(other => other !== lane);
        client?.release(lane.isBroken);
      }
    }
  }

  private movingLane(): Lane | undefined {
    const nowMs = performance.now();
    return this.lanes.find(({ isBroken, movedMs }) => !isBroken && nowMs - movedMs < STALLED_AFTER_MS);
  }

  private newLane(): Lane {
    const client = this.pool.connect();
    const lane: Lane = { client, open: 0, movedMs: performance.now(), isBroken: false, isCorked: false };
    this.lanes.push(lane);
    return lane;
  }
}

function sendTogether(lane: Lane, client: pg.PoolClient): void {
  if (lane.isCorked) return;
  lane.isCorked = true;
  const socket = socketOf(client);
  socket.cork();
  // By then all statements of this moment are written.
  process.nextTick(() => {
    lane.isCorked = false;
    socket.uncork();
  });
}

/**
 * Gives the places of dead connections back to the pool while their holders keep them. Kysely, below MikroORM, does not
 * release a connection whose ROLLBACK fails (kysely-org/kysely#1990), as it does when the connection dies: each would
 * take one place of the pool for ever, and `pool.end()` would wait for it.
 */
export function releaseLostClients(pool: pg.Pool): void {
  const held = new WeakSet<pg.PoolClient>();
  pool.on('acquire', client => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', client => {
    client.once('end', () => {
      if (!held.has(client)) return;
      client.release(true);
      // The holder may release it as well, which the pool would refuse as a second release.
      client.release = () => {};
    });
  });
}
