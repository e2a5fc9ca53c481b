import { raw } from '@mikro-orm/core';
import {
  BatchedRepository,
  UUID_TEXT,
  cursorOptions,
  inReadingOrder,
  oneByOrdinal,
  positionOf,
  sealIdentity,
  sliceOf,
  windowOf,
  type CursorRequest,
  type Database,
  type Json,
  type KeyRing,
  type Listing,
  type SqlQuery,
  type StatementSender,
  type WithOrdinal,
} from 'tillgate/noun';
import { statementOf, type Statement } from '../../../../lib/pg-wire/statement.js';
import { WebhookEndpoint } from '../webhook.entity.js';
import { WebhookDelivery, WebhookSender, type DeliveryState } from './delivery.entity.js';

/** `PENDING`: it is sent as soon as possible, or tried again at `nextAttemptAt`. */
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** An event on its way to an endpoint, as it is shown. Times are ISO 8601 in UTC. */
export interface DeliveryView {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** The header `webhook-id` of every attempt, such as `evt_1042`, or `test_` and the id of the delivery. */
  readonly webhookId: string;
  readonly type: string;
  /** null where the event is about no account, and for a test. */
  readonly accountId: string | null;
  readonly status: DeliveryStatus;
  readonly createdAt: string;
  readonly attemptCount: number;
  /** null where it waits for nothing but its turn, and where it is final. */
  readonly nextAttemptAt: string | null;
}

export interface AttemptView {
  readonly deliveryId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The HTTP status; null without an answer. */
  readonly httpStatus: number | null;
  /** Why there is no answer, such as `TIMED_OUT`: a code of `lib/guarded-connect`. */
  readonly error: string | null;
  /** Up to 4096 bytes of the answer's body as text; null for none. */
  readonly answer: string | null;
}

export interface DeliveryFilter {
  readonly statuses?: readonly DeliveryStatus[] | null;
  readonly accountId?: string | null;
  readonly types?: readonly string[] | null;
}

/** At most so many attempts of a delivery are shown; the schedule has fewer, and sending again may add some. */
export const MAX_ATTEMPTS_SHOWN = 100;

const STATES: Readonly<Record<DeliveryStatus, readonly DeliveryState[]>> = {
  PENDING: ['WAITING', 'HELD'],
  DELIVERED: ['DELIVERED'],
  FAILED: ['FAILED'],
};

/** The columns of a delivery that are shown: not the answer to it, and not what a test sends. */
const SHOWN = [
  'deliveryId',
  'endpointId',
  'position',
  'eventId',
  'type',
  'lane',
  'state',
  'attempts',
  'createdAt',
  'dueAt',
] as const;
type FoundDelivery = Readonly<Pick<WebhookDelivery, (typeof SHOWN)[number]>>;

/** A delivery as a command reads it. */
type DeliveryRead = Omit<FoundDelivery, 'createdAt' | 'dueAt'> & {
  readonly createdAt: string;
  readonly dueAt: string | null;
};

// At most so many of each, in one statement for many deliveries, which `find` cannot say.
const ATTEMPTS = `SELECT a.* FROM unnest(ARRAY[?]::uuid[]) k(delivery_id) CROSS JOIN LATERAL (
     SELECT delivery_id, started_at, duration_ms, status, error, answer, attempt_id FROM webhook_attempt
     WHERE delivery_id = k.delivery_id
     UNION ALL
     SELECT delivery_id, started_at, duration_ms, status, NULL, answer, NULL FROM webhook_delivery
     WHERE delivery_id = k.delivery_id AND started_at IS NOT NULL
     ORDER BY started_at LIMIT ${MAX_ATTEMPTS_SHOWN}) a`;
type AttemptRow = Readonly<{
  delivery_id: string;
  started_at: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: Buffer | null;
  attempt_id: string | null;
}>;

/** Reads what was sent to endpoints, what is to be sent, and the outcomes. */
export class Deliveries {
  private readonly repository: BatchedRepository<WebhookDelivery, DeliveryRead>;
  private readonly ones: Statement;

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
  ) {
    this.repository = new BatchedRepository<WebhookDelivery, DeliveryRead>(database, WebhookDelivery);
    // Commands of a group read theirs together, each with its endpoint.
    this.ones = statementOf(
      `SELECT ${this.repository.columns('d', 'false')}, e.status = 'ENABLED', k.n::int
       FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY k(program, delivery_id, n)
       JOIN webhook_delivery d ON d.delivery_id = k.delivery_id
       JOIN webhook_endpoint e ON e.endpoint_id = d.endpoint_id AND e.program = k.program`,
    );
  }

  /** The deliveries of an endpoint that the caller sees, the newest events first. Throws `InvalidInput`. */
  list(endpointId: string, request: CursorRequest, filter: DeliveryFilter | null): Listing<DeliveryView> {
    const window = windowOf(request, (cursor, pointer) => {
      const [position, deliveryId = ''] = positionOf(cursor, CURSOR, pointer).split(' ');
      return { position: Number(position), deliveryId };
    });
    const { statuses, types, accountId } = filter ?? {};
    const which = {
      endpointId,
      ...(statuses && { state: { $in: statuses.flatMap(status => STATES[status]) } }),
      ...(types && { type: { $in: [...types] } }),
      ...((accountId ?? null) !== null && { lane: accountId as string }),
    };
    return {
      page: async () => {
        const options = { fields: SHOWN, orderBy: { position: 'desc', deliveryId: 'desc' } } as const;
        const found = await this.database.em().find(WebhookDelivery, which, { ...options, ...cursorOptions(window) });
        const slice = sliceOf(
          inReadingOrder(found, window),
          window,
          ({ position, deliveryId: id }) => `${position} ${id}`,
        );
        return { ...slice, nodes: slice.nodes.map(foundView) };
      },
      total: () => this.database.em().count(WebhookDelivery, which),
    };
  }

  /** One delivery to an endpoint of a program, or null. */
  async find(program: string, deliveryId: string): Promise<DeliveryView | null> {
    if (!UUID_TEXT.test(deliveryId)) return null;
    const em = this.database.em();
    const found = await em.findOne(WebhookDelivery, { deliveryId }, { fields: SHOWN });
    const isOfProgram = found && (await em.count(WebhookEndpoint, { endpointId: found.endpointId, program })) > 0;
    return isOfProgram ? foundView(found) : null;
  }

  /** Those that commands name, in their transaction, and whether their endpoints are enabled; null for none. */
  async each(
    asking: StatementSender,
    keys: readonly { readonly program: string; readonly deliveryId: string }[],
  ): Promise<({ readonly delivery: DeliveryView; readonly isEnabled: boolean } | null)[]> {
    const ids = keys.map(({ deliveryId }) => (UUID_TEXT.test(deliveryId) ? deliveryId : null));
    const programs = keys.map(({ program }) => program);
    const rows = await asking.query<WithOrdinal<unknown[]>>(this.ones, [programs, ids]);
    return oneByOrdinal(rows, keys.length, row => ({
      delivery: viewOf(this.repository.read(row)),
      isEnabled: row.at(-2) as boolean,
    }));
  }

  /** The attempts of deliveries, the oldest first; at most 100 of each. */
  async attempts(deliveryIds: readonly string[]): Promise<AttemptView[]> {
    const em = this.database.em();
    const rows = await em.execute<AttemptRow[]>(ATTEMPTS, [[...deliveryIds]], { connectionType: 'read' });
    return rows.map(row => ({
      deliveryId: row.delivery_id,
      startedAt: row.started_at,
      durationMs: row.duration_ms,
      httpStatus: row.status,
      error: row.error,
      answer: row.answer && this.keys.open<string>(answerIdentity(row.delivery_id, row.attempt_id), row.answer),
    }));
  }

  /** Sends a test to an endpoint, past all other deliveries. `deliveryId` comes from `newDeliveryId`. */
  testing(deliveryId: string, endpointId: string, type: string, testData: Json): SqlQuery[] {
    const position = raw<number>('(SELECT position FROM webhook_distribution)');
    const delivery = this.database
      .em()
      .createQueryBuilder(WebhookDelivery)
      .insert({ deliveryId, endpointId, position, type, testData, lane: deliveryId });
    return [this.database.queryOf(delivery), this.noting(endpointId)];
  }

  /**
   * Sends a delivery again that was delivered or failed, as a new one, or at once where it waits for its next attempt;
   * leaves others, which are sent anyway.
   */
  resending(deliveryId: string, endpointId: string): SqlQuery[] {
    const isHeld = (held: string, other: string) => raw(`CASE state WHEN 'HELD' THEN ${held} ELSE ${other} END`);
    const delivery = this.database
      .em()
      .createQueryBuilder(WebhookDelivery)
      .update({
        state: isHeld("'HELD'", "'WAITING'"),
        dueAt: isHeld('now()', 'NULL'),
        attempts: isHeld('attempts', '0'),
      })
      .where({
        deliveryId,
        $or: [{ state: ['DELIVERED', 'FAILED'] }, { state: 'HELD', dueAt: { $ne: null } }],
      });
    return [this.database.queryOf(delivery), this.noting(endpointId)];
  }

  /** The holder of an endpoint sees by these numbers that there is something new. */
  private noting(endpointId: string): SqlQuery {
    const sender = this.database
      .em()
      .createQueryBuilder(WebhookSender)
      .insert({ endpointId, dueAt: raw('now()'), additions: 1, insertions: 1 })
      .onConflict('endpointId')
      .merge({
        dueAt: raw('least(webhook_sender.due_at, now())'),
        additions: raw('webhook_sender.additions + 1'),
        insertions: raw('webhook_sender.insertions + 1'),
      });
    return this.database.queryOf(sender);
  }

  /**
   * Sends an endpoint all events since an instant (ISO 8601) that were not delivered to it: those that failed, and
   * those of the time when it was disabled. Not further back than deliveries are kept, which the caller sees to.
   */
  recovering(endpointId: string, since: string): SqlQuery {
    const sender = this.database
      .em()
      .createQueryBuilder(WebhookSender)
      .insert({ endpointId, recoverSince: new Date(since) })
      .onConflict('endpointId')
      .merge({ recoverSince: raw('least(webhook_sender.recover_since, excluded.recover_since)') });
    return this.database.queryOf(sender);
  }
}

/** The identity that an answer is sealed under. */
export function answerIdentity(deliveryId: string, attemptId: string | null): string {
  return attemptId === null
    ? sealIdentity('webhook_delivery', [deliveryId])
    : sealIdentity('webhook_attempt', [deliveryId, attemptId]);
}

const CURSOR = /^\d{1,18} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function foundView(found: FoundDelivery): DeliveryView {
  return viewOf({
    ...found,
    createdAt: found.createdAt.toISOString(),
    dueAt: found.dueAt?.toISOString() ?? null,
  });
}

function viewOf(delivery: DeliveryRead): DeliveryView {
  const { deliveryId, endpointId, eventId, type, lane, state, createdAt, attempts: attemptCount, dueAt } = delivery;
  // A test has a lane of its own.
  const accountId = eventId === null || lane === '' ? null : lane;
  const status = state === 'DELIVERED' || state === 'FAILED' ? state : 'PENDING';
  const webhookId = webhookIdOf(deliveryId, eventId);
  const nextAttemptAt = status === 'PENDING' ? dueAt : null;
  return { deliveryId, endpointId, webhookId, type, accountId, status, createdAt, attemptCount, nextAttemptAt };
}

/** The header `webhook-id` of every attempt. */
export function webhookIdOf(deliveryId: string, eventId: number | null): string {
  return eventId === null ? `test_${deliveryId}` : `evt_${eventId}`;
}
