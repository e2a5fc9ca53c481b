import { randomInt } from 'node:crypto';
import { raw, type EntityData } from '@mikro-orm/core';
import type pg from 'pg';
import { ask, type Database } from 'tillgate/noun';
import { statementOf } from '../../../../lib/pg-wire/statement.js';
import { WebhookSender } from './delivery.entity.js';

/** Longer than the longest attempt, so that no other process sends while an attempt of this one may still arrive. */
export const LEASE_MS = 40_000;
/** The first half of our advisory locks: the letters of 'hook'. The second half is the number of a holder. */
const SPACE = 0x686f6f6b;
const HOLDERS = 2 ** 31;

const IS_HELD = `EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${SPACE} AND l.objsubid = 2
   AND l.granted AND l.objid = s.holder::int8::oid
   AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
const LEASE = `leased_until = now() + interval '${LEASE_MS} milliseconds'`;

// Locks of sessions, and what others hold of them, are no entities.
const HOLD = statementOf(`SELECT pg_try_advisory_lock(${SPACE}, $1)`);
const CLAIM = `UPDATE webhook_sender t SET holder = ?, ${LEASE} FROM (
     SELECT s.endpoint_id FROM webhook_sender s JOIN webhook_endpoint e ON e.endpoint_id = s.endpoint_id
     WHERE s.due_at <= now() AND e.status = 'ENABLED' AND (s.holder IS NULL OR s.leased_until < now() OR NOT ${IS_HELD})
     ORDER BY s.due_at LIMIT ? FOR UPDATE OF s SKIP LOCKED) free
   WHERE t.endpoint_id = free.endpoint_id RETURNING t.endpoint_id, t.additions, t.insertions, t.paused_until`;
// The numbers of endpoints that have a holder or want one, and of processes that share them.
const SHARE = `SELECT (SELECT count(*)::int FROM webhook_sender s JOIN webhook_endpoint e USING (endpoint_id)
       WHERE s.due_at <= now() AND e.status = 'ENABLED') AS endpoints,
     (SELECT count(*)::int FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${SPACE} AND l.objsubid = 2 AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS processes`;

type ClaimedRow = Readonly<Pick<WebhookSender, 'additions' | 'insertions'>> & {
  readonly endpoint_id: string;
  readonly paused_until: string | null;
};
type SharedRow = { readonly endpoints: number; readonly processes: number };

const FREE = { holder: null, leasedUntil: null };
const NOTED = ['endpointId', 'additions', 'insertions'] as const;

export interface ClaimedLease {
  readonly endpointId: string;
  /** By which number this process holds the lease. */
  readonly holder: number;
  readonly additions: number;
  readonly insertions: number;
  readonly pausedUntilMs: number;
}

export type LeaseCounts = Pick<ClaimedLease, 'endpointId' | 'additions' | 'insertions'>;

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

  /** True if this process may hold leases. */
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

  async claim(most: number): Promise<ClaimedLease[]> {
    const { holder } = this;
    const rows = await this.database.primary().execute<ClaimedRow[]>(CLAIM, [holder, most]);
    return rows.map(({ endpoint_id: endpointId, additions, insertions, paused_until: pausedUntil }) => {
      const pausedUntilMs = pausedUntil === null ? 0 : Date.parse(pausedUntil);
      return { endpointId, holder, additions, insertions, pausedUntilMs };
    });
  }

  /** Gives the endpoints that are still ours. */
  async renew(): Promise<Set<string>> {
    const leasedUntil = raw<Date>(`now() + interval '${LEASE_MS} milliseconds'`);
    const renewed = await this.database
      .primary()
      .createQueryBuilder(WebhookSender)
      .update({ leasedUntil })
      .where({ holder: this.holder })
      .returning('endpointId')
      .execute<Pick<WebhookSender, 'endpointId'>[]>('all');
    return new Set(renewed.map(({ endpointId }) => endpointId));
  }

  look(): Promise<LeaseCounts[]> {
    return this.database.primary().find(WebhookSender, { holder: this.holder }, { fields: NOTED });
  }

  /**
   * Gives an endpoint back until something is due, in milliseconds; false if there is more to be sent by now: whoever
   * adds a delivery after we looked has changed `additions`.
   */
  async release({ endpointId, additions }: LeaseCounts, dueInMs: number): Promise<boolean> {
    const isDue = dueInMs !== Infinity;
    const dueAt = isDue ? raw<Date>('now() + make_interval(secs => ?)', [Math.max(0, dueInMs) / 1000]) : null;
    return (await this.change({ endpointId, additions }, { ...FREE, dueAt })) > 0;
  }

  /** Gives an endpoint to another process. */
  async handOver(endpointId: string): Promise<void> {
    await this.change({ endpointId }, { ...FREE, dueAt: raw('now()') });
  }

  async pause(endpointId: string, untilMs: number): Promise<void> {
    const pausedUntil = new Date(untilMs);
    await this.database.primary().nativeUpdate(WebhookSender, { endpointId }, { pausedUntil });
  }

  /** The maximum number of endpoints of this process, so that all processes have their part. */
  async share(): Promise<number> {
    const [row] = await this.database.primary().execute<SharedRow[]>(SHARE);
    return Math.max(1, Math.ceil((row?.endpoints ?? 0) / Math.max(1, row?.processes ?? 1)));
  }

  /** Gives everything back, and vanishes. */
  async leave(): Promise<void> {
    const { client } = this;
    this.client = null;
    if (client) await this.change({}, FREE).catch(() => undefined);
    client?.release(true);
  }

  /** Changes what this process holds. Gives of how many endpoints. */
  private change(which: Partial<LeaseCounts>, values: EntityData<WebhookSender>): Promise<number> {
    return this.database.primary().nativeUpdate(WebhookSender, { ...which, holder: this.holder }, values);
  }
}
