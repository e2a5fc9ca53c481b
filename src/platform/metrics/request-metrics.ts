import { Counter, Histogram, type Registry } from 'prom-client';
import type { Exchange } from '../http/exchange.js';

/** Each name is some twenty series for every scrape, so there is a limit; further ones count as `other`. */
const MAX_OPERATIONS = 200;
const OTHER = 'other';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface OperationMetrics {
  readonly name: string;
  readonly duration: { observe(seconds: number): void };
  /** By status class, made when the first answer of the class is. */
  readonly answers: Map<string, { inc(): void }>;
}

/** Requests by door, operation and outcome, how long they took, and what was refused. Counted once they are over. */
export class RequestMetrics {
  private readonly answers: Counter;
  private readonly duration: Histogram;
  private readonly refusals: Counter;
  /** By door and name. Looking labels up costs more than counting does, so what counts an operation is kept. */
  private readonly operations = {
    rest: new Map<string, OperationMetrics>(),
    graphql: new Map<string, OperationMetrics>(),
  };

  constructor(registry: Registry) {
    const registers = [registry];
    this.answers = new Counter({
      name: 'tillgate_requests_total',
      help: 'Requests by door, operation and class of the HTTP status; aborted where the client did not wait.',
      labelNames: ['door', 'operation', 'status'],
      registers,
    });
    this.duration = new Histogram({
      name: 'tillgate_request_duration_seconds',
      help: 'From the headers of a request to the end of its answer.',
      labelNames: ['door', 'operation'],
      buckets: BUCKETS,
      registers,
    });
    this.refusals = new Counter({
      name: 'tillgate_refusals_total',
      help: 'Requests whose answer tells a refusal, by its code: who may not, limits, conflicts, mistakes.',
      labelNames: ['door', 'code'],
      registers,
    });
  }

  watch(exchange: Exchange): void {
    exchange.response.once('close', () => this.count(exchange));
  }

  private count(exchange: Exchange): void {
    const { door, response, startedMs, refusals } = exchange;
    const { name, duration, answers } = this.operation(door, nameOf(exchange));
    duration.observe((performance.now() - startedMs) / 1000);
    const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
    let answered = answers.get(status);
    if (!answered) answers.set(status, (answered = this.answers.labels(door, name, status)));
    answered.inc();
    for (const code of refusals ?? []) this.refusals.inc({ door, code });
  }

  private operation(door: Exchange['door'], asked: string): OperationMetrics {
    const operations = this.operations[door];
    const known = operations.get(asked);
    if (known) return known;
    if (asked !== OTHER && operations.size >= MAX_OPERATIONS) return this.operation(door, OTHER);
    const operation = { name: asked, duration: this.duration.labels(door, asked), answers: new Map() };
    operations.set(asked, operation);
    return operation;
  }
}

/** Clients choose the names of their GraphQL operations, so only those that are known count by their names. */
function nameOf({ door, operation, isKnown }: Exchange): string {
  if (operation === null || (door === 'graphql' && !isKnown)) return OTHER;
  return operation;
}
