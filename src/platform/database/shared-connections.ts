import type pg from 'pg';
import { ask, socketOf } from './ask.js';
import { leavesConnectionIntact } from '../../../lib/pg-wire/pg-errors.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';

/** A connection that has not answered anything for so long keeps those waiting that it has, and nobody else. */
const STALLED_AFTER_MS = 20;

/** A connection while it is shared. */
interface Lane {
  readonly client: Promise<pg.PoolClient>;
  /** Statements that have not been answered. */
  open: number;
  /** When it last answered one, or was opened. */
  movedMs: number;
  isBroken: boolean;
  isCorked: boolean;
}

/**
 * Short statements share one connection, on which they follow each other without waiting for answers; each is answered, and fails, by itself. What is asked
 * for at the same moment leaves in one write. Another connection is opened only while the first is stalled: a server that works on several at once
 * takes the processors from the gateway that asks it, while one is idle (docs/adr/0019).
 */
export class SharedConnections {
  private lanes: Lane[] = [];

  constructor(private readonly pool: pg.Pool) {}

  async query<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const lane = this.movingLane() ?? this.newLane();
    lane.open += 1;
    let client: pg.PoolClient | null = null;
    try {
      client = await lane.client;
      leaveTogether(lane, client);
      return await ask<Row>(client, statement, values);
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

function leaveTogether(lane: Lane, client: pg.PoolClient): void {
  if (lane.isCorked) return;
  lane.isCorked = true;
  const socket = socketOf(client);
  socket.cork();
  // After all who wait for it have sent what they have.
  process.nextTick(() => {
    lane.isCorked = false;
    socket.uncork();
  });
}
