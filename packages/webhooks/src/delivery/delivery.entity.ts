import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { DataClasses, Sealed, type Json } from 'tillgate/noun';
import { KEPT_DAYS } from '../webhook.errors.js';

/**
 * `WAITING`: to be sent in the order of the feed. `HELD`: to be sent after another delivery of its lane, or at `dueAt`.
 * The other two are final until somebody sends them again.
 */
export type DeliveryState = 'WAITING' | 'HELD' | 'DELIVERED' | 'FAILED';

/**
 * An event on its way to an endpoint. Nearly all of them are delivered by the first attempt, so that one is kept in
 * this row, and only attempts that failed have rows of their own.
 */
@Entity({ tableName: 'webhook_delivery' })
@DataClasses<WebhookDelivery>({
  kept: `${KEPT_DAYS} days`,
  internal: [
    'position',
    'type',
    'testData',
    'state',
    'createdAt',
    'dueAt',
    'attempts',
    'startedAt',
    'durationMs',
    'status',
  ],
  identifier: ['deliveryId', 'endpointId', 'eventId', 'lane'],
  personal: { answer: 'sealed' },
})
@Index({ properties: ['endpointId', 'position'] })
@Index({
  name: 'webhook_delivery_waiting',
  properties: ['endpointId', 'position', 'deliveryId'],
  where: "state = 'WAITING'",
})
@Index({ name: 'webhook_delivery_held', properties: ['endpointId', 'lane', 'position'], where: "state = 'HELD'" })
export class WebhookDelivery {
  /** Version 7, so that rows are added and deleted at the ends of the index. */
  @PrimaryKey({ type: 'uuid' }) deliveryId!: string;
  @Property({ type: 'uuid' }) endpointId!: string;
  /** The position of the event in the feed; for a test the position that was reached. */
  @Property({ type: new BigIntType('number') }) position!: number;
  /** null for a test. */
  @Property({ type: new BigIntType('number'), nullable: true }) eventId!: number | null;
  @Property({ type: 'text' }) type!: string;
  /** The data that a test sends. */
  @Property({ type: 'json', nullable: true }) testData!: Json;
  /** Deliveries of a lane are sent one after another: the id of the account, '' for events without one. */
  @Property({ type: 'text' }) lane!: string;
  @Property({ type: 'text', default: 'WAITING' }) state!: Opt<DeliveryState>;
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) createdAt!: Opt<Date>;
  /** When the first delivery of a lane that failed is tried again. */
  @Property({ type: 'datetime', length: 3, nullable: true }) dueAt!: Date | null;
  @Property({ type: 'integer', default: 0 }) attempts!: Opt<number>;
  /** The time of the attempt that succeeded. */
  @Property({ type: 'datetime', length: 3, nullable: true }) startedAt!: Date | null;
  @Property({ type: 'integer', nullable: true }) durationMs!: number | null;
  @Property({ type: 'integer', nullable: true }) status!: number | null;
  /** The beginning of the answer, which may hold personal data. */
  @Sealed({})
  @Property({ type: 'blob', nullable: true })
  answer!: Buffer | null;
}

/** An attempt that failed. */
@Entity({ tableName: 'webhook_attempt' })
@DataClasses<WebhookAttempt>({
  kept: `${KEPT_DAYS} days`,
  internal: ['startedAt', 'durationMs', 'status', 'error'],
  identifier: ['deliveryId', 'attemptId'],
  personal: { answer: 'sealed' },
})
export class WebhookAttempt {
  @PrimaryKey({ type: 'uuid' }) deliveryId!: string;
  @PrimaryKey({ type: 'uuid' }) attemptId!: string;
  @Property({ type: 'datetime', length: 3 }) startedAt!: Date;
  @Property({ type: 'integer' }) durationMs!: number;
  /** null without an answer. */
  @Property({ type: 'integer', nullable: true }) status!: number | null;
  /** Why there is no answer: a code of `lib/guarded-connect`. */
  @Property({ type: 'text', nullable: true }) error!: string | null;
  @Sealed({})
  @Property({ type: 'blob', nullable: true })
  answer!: Buffer | null;
}

/** The state of sending to one endpoint, and which process does it. Small rows that are written often. */
@Entity({ tableName: 'webhook_sender' })
@DataClasses<WebhookSender>({
  kept: 'as long as its endpoint',
  internal: [
    'isKnown',
    'missedAfter',
    'recoverSince',
    'holder',
    'leasedUntil',
    'dueAt',
    'additions',
    'insertions',
    'pausedUntil',
  ],
  identifier: ['endpointId'],
})
export class WebhookSender {
  @PrimaryKey({ type: 'uuid' }) endpointId!: string;
  /** True if the distribution has seen the endpoint: a delivery may come before. */
  @Property({ type: 'boolean', default: false }) isKnown!: Opt<boolean>;
  /** Events behind this position are still to be distributed, before newer ones; null where all were. */
  @Property({ type: new BigIntType('number'), nullable: true }) missedAfter!: number | null;
  /** Somebody asked that events from then on are distributed again; null for nobody. */
  @Property({ type: 'datetime', length: 3, nullable: true }) recoverSince!: Date | null;
  /** The process that sends: the key of the advisory lock that it holds as long as it is connected. */
  @Property({ type: 'integer', nullable: true }) holder!: number | null;
  @Property({ type: 'datetime', length: 3, nullable: true }) leasedUntil!: Date | null;
  /** When there is something to send; null for not before another delivery is written. */
  @Property({ type: 'datetime', length: 3, nullable: true }) dueAt!: Date | null;
  /** Grows with each delivery that is added, so that the holder looks for it. */
  @Property({ type: 'integer', default: 0 }) additions!: Opt<number>;
  /** Grows with each delivery that is added among those that the holder has looked at. */
  @Property({ type: 'integer', default: 0 }) insertions!: Opt<number>;
  /** The endpoint asked for a pause. */
  @Property({ type: 'datetime', length: 3, nullable: true }) pausedUntil!: Date | null;
}

/** The progress of distributing the feed to the endpoints: one row. */
@Entity({ tableName: 'webhook_distribution' })
@DataClasses<WebhookDistribution>({
  kept: 'one row, without end',
  internal: ['id', 'position'],
})
export class WebhookDistribution {
  @PrimaryKey({ type: 'integer', autoincrement: false }) id!: number;
  @Property({ type: new BigIntType('number') }) position!: number;
}
