import { Counter, type Metric, type Registry } from 'prom-client';
import type { Exchange } from '../http/exchange.js';

/** Each name is some twenty series for every scrape, so there is a limit; further ones count as `other`. */
const MAX_OPERATIONS = 200;
const OTHER = 'other';

const DURATION = 'tillgate_request_duration_seconds';
const DURATIONS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** By the first digit of the status; the client closed the connection of those without a status. */
const STATUSES = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** The counts of one operation: numbers in arrays, since looking labels up for each request costs ten times as much. */
interface Counts {
  readonly labels: { readonly api: string; readonly operation: string };
  sumSeconds: number;
  /** The last one is for what took longer. */
  readonly durations: number[];
  readonly answers: number[];
}

/** Requests by API, operation and outcome, how long they took, and what was refused. Counted once they are over. */
export class RequestMetrics {
  private readonly refusals: Counter;
  private readonly operations = { rest: new Map<string, Counts>(), graphql: new Map<string, Counts>() };

  constructor(registry: Registry) {
    this.refusals = new Counter({
      name: 'tillgate_refusals_total',
      help: 'Refused requests by the code of the refusal.',
      labelNames: ['api', 'code'],
      registers: [registry],
    });
    const all = () => [...this.operations.rest.values(), ...this.operations.graphql.values()];
    register(registry, {
      name: 'tillgate_requests_total',
      help: 'Requests by API, operation and class of the HTTP status; aborted if the client closed the connection.',
      type: 'counter',
      values: () => all().flatMap(answersOf),
    });
    register(registry, {
      name: DURATION,
      help: 'Seconds from the headers of a request to the end of its response.',
      type: 'histogram',
      values: () => all().flatMap(durationsOf),
    });
  }

  count(exchange: Exchange): void {
    const { api, response, startedMs, refusals, isStream } = exchange;
    const counts = this.of(api, nameOf(exchange));
    const seconds = (performance.now() - startedMs) / 1000;
    counts.sumSeconds += seconds;
    let bucket = 0;
    while (seconds > (DURATIONS_SECONDS[bucket] ?? Infinity)) bucket += 1;
    counts.durations[bucket] = (counts.durations[bucket] ?? 0) + 1;
    // A stream counts when it begins.
    const status = response.writableFinished || isStream ? Math.floor(response.statusCode / 100) : 0;
    counts.answers[status] = (counts.answers[status] ?? 0) + 1;
    if (refusals) for (const code of refusals.keys()) this.refusals.inc({ api, code });
  }

  private of(api: Exchange['api'], operation: string): Counts {
    const operations = this.operations[api];
    const countsSoFar = operations.get(operation);
    if (countsSoFar) return countsSoFar;
    if (operation !== OTHER && operations.size >= MAX_OPERATIONS) return this.of(api, OTHER);
    const counts = {
      labels: { api, operation: operation.replace(/["\\\n]/g, '_') },
      sumSeconds: 0,
      durations: [...DURATIONS_SECONDS.map(() => 0), 0],
      answers: STATUSES.map(() => 0),
    };
    operations.set(operation, counts);
    return counts;
  }
}

/** Clients choose the names of their GraphQL operations, so only those of a manifest count by their names. */
function nameOf({ api, operation, isOfManifest }: Exchange): string {
  return operation === null || (api === 'graphql' && !isOfManifest) ? OTHER : operation;
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** A metric that the registry shows like its own. */
function register(
  registry: Registry,
  { values, ...metric }: { name: string; help: string; type: string; values: () => Value[] },
): void {
  const shown = { ...metric, aggregator: 'sum', get: async () => ({ ...metric, aggregator: 'sum', values: values() }) };
  registry.registerMetric(shown as unknown as Metric);
}

function answersOf({ labels, answers }: Counts): Value[] {
  return answers.flatMap((count, status) =>
    count > 0 ? [{ labels: { ...labels, status: STATUSES[status] as string }, value: count }] : [],
  );
}

function durationsOf({ labels, sumSeconds, durations }: Counts): Value[] {
  let total = 0;
  const buckets = durations.map((count, bucket) => {
    total += count;
    const le = DURATIONS_SECONDS[bucket] ?? '+Inf';
    return { metricName: `${DURATION}_bucket`, labels: { ...labels, le }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels, value: sumSeconds },
    { metricName: `${DURATION}_count`, labels, value: total },
  ];
}
