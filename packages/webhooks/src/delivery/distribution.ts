import { setTimeout as sleep } from 'node:timers/promises';
import { LockMode, raw } from '@mikro-orm/core';
import {
  MAX_READ,
  NOT_DURABLE,
  PRESENT,
  READ,
  READ_OF_PROGRAM,
  eventOf,
  inTransaction,
  apart,
  pick,
  transpose,
  type Database,
  type EventTypes,
  type FeedEvent,
  type FeedRow,
  type Logger,
  type SqlTransaction,
} from 'tillgate/noun';
import { statementOf } from '../../../../lib/pg-wire/statement.js';
import { WebhookEndpoint } from '../webhook.entity.js';
import { WebhookDistribution, WebhookSender } from './delivery.entity.js';
import { newDeliveryId } from './delivery-id.js';

const TICK_MS = 20;
/** Endpoints that are new, or that are to be recovered, are looked for so often. */
const LOOK_EVERY_MS = 1000;
const RETRY_AFTER_MS = 1000;
const CANNOT = 'events cannot be distributed to webhooks; the gateway keeps trying';
/** The number of deliveries that are made at once: fewer events than `MAX_READ` if there are many endpoints. */
const MAX_DELIVERIES = 5000;

// Sets of deliveries are written and matched by one statement for all endpoints, and events are of the feed.
// Events are nearly in the order of their times, so the first one is among the first by time.
const firstOf = (events: string, condition: string): string =>
  `SELECT min(position) FROM (SELECT f.position FROM ${events} e JOIN feed f ON f.event_id = e.id
     ${condition} ORDER BY e.occurred_at LIMIT 1000) near`;
const FIRST_SINCE = apart(
  firstOf('event', 'WHERE e.program = $1 AND e.occurred_at >= $2'),
  firstOf('events_since($1::text, $2::timestamptz)', ''),
);
const ADDED = `INSERT INTO webhook_delivery (delivery_id, endpoint_id, position, event_id, type, lane)
   SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int8[], $4::int8[], $5::text[], $6::text[]) k(delivery_id, endpoint_id, position)`;
const NOTED = `due_at = least(s.due_at, now()), additions = s.additions + 1`;
const ADD = statementOf(
  `WITH added AS (${ADDED} RETURNING endpoint_id)
   UPDATE webhook_sender s SET ${NOTED} WHERE s.endpoint_id IN (SELECT endpoint_id FROM added)`,
);
// A failed delivery is sent again, and one that was never to be sent is added.
const ADD_MISSED = statementOf(
  `WITH revived AS (
     UPDATE webhook_delivery d SET state = 'WAITING', due_at = NULL, attempts = 0
     WHERE d.endpoint_id = ANY($2::uuid[]) AND d.position = ANY($3::int8[]) AND d.state = 'FAILED' RETURNING endpoint_id
   ), added AS (${ADDED} WHERE NOT EXISTS (SELECT FROM webhook_delivery d
       WHERE d.endpoint_id = k.endpoint_id AND d.position = k.position AND d.event_id IS NOT NULL)
     RETURNING endpoint_id)
   UPDATE webhook_sender s SET ${NOTED}, insertions = s.insertions + 1
   WHERE s.endpoint_id IN (SELECT endpoint_id FROM revived UNION ALL SELECT endpoint_id FROM added)`,
);

type InterestedEndpoint = Readonly<
  Pick<WebhookEndpoint, 'endpointId' | 'program' | 'fromPosition'> & Pick<WebhookSender, 'missedAfter' | 'recoverSince'>
> & {
  readonly types: ReadonlySet<string>;
  readonly accountIds: ReadonlySet<string>;
};

const WANTS = ['endpointId', 'program', 'types', 'accountIds', 'fromPosition', 'status'] as const;

export interface DistributionOrder {
  readonly database: Database;
  readonly types: EventTypes;
  /** The last position of the feed that this process has seen. */
  readonly head: () => number;
  /** Called when there are new deliveries. */
  readonly distributed: () => void;
  readonly log: Logger;
}

/**
 * Writes a delivery for each event and each endpoint that wants it. The deliveries are written in the transaction that
 * moves the position, so there is exactly one of each.
 */
export class Distribution {
  private position = 0;
  private readonly stopping = new AbortController();
  private readonly loop: Promise<void>;

  constructor(private readonly order: DistributionOrder) {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    let [lookedMs, isFailing] = [-Infinity, false];
    while (!this.stopping.signal.aborted) {
      let pauseMs = TICK_MS;
      try {
        const isTime = performance.now() - lookedMs >= LOOK_EVERY_MS;
        if (isTime || this.order.head() > this.position) {
          lookedMs = performance.now();
          await this.distributeAll();
        }
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.order.log.warn({ err: error }, CANNOT);
        [isFailing, pauseMs] = [true, RETRY_AFTER_MS];
      }
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async distributeAll(): Promise<void> {
    while (await this.distribute()) if (this.stopping.signal.aborted) return;
  }

  /** Distributes the next events. Gives whether there are more. */
  private async distribute(): Promise<boolean> {
    const { position, hasMore, hasAdded } = await inTransaction(this.order.database, async transaction => {
      // One of all processes distributes at a time.
      const lockMode = LockMode.PESSIMISTIC_PARTIAL_WRITE;
      const locked = await this.order.database.em(transaction).findOne(WebhookDistribution, { id: 1 }, { lockMode });
      // Another process does it, and its deliveries are found by looking for them.
      if (!locked) return { position: this.order.head(), hasMore: false, hasAdded: false };
      return this.advance(transaction, locked.position);
    });
    this.position = position;
    if (hasAdded) this.order.distributed();
    return hasMore;
  }

  private async advance(transaction: SqlTransaction, position: number) {
    await transaction.run(NOT_DURABLE);
    const endpoints = await this.endpoints(transaction, position);
    if (endpoints.length === 0) return this.passOver(transaction, position);
    const current = endpoints.filter(({ missedAfter, recoverSince }) => missedAfter === null && recoverSince === null);
    const limit = Math.max(1, Math.min(MAX_READ, Math.floor(MAX_DELIVERIES / Math.max(1, current.length))));
    const events = (await transaction.query<FeedRow>(READ, [position, limit])).map(eventOf);
    const reached = events.at(-1)?.position ?? position;
    const added = this.deliveriesOf(events, current);
    if (added.length > 0) await transaction.query(ADD, transpose(added));
    if (reached > position) await this.move(transaction, reached);
    const behind = endpoints.find(endpoint => !current.includes(endpoint));
    const hasCaught = behind ? await this.catchUp(transaction, behind, reached) : false;
    return {
      position: reached,
      hasMore: events.length === limit || behind !== undefined,
      hasAdded: added.length > 0 || hasCaught,
    };
  }

  /** The endpoints that want events. */
  private async endpoints(transaction: SqlTransaction, position: number): Promise<InterestedEndpoint[]> {
    const em = this.order.database.em(transaction);
    const found = await em.find(WebhookEndpoint, {}, { fields: WANTS });
    const senders = await em.find(
      WebhookSender,
      {},
      { fields: ['endpointId', 'isKnown', 'missedAfter', 'recoverSince'] },
    );
    const senderOf = new Map(senders.map(sender => [sender.endpointId, sender]));
    const rows = found.map(endpoint => {
      const { isKnown = false, missedAfter = null, recoverSince = null } = senderOf.get(endpoint.endpointId) ?? {};
      return {
        ...pick<Pick<WebhookEndpoint, (typeof WANTS)[number]>>(endpoint, WANTS),
        isKnown,
        missedAfter,
        recoverSince,
      };
    });
    // A new endpoint gets the events behind its own position: those that are distributed already are distributed to it
    // again.
    const met = rows
      .filter(({ isKnown }) => !isKnown)
      .map(({ endpointId, fromPosition }) => {
        return { endpointId, isKnown: true, missedAfter: fromPosition < position ? fromPosition : null };
      });
    if (met.length > 0) {
      await em.upsertMany(WebhookSender, met, { onConflictMergeFields: ['isKnown', 'missedAfter'] });
    }
    const missed = new Map(met.map(({ endpointId, missedAfter }) => [endpointId, missedAfter]));
    return rows
      .filter(({ status }) => status === 'ENABLED')
      .map(({ endpointId, program, types, accountIds, fromPosition, missedAfter, recoverSince }) => ({
        endpointId,
        program,
        types: new Set(types),
        accountIds: new Set(accountIds),
        fromPosition,
        missedAfter: missed.has(endpointId) ? (missed.get(endpointId) ?? null) : missedAfter,
        recoverSince,
      }));
  }

  private async move(transaction: SqlTransaction, position: number): Promise<void> {
    await this.order.database.em(transaction).nativeUpdate(WebhookDistribution, { id: 1 }, { position });
  }

  /** No endpoint wants any event. An endpoint that is added later has its own position to begin at. */
  private async passOver(transaction: SqlTransaction, position: number) {
    const [row] = await transaction.query<[bigint]>(PRESENT, []);
    const latest = Number(row?.[0] ?? 0);
    if (latest > position) await this.move(transaction, latest);
    return { position: Math.max(latest, position), hasMore: false, hasAdded: false };
  }

  /** Distributes what an endpoint has missed, up to a position. Newer events wait for it, so that the order is kept. */
  private async catchUp(transaction: SqlTransaction, endpoint: InterestedEndpoint, until: number): Promise<boolean> {
    const { endpointId, program, recoverSince, missedAfter } = endpoint;
    const em = this.order.database.em(transaction);
    if (recoverSince !== null) {
      const [row] = await transaction.query<[bigint | null]>(FIRST_SINCE, [program, recoverSince.toISOString()]);
      const first = row?.[0] ?? null;
      const missed = first === null ? null : Number(first) - 1;
      await em.nativeUpdate(
        WebhookSender,
        { endpointId },
        { recoverSince: null, missedAfter: raw('least(missed_after, ?::int8)', [missed]) },
      );
      return false;
    }
    const rows = await transaction.query<FeedRow>(READ_OF_PROGRAM, [missedAfter, MAX_READ, program]);
    const events = rows.map(eventOf).filter(({ position }) => position <= until);
    const missed = this.deliveriesOf(events, [endpoint]);
    if (missed.length > 0) await transaction.query(ADD_MISSED, transpose(missed));
    const isDone = rows.length < MAX_READ || events.length < rows.length;
    const missedUntil = isDone ? null : (events.at(-1)?.position ?? until);
    await em.nativeUpdate(WebhookSender, { endpointId }, { missedAfter: missedUntil });
    return missed.length > 0;
  }

  private deliveriesOf(events: readonly FeedEvent[], endpoints: readonly InterestedEndpoint[]): unknown[][] {
    const byProgram = Map.groupBy(endpoints, ({ program }) => program);
    return events.flatMap(event => {
      const { program, accountId, position, id } = event;
      const type = byProgram.has(program) ? this.order.types.recordOf(event)?.type : undefined;
      if (type === undefined) return [];
      const isWanted = (endpoint: InterestedEndpoint) =>
        position > endpoint.fromPosition && wants(endpoint, type, accountId);
      const wanting = byProgram.get(program)?.filter(isWanted) ?? [];
      return wanting.map(({ endpointId }) => [newDeliveryId(), endpointId, position, id, type, accountId ?? '']);
    });
  }
}

function wants({ types, accountIds }: InterestedEndpoint, type: string, accountId: string | null): boolean {
  const isOfType = types.size === 0 || types.has(type);
  return isOfType && (accountIds.size === 0 || (accountId !== null && accountIds.has(accountId)));
}
