import { AggregatorRegistry, Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { MetricsSnapshot } from './process-group.js';

type Metric = { readonly name: string; readonly type: string; readonly aggregator: string };

/**
 * Joins a metric. Its own declaration says what is no sum; for these the library says otherwise than an operator of
 * many processes needs.
 */
function asJoined(metric: Metric): Metric {
  if (metric.name === 'process_start_time_seconds' || metric.name.endsWith('_lag_min_seconds')) {
    return { ...metric, aggregator: 'min' };
  }
  return metric.name.startsWith('nodejs_eventloop_lag_') ? { ...metric, aggregator: 'max' } : metric;
}

/** Only finite numbers pass from process to process. */
export async function snapshotOf(registry: Registry): Promise<MetricsSnapshot> {
  return (await registry.getMetricsAsJSON()).map(metric => ({
    ...metric,
    values: (metric as unknown as { values: { value: number }[] }).values.filter(({ value }) => Number.isFinite(value)),
  }));
}

/** One registry with the metrics of several processes: sums, unless a metric says otherwise. */
export function joined(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots.map(snapshot => (snapshot as Metric[]).map(asJoined))) as Registry;
}

/** The primary's own metrics, and the counts of workers that have ended, so that no sum ever falls. */
export class PrimaryMetrics {
  private readonly registry = new Registry();
  private ended: MetricsSnapshot = [];
  private readonly deaths = new Counter({
    name: 'tillgate_worker_deaths_total',
    help: 'Worker processes that ended by themselves or were killed, and were replaced.',
    registers: [this.registry],
  });

  constructor(ready: () => number) {
    collectDefaultMetrics({ register: this.registry });
    const workers: Gauge = new Gauge({
      name: 'tillgate_workers',
      help: 'Worker processes that serve.',
      registers: [this.registry],
      collect: () => workers.set(ready()),
    });
  }

  countDeath(): void {
    this.deaths.inc();
  }

  /** Keeps the counts of a worker that has ended. */
  async keep(snapshot: MetricsSnapshot): Promise<void> {
    const counts = (snapshot as Metric[]).filter(({ type }) => type === 'counter' || type === 'histogram');
    this.ended = await snapshotOf(joined([this.ended, counts]));
  }

  async snapshots(): Promise<readonly MetricsSnapshot[]> {
    return [await snapshotOf(this.registry), this.ended];
  }
}
