import {
  eventOf,
  apart,
  type Database,
  type EventRecord,
  type EventTypes,
  type FeedEvent,
  type FeedRow,
  type Json,
} from 'tillgate/noun';
import type { Statement } from '../../../../lib/pg-wire/statement.js';
import { webhookIdOf } from './deliveries.js';

/** A delivery that is to be sent. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly position: number;
  readonly lane: string;
  /** The number of attempts that failed. */
  readonly attempts: number;
  /** When it may be tried again, in milliseconds since 1970; null for now. */
  readonly dueMs: number | null;
  readonly type: string;
  readonly createdAt: string;
  /** null for a test, which has `testData`. */
  readonly event: FeedEvent | null;
  readonly testData: Json;
}

type DeliverableRow = [
  endpointId: string,
  deliveryId: string,
  deliveryPosition: bigint,
  lane: string,
  attempts: number,
  dueAt: string | null,
  type: string,
  createdAt: string,
  testData: Json,
  eventId: string | null,
  ...event: unknown[],
];

const FIELDS = `d.endpoint_id, d.delivery_id, d.position, d.lane, d.attempts, d.due_at, d.type, d.created_at, d.test_data, e.id::text,
   e.program, e.account_id, e.action, e.object, e.data, e.occurred_at, coalesce(e.chain_seq, e.program_seq)`;

// Read one by one: PostgreSQL expects many more deliveries than there are, and would read the whole table.
const EVENT = '(SELECT * FROM event WHERE id = d.event_id LIMIT 1)';

/** With the event `e` of each delivery `d`. Where accounts are on many servers, deliveries are on one of them. */
function withEvents(textOf: (event: string) => string): Statement {
  const joined = (event: string): string => textOf(`LEFT JOIN LATERAL ${event} e ON true`);
  return apart(joined(EVENT), joined('event_of(d.event_id, d.position)'));
}

// Deliveries are loaded for all endpoints that this process sends to, each with its event.
/** The next ones of endpoints behind a place, in the order of the feed. */
export const NEXT = withEvents(
  event => `SELECT ${FIELDS} FROM unnest($1::uuid[], $2::int8[], $3::uuid[], $4::int[]) k(endpoint_id, position, delivery_id, room)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_delivery w WHERE w.endpoint_id = k.endpoint_id AND w.state = 'WAITING'
       AND (w.position, w.delivery_id) > (k.position, k.delivery_id) ORDER BY w.position, w.delivery_id LIMIT k.room) d
   ${event} ORDER BY d.position, d.delivery_id`,
);

/** The first ones that are held in lanes. */
export const HELD = withEvents(
  event => `SELECT ${FIELDS} FROM unnest($1::uuid[], $2::text[], $3::int[]) k(endpoint_id, lane, room)
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_delivery w WHERE w.endpoint_id = k.endpoint_id AND w.lane = k.lane AND w.state = 'HELD'
     ORDER BY w.position, w.delivery_id LIMIT k.room) d
   ${event} ORDER BY d.position, d.delivery_id`,
);

// Steps from lane to lane.
const HELD_LANES = `WITH RECURSIVE held AS (
    (SELECT lane, due_at, 1 AS n FROM webhook_delivery WHERE endpoint_id = ? AND state = 'HELD'
     ORDER BY lane, position LIMIT 1)
    UNION ALL
    SELECT next.lane, next.due_at, held.n + 1 FROM held CROSS JOIN LATERAL (
      SELECT lane, due_at FROM webhook_delivery WHERE endpoint_id = ? AND state = 'HELD' AND lane > held.lane
      ORDER BY lane, position LIMIT 1) next WHERE held.n < ?
  ) SELECT lane, due_at FROM held`;

/** A lane of an endpoint with deliveries that are held, and when the first of them is due; null for not by itself. */
export type HeldLane = readonly [lane: string, dueMs: number | null];

/** The lanes of an endpoint with deliveries that are held. */
export async function heldLanes(database: Database, endpointId: string, most: number): Promise<HeldLane[]> {
  const rows = await database
    .primary()
    .execute<{ readonly lane: string; readonly due_at: string | null }[]>(HELD_LANES, [endpointId, endpointId, most]);
  return rows.map(({ lane, due_at: dueAt }) => [lane, dueAt === null ? null : Date.parse(dueAt)]);
}

/** The rows of `NEXT` and `HELD` by their endpoints. */
export function deliverablesOf(rows: readonly unknown[][]): Map<string, DueDelivery[]> {
  const byEndpoint = new Map<string, DueDelivery[]>();
  for (const row of rows as DeliverableRow[]) {
    const [endpointId, deliveryId, at, lane, attempts, dueAt, type, createdAt, testData, eventId, ...rest] = row;
    const position = Number(at);
    const event = eventId === null ? null : eventOf([at, eventId, ...rest] as unknown as FeedRow);
    const dueMs = dueAt === null ? null : Date.parse(dueAt);
    const deliverable = { deliveryId, position, lane, attempts, dueMs, type, createdAt, event, testData };
    const ofEndpoint = byEndpoint.get(endpointId);
    if (ofEndpoint) ofEndpoint.push(deliverable);
    else byEndpoint.set(endpointId, [deliverable]);
  }
  return byEndpoint;
}

/**
 * The header `webhook-id` and the body, which are the same at every attempt; null for an event of no known type, and
 * for one that was deleted with its account.
 */
export function messageOf(
  { deliveryId, event, type, createdAt, testData }: DueDelivery,
  types: EventTypes,
): { readonly id: string; readonly body: Buffer } | null {
  if (event === null) {
    if (testData === null) return null;
    return { id: webhookIdOf(deliveryId, null), body: bodyOf({ type, timestamp: createdAt, data: testData }) };
  }
  const record = types.recordOf(event);
  if (!record) return null;
  return { id: record.id, body: bodyOf(record) };
}

/** Writes the body that receivers get of an event. Its id is a header. */
export function bodyOf({ type, timestamp, data }: Pick<EventRecord, 'type' | 'timestamp'> & { data: Json }): Buffer {
  return Buffer.from(JSON.stringify({ type, timestamp, data }));
}
