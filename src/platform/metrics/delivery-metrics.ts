import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const DURATIONS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Metrics of deliveries to webhook endpoints. */
export class DeliveryMetrics {
  private readonly deliveries: Counter;
  private readonly attempts: Histogram;
  private readonly disablings: Counter;
  private readonly count: Gauge;
  private readonly age: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.deliveries = new Counter({
      name: 'tillgate_webhook_deliveries_total',
      help: 'Deliveries to webhook endpoints by their final outcome: delivered or failed.',
      labelNames: ['outcome'],
      registers,
    });
    this.attempts = new Histogram({
      name: 'tillgate_webhook_attempt_duration_seconds',
      help: 'Seconds of an attempt to deliver to a webhook endpoint, by its outcome: delivered or failed.',
      labelNames: ['outcome'],
      buckets: DURATIONS_SECONDS,
      registers,
    });
    this.disablings = new Counter({
      name: 'tillgate_webhook_endpoints_disabled_total',
      help: 'Webhook endpoints that this process disabled, by the reason: GONE or FAILING.',
      labelNames: ['reason'],
      registers,
    });
    this.count = new Gauge({
      name: 'tillgate_webhook_deliveries_waiting',
      help: 'Deliveries of all processes that wait to be sent or sent again, up to 100,000; counted every 15 s.',
      aggregator: 'max',
      registers,
    });
    this.age = new Gauge({
      name: 'tillgate_webhook_oldest_waiting_seconds',
      help: 'The age of the oldest of them.',
      aggregator: 'max',
      registers,
    });
    // A rate needs the zero before the first one.
    for (const outcome of ['delivered', 'failed']) {
      this.deliveries.inc({ outcome }, 0);
      this.attempts.zero({ outcome });
    }
    for (const reason of ['GONE', 'FAILING']) this.disablings.inc({ reason }, 0);
  }

  attempt(outcome: string, seconds: number): void {
    this.attempts.observe({ outcome }, seconds);
  }

  delivery(outcome: string): void {
    this.deliveries.inc({ outcome });
  }

  disabled(reason: string): void {
    this.disablings.inc({ reason });
  }

  waiting(count: number, oldestSeconds: number): void {
    this.count.set(count);
    this.age.set(oldestSeconds);
  }
}
