import { Counter, type Registry } from 'prom-client';
import type { Exchange } from '../http/exchange.js';

/** Each name is some twenty series for every scrape, so there is a limit; further ones count as `other`. */
const MAX_OPERATIONS = 200;
const OTHER = 'other';

const DURATIONS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** By the first digit of the status; nobody waited for those without one. */
const STATUSES = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx'];

/**
 * What is counted of one operation: numbers in arrays, since looking labels up for each request costs ten times as
 * much.
 */
interface Counts {
  readonly labels: string;
  sumSeconds: number;
  /** The last one is for what took longer. */
  readonly durations: number[];
  readonly answers: number[];
}

/** Requests by door, operation and outcome, how long they took, and what was refused. Counted once they are over. */
export class RequestMetrics {
  private readonly refusals: Counter;
  private readonly operations = { rest: new Map<string, Counts>(), graphql: new Map<string, Counts>() };

  constructor(registry: Registry) {
    this.refusals = new Counter({
      name: 'tillgate_refusals_total',
      help: 'Refused requests by the code of the refusal.',
      labelNames: ['door', 'code'],
      registers: [registry],
    });
  }

  count(exchange: Exchange): void {
    const { door, response, startedMs, refusals, isStream } = exchange;
    const counts = this.of(door, nameOf(exchange));
    const seconds = (performance.now() - startedMs) / 1000;
    counts.sumSeconds += seconds;
    let bucket = 0;
    while (seconds > (DURATIONS_SECONDS[bucket] ?? Infinity)) bucket += 1;
    counts.durations[bucket] = (counts.durations[bucket] ?? 0) + 1;
    // A stream counts when it begins.
    const status = response.writableFinished || isStream ? Math.floor(response.statusCode / 100) : 0;
    counts.answers[status] = (counts.answers[status] ?? 0) + 1;
    if (refusals) for (const code of refusals) this.refusals.inc({ door, code });
  }

  /** In the text format of Prometheus. */
  text(): string {
    const all = [...this.operations.rest.values(), ...this.operations.graphql.values()];
    const answered =
      'Requests by door, operation and class of the HTTP status; aborted if the client closed the connection.';
    const lasted = 'Seconds from the headers of a request to the end of its response.';
    return [
      `# HELP tillgate_requests_total ${answered}`,
      '# TYPE tillgate_requests_total counter',
      ...all.flatMap(answersOf),
      `# HELP tillgate_request_duration_seconds ${lasted}`,
      '# TYPE tillgate_request_duration_seconds histogram',
      ...all.flatMap(durationsOf),
      '',
    ].join('\n');
  }

  private of(door: Exchange['door'], asked: string): Counts {
    const operations = this.operations[door];
    const known = operations.get(asked);
    if (known) return known;
    if (asked !== OTHER && operations.size >= MAX_OPERATIONS) return this.of(door, OTHER);
    const counts = {
      labels: `door="${door}",operation="${asked.replace(/["\\\n]/g, '_')}"`,
      sumSeconds: 0,
      durations: [...DURATIONS_SECONDS.map(() => 0), 0],
      answers: STATUSES.map(() => 0),
    };
    operations.set(asked, counts);
    return counts;
  }
}

/** Clients choose the names of their GraphQL operations, so only those of a manifest count by their names. */
function nameOf({ door, operation, isOfManifest }: Exchange): string {
  return operation === null || (door === 'graphql' && !isOfManifest) ? OTHER : operation;
}

function answersOf({ labels, answers }: Counts): string[] {
  return answers.flatMap((count, status) =>
    count > 0 ? [`tillgate_requests_total{${labels},status="${STATUSES[status]}"} ${count}`] : [],
  );
}

function durationsOf({ labels, sumSeconds, durations }: Counts): string[] {
  const name = 'tillgate_request_duration_seconds';
  let total = 0;
  const buckets = durations.map((count, bucket) => {
    total += count;
    return `${name}_bucket{${labels},le="${DURATIONS_SECONDS[bucket] ?? '+Inf'}"} ${total}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${sumSeconds}`, `${name}_count{${labels}} ${total}`];
}
