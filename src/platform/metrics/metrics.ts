import type pg from 'pg';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { batching } from '../repository/batcher.js';
import type { Replicas } from '../database/replicas.js';
import type { CountCommand } from '../command/counted.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { watchReplicas } from './replica-metrics.js';
import { RequestMetrics } from './request-metrics.js';
import { joined, snapshotOf } from '../workers/joined-metrics.js';
import type { MetricsSnapshot } from '../workers/process-group.js';
import type { DocumentCounts } from '../graphql/server.js';
import type { SubscriptionCounts } from '../graphql/subscriptions/open-subscriptions.js';

/**
 * The counts of the gateway about itself, in the text format of Prometheus. No label holds anything that a client sent.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly commands = new Counter({
    name: 'tillgate_commands_total',
    help: 'Commands by outcome: done, tried (a dry run), waiting (for an approval), replayed, refused or failed.',
    labelNames: ['command', 'outcome'],
    registers: [this.registry],
  });
  private readonly unrecorded = new Counter({
    name: 'tillgate_denials_unrecorded_total',
    help: 'Denied attempts that could not be recorded.',
    registers: [this.registry],
  });
  private readonly holdsNotEnded = new Counter({
    name: 'tillgate_holds_not_ended_total',
    help: 'Failed attempts to end holds whose time was over. They are tried again twice a second.',
    registers: [this.registry],
  });
  readonly requests = new RequestMetrics(this.registry);
  readonly deliveries = new DeliveryMetrics(this.registry);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** `others`: the metrics of the other processes behind the same port, which are shown together with these. */
  async text(others: readonly MetricsSnapshot[] = []): Promise<string> {
    return others.length === 0 ? this.registry.metrics() : joined([await this.snapshot(), ...others]).metrics();
  }

  /** The metrics that other processes show together with their own. */
  async snapshot(): Promise<MetricsSnapshot> {
    return snapshotOf(this.registry);
  }

  readonly countCommand: CountCommand = (command, outcome) => this.commands.inc({ command, outcome });

  readonly countUnrecorded = (denials: number): void => this.unrecorded.inc(denials);

  readonly countHoldsNotEnded = (holds: number): void => this.holdsNotEnded.inc(holds);

  /**
   * The connections, and the batches that share them. Batchers belong to the process, so the gateway that asks last
   * counts them.
   */
  watchDatabase(pool: pg.Pool): void {
    this.gauge('tillgate_pool_connections', 'Open connections to the database.', () => pool.totalCount);
    this.gauge(
      'tillgate_pool_idle_connections',
      'Open connections to the database that are idle.',
      () => pool.idleCount,
    );
    this.gauge('tillgate_pool_waiting', 'Tasks that wait for a connection to the database.', () => pool.waitingCount);
    this.gauge('tillgate_pool_limit', 'The maximum number of connections to the database.', () => pool.options.max);
    this.gauge('tillgate_batches_in_flight', 'Batches of reads that are running.', () => batching.inFlight);
    this.gauge('tillgate_batch_keys_waiting', 'Reads that wait for a batch.', () => batching.waitingKeys);
    const sizes = new Histogram({
      name: 'tillgate_batch_keys',
      help: 'The number of reads in a batch.',
      buckets: [1, 2, 4, 8, 16, 32, 64],
      registers: [this.registry],
    });
    batching.onBatch = keys => sizes.observe(keys);
  }

  watchReplicas(replicas: Replicas): void {
    watchReplicas(this.registry, replicas);
  }

  /** Watches the number of GraphQL documents that are kept, and the memory that they hold. */
  watchDocuments({ bytes, waiting, compiled }: DocumentCounts): void {
    this.gauge('tillgate_graphql_documents_bytes', 'The estimated memory of the cached documents in bytes.', bytes);
    this.gauge('tillgate_graphql_compilations_waiting', 'Operations that wait for compilation.', waiting);
    this.gauge(
      'tillgate_graphql_compiled_operations',
      'Operations that were compiled since the start of the process.',
      compiled,
    );
  }

  /** The feed of events: how far behind it is, and who reads it. */
  watchFeed(feed: { readonly lag: number; readonly missing: number; readonly followers: number }): void {
    this.gauge('tillgate_feed_lag_seconds', 'The age of the oldest event that was read last.', () => feed.lag, 'max');
    this.gauge(
      'tillgate_feed_missing',
      'Events that may still come from transactions that are running.',
      () => feed.missing,
      'max',
    );
    this.gauge('tillgate_feed_followers', 'Readers that wait for events or are being served.', () => feed.followers);
  }

  watchJobs(health: { readonly isFailing: boolean }): void {
    const help = '1 while no job can be taken from the queue, so that no document is issued.';
    this.gauge('tillgate_jobs_failing', help, () => Number(health.isFailing), 'max');
  }

  /** Open subscriptions over GraphQL, what they sent, and why they ended. */
  watchSubscriptions({ open, connections, sent, ended }: SubscriptionCounts): void {
    this.gauge('tillgate_subscriptions_open', 'Open GraphQL subscriptions.', open);
    this.gauge('tillgate_subscription_connections', 'Open HTTP streams and WebSockets of subscriptions.', connections);
    const registers = [this.registry];
    const events: Counter = new Counter({
      name: 'tillgate_subscription_events_total',
      help: 'Results that were sent to subscriptions.',
      registers,
      collect: () => {
        events.reset();
        events.inc(sent());
      },
    });
    const ends: Counter = new Counter({
      name: 'tillgate_subscriptions_ended_total',
      help: 'Subscriptions that have ended, by the code of the reason; client if the client ended it.',
      labelNames: ['reason'],
      registers,
      collect: () => {
        ends.reset();
        for (const [reason, count] of ended()) ends.inc({ reason }, count);
      },
    });
  }

  /** Makes a counter of a noun's own, and gives what adds to it. */
  counter(name: string, help: string): (count: number) => void {
    const counter = new Counter({ name, help, registers: [this.registry] });
    return count => counter.inc(count);
  }

  /** `aggregator`: what several processes show together. */
  private gauge(name: string, help: string, read: () => number, aggregator: 'sum' | 'max' = 'sum'): void {
    const registers = [this.registry];
    const gauge: Gauge = new Gauge({ name, help, registers, aggregator, collect: () => gauge.set(read()) });
  }
}
