import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { ask } from '../../platform/database/ask.js';
import type { Database } from '../../platform/database/orm.js';

/** Longer than the longest attempt, so that nobody else sends while one of ours may still arrive. */
export const LEASE_MS = 40_000;
/** The first half of our advisory locks: the letters of 'hook'. The second half is the number of a holder. */
const SPACE = 0x686f6f6b;
const HOLDERS = 2 ** 31;

const IS_HELD = `EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${SPACE} AND l.objsubid = 2
   AND l.granted AND l.objid = s.holder::int8::oid
   AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
const LEASE = `leased_until = now() + interval '${LEASE_MS} milliseconds'`;

const HOLD = statementOf(`SELECT pg_try_advisory_lock(${SPACE}, $1)`);
const CLAIM = statementOf(
  `UPDATE webhook_sender t SET holder = $1, ${LEASE} FROM (
     SELECT s.endpoint_id FROM webhook_sender s JOIN webhook_endpoint e ON e.endpoint_id = s.endpoint_id
     WHERE s.due_at <= now() AND e.status = 'ENABLED' AND (s.holder IS NULL OR s.leased_until < now() OR NOT ${IS_HELD})
     ORDER BY s.due_at LIMIT $2 FOR UPDATE OF s SKIP LOCKED) free
   WHERE t.endpoint_id = free.endpoint_id RETURNING t.endpoint_id, t.additions, t.insertions, t.paused_until`,
);
const RENEW = statementOf(`UPDATE webhook_sender SET ${LEASE} WHERE holder = $1 RETURNING endpoint_id`);
const LOOK = statementOf('SELECT endpoint_id, additions, insertions FROM webhook_sender WHERE holder = $1');
// Whoever adds a delivery after we looked has changed `additions`, and then the lease stays.
const RELEASE = statementOf(
  `UPDATE webhook_sender SET holder = NULL, leased_until = NULL, due_at = now() + $4::float8 * interval '1 millisecond'
   WHERE endpoint_id = $2 AND holder = $1 AND additions = $3 RETURNING endpoint_id`,
);
const HAND_OVER = statementOf(
  `UPDATE webhook_sender SET holder = NULL, leased_until = NULL, due_at = now() WHERE endpoint_id = $2 AND holder = $1`,
);
const RELEASE_ALL = statementOf('UPDATE webhook_sender SET holder = NULL, leased_until = NULL WHERE holder = $1');
const PAUSE = statementOf('UPDATE webhook_sender SET paused_until = $2 WHERE endpoint_id = $1');
// How many endpoints have a holder or want one, and how many processes share them.
const SHARE = statementOf(
  `SELECT (SELECT count(*)::int FROM webhook_sender s JOIN webhook_endpoint e USING (endpoint_id)
       WHERE s.due_at <= now() AND e.status = 'ENABLED'),
     (SELECT count(*)::int FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${SPACE} AND l.objsubid = 2 AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
);

export interface Claimed {
  readonly endpointId: string;
  /** By which number this process holds the lease. */
  readonly holder: number;
  readonly additions: number;
  readonly insertions: number;
  readonly pausedUntilMs: number;
}

export type Noted = Pick<Claimed, 'endpointId' | 'additions' | 'insertions'>;

/**
 * Which endpoints this process sends to. A lease ends by the database's clock, or as soon as the connection of its
 * holder is gone: what a killed process held is free at once.
 */
export class Leases {
  private holder = 0;
  private client: pg.PoolClient | null = null;

  constructor(
    private readonly database: Database,
    private readonly presence: Database,
  ) {}

  /** Whether this process may hold leases. */
  get isPresent(): boolean {
    return this.client !== null;
  }

  /** Shows others that this process lives. `lost` is called when they no longer see it. */
  async appear(lost: () => void): Promise<void> {
    const client = await this.presence.pool.connect();
    const leave = (): void => {
      if (this.client !== client) return;
      this.client = null;
      client.release(true);
      lost();
    };
    client.on('error', leave);
    client.on('end', leave);
    // Others may have taken what we held under another number, and must not be taken for us.
    this.holder = randomInt(1, HOLDERS);
    this.client = client;
    try {
      await ask(client, HOLD, [this.holder]);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async claim(most: number): Promise<Claimed[]> {
    const { holder } = this;
    const rows = await this.database.query<[string, number, number, string | null]>(CLAIM, [holder, most]);
    return rows.map(([endpointId, additions, insertions, pausedUntil]) => {
      const pausedUntilMs = pausedUntil === null ? 0 : Date.parse(pausedUntil);
      return { endpointId, holder, additions, insertions, pausedUntilMs };
    });
  }

  /** Gives the endpoints that are still ours. */
  async renew(): Promise<Set<string>> {
    const rows = await this.database.query<[string]>(RENEW, [this.holder]);
    return new Set(rows.map(([endpointId]) => endpointId));
  }

  async look(): Promise<Noted[]> {
    const rows = await this.database.query<[string, number, number]>(LOOK, [this.holder]);
    return rows.map(([endpointId, additions, insertions]) => ({ endpointId, additions, insertions }));
  }

  /** Gives an endpoint back until something is due, in milliseconds; false if there is more to be sent by now. */
  async release({ endpointId, additions }: Noted, dueInMs: number): Promise<boolean> {
    const due = dueInMs === Infinity ? null : Math.max(0, dueInMs);
    const rows = await this.database.query<[string]>(RELEASE, [this.holder, endpointId, additions, due]);
    return rows.length > 0;
  }

  /** Gives an endpoint to another process. */
  async handOver(endpointId: string): Promise<void> {
    await this.database.query(HAND_OVER, [this.holder, endpointId]);
  }

  async pause(endpointId: string, untilMs: number): Promise<void> {
    await this.database.query(PAUSE, [endpointId, new Date(untilMs).toISOString()]);
  }

  /** How many endpoints this process should have at most, so that all processes have their part. */
  async share(): Promise<number> {
    const [row] = await this.database.query<[number, number]>(SHARE);
    return Math.max(1, Math.ceil((row?.[0] ?? 0) / Math.max(1, row?.[1] ?? 1)));
  }

  /** Gives everything back, and vanishes. */
  async leave(): Promise<void> {
    const { client } = this;
    this.client = null;
    if (client) await this.database.query(RELEASE_ALL, [this.holder]).catch(() => undefined);
    client?.release(true);
  }
}
