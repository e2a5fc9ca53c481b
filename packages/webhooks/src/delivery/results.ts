import { setTimeout as sleep } from 'node:timers/promises';
import {
  NOT_DURABLE,
  inTwoRoundTrips,
  transpose,
  type Database,
  type KeyRing,
  type Logger,
  type SqlQuery,
} from 'tillgate/noun';
import { statementOf } from '../../../../lib/pg-wire/statement.js';
import { newDeliveryId } from './delivery-id.js';
import { answerIdentity } from './deliveries.js';

/** An attempt that was made. */
export interface Attempt {
  readonly deliveryId: string;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** The beginning of the answer as text, or null. */
  readonly answer: string | null;
}

/** Results wait so long for others, since a transaction costs much the same for one as for many. */
const TOGETHER_MS = 15;
const MAX_TOGETHER = 500;
/** Sending pauses while so many results are not on record. */
const MAX_UNSAVED = 4000;
const RETRY_AFTER_MS = 500;

// Up to 500 results are written by one statement of each kind.
const DELIVERED = statementOf(
  `UPDATE webhook_delivery d SET state = 'DELIVERED', due_at = NULL, attempts = d.attempts + 1, started_at = r.started_at,
     duration_ms = r.duration_ms, status = r.status, answer = r.answer
   FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::bytea[])
     r(delivery_id, started_at, duration_ms, status, answer)
   WHERE d.delivery_id = r.delivery_id`,
);
// The process that holds the lease now knows which lanes are held. What a process writes after it has lost the lease
// must hold nothing back, or later deliveries of the lane would be sent first. The locks keep the lease until that is
// committed.
const OURS = `SELECT s.endpoint_id, s.holder FROM webhook_sender s
   WHERE s.endpoint_id IN (SELECT endpoint_id FROM webhook_delivery WHERE delivery_id = ANY($1::uuid[])) FOR SHARE`;
const FAILED = statementOf(
  `WITH r AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::int[], $6::text[], $7::bytea[], $8::int8[], $9::int[])
     r(delivery_id, attempt_id, started_at, duration_ms, status, error, answer, pause_ms, holder)
   ), ours AS MATERIALIZED (${OURS}
   ), failed AS (
     UPDATE webhook_delivery d SET state = CASE WHEN r.pause_ms IS NULL THEN 'FAILED' ELSE 'HELD' END, attempts = d.attempts + 1,
       due_at = now() + r.pause_ms * interval '1 millisecond'
     FROM r, ours o WHERE d.delivery_id = r.delivery_id AND d.state IN ('WAITING', 'HELD')
       AND o.endpoint_id = d.endpoint_id AND o.holder = r.holder)
   INSERT INTO webhook_attempt (delivery_id, attempt_id, started_at, duration_ms, status, error, answer)
   SELECT delivery_id, attempt_id, started_at, duration_ms, status, error, answer FROM r`,
);
const HOLD = statementOf(
  `WITH ours AS MATERIALIZED (${OURS})
   UPDATE webhook_delivery d SET state = 'HELD' FROM unnest($1::uuid[], $2::int[]) k(delivery_id, holder), ours o
   WHERE d.delivery_id = k.delivery_id AND d.state = 'WAITING' AND o.endpoint_id = d.endpoint_id AND o.holder = k.holder`,
);

/** A delivery that waits for others of its lane, and by which number its lease was held. */
export interface HeldDelivery {
  readonly deliveryId: string;
  readonly holder: number;
}

interface Failure extends Attempt {
  /** By which number the lease was held. */
  readonly holder: number;
  /** null for the last attempt. */
  readonly pauseMs: number | null;
  /** Others of its lane, which wait for it. */
  readonly followers: readonly string[];
  readonly saved: () => void;
}

/** Writes what became of attempts, many at a time. */
export class Results {
  /** Deliveries whose results are not on record yet. */
  private readonly pending = new Set<string>();
  private readonly delivered: Attempt[] = [];
  private readonly failed: Failure[] = [];
  private holds: { readonly held: readonly HeldDelivery[]; readonly saved: () => void }[] = [];
  private saving: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
    private readonly log: Logger,
  ) {}

  get isFull(): boolean {
    return this.pending.size >= MAX_UNSAVED;
  }

  get unsaved(): ReadonlySet<string> {
    return this.pending;
  }

  deliver(attempt: Attempt): void {
    this.delivered.push(attempt);
    this.note(attempt);
  }

  /** `saved` is called once it is on record that its lane is held. */
  fail(failure: Failure): void {
    this.failed.push(failure);
    this.note(failure);
  }

  /**
   * Holds deliveries that wait for others of their lanes. Goes with the results, since statements on the same rows that
   * run side by side could wait for each other.
   */
  async hold(held: readonly HeldDelivery[]): Promise<void> {
    if (held.length === 0) return;
    await new Promise<void>(saved => {
      this.holds.push({ held, saved });
      this.saving ??= this.saveSoon();
    });
  }

  /** Resolves when all results so far are on record. */
  async flush(): Promise<void> {
    while (this.pending.size > 0 && !this.isStopped) await (this.saving ?? this.save());
  }

  /** Gives up what could not be written. */
  stop(): void {
    this.isStopped = true;
  }

  private note({ deliveryId }: Attempt): void {
    this.pending.add(deliveryId);
    this.saving ??= this.saveSoon();
  }

  private async saveSoon(): Promise<void> {
    await sleep(TOGETHER_MS);
    this.saving = null;
    await this.save();
  }

  private save(): Promise<void> {
    this.saving ??= this.saveAll().finally(() => {
      this.saving = null;
      const hasMore = this.delivered.length + this.failed.length + this.holds.length > 0;
      if (hasMore && !this.isStopped) this.saving = this.saveSoon();
    });
    return this.saving;
  }

  private async saveAll(): Promise<void> {
    const delivered = this.delivered.splice(0, MAX_TOGETHER);
    const failed = this.failed.splice(0, MAX_TOGETHER);
    const holds = this.holds;
    this.holds = [];
    const held = [...failed.flatMap(followersOf), ...holds.flatMap(each => each.held)];
    const queries = this.queriesOf(delivered, failed, held);
    for (;;) {
      try {
        await inTwoRoundTrips(
          this.database,
          async () => null,
          () => queries,
        );
        break;
      } catch (error) {
        if (this.isStopped) break;
        this.log.warn({ err: error }, 'results of webhooks could not be recorded; the gateway keeps trying');
        await sleep(RETRY_AFTER_MS);
      }
    }
    for (const { deliveryId } of [...delivered, ...failed]) this.pending.delete(deliveryId);
    for (const { saved } of [...failed, ...holds]) saved();
  }

  private queriesOf(
    delivered: readonly Attempt[],
    failed: readonly Failure[],
    held: readonly HeldDelivery[],
  ): SqlQuery[] {
    // A result that is lost with the server is an attempt that is made again.
    const queries = [NOT_DURABLE];
    if (delivered.length > 0) {
      const rows = delivered.map(attempt => [
        attempt.deliveryId,
        instant(attempt),
        attempt.durationMs,
        attempt.httpStatus,
        this.sealed(attempt, null),
      ]);
      queries.push({ statement: DELIVERED, values: transpose(rows) });
    }
    if (failed.length > 0) {
      const rows = failed.map(attempt => {
        const { deliveryId, durationMs, httpStatus, error, pauseMs, holder } = attempt;
        const attemptId = newDeliveryId();
        const answer = this.sealed(attempt, attemptId);
        return [deliveryId, attemptId, instant(attempt), durationMs, httpStatus, error, answer, pauseMs, holder];
      });
      queries.push({ statement: FAILED, values: transpose(rows) });
    }
    if (held.length > 0) {
      queries.push({ statement: HOLD, values: transpose(held.map(({ deliveryId, holder }) => [deliveryId, holder])) });
    }
    return queries;
  }

  private sealed({ deliveryId, answer }: Attempt, attemptId: string | null): Buffer | null {
    return answer === null ? null : this.keys.seal(answerIdentity(deliveryId, attemptId), answer);
  }
}

function followersOf({ followers, holder }: Failure): HeldDelivery[] {
  return followers.map(deliveryId => ({ deliveryId, holder }));
}

function instant({ startedMs }: Attempt): string {
  return new Date(startedMs).toISOString();
}
