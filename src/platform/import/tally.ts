import { Refusal } from '../../shared/errors.js';
import type { LineOutcome } from './batch.js';

/** How far an import is. */
export class Tally {
  readonly counts = { new: 0, updated: 0, unchanged: 0, rejected: 0 };
  /** Every line up to this one is either in the database or rejected. */
  lastLine = 0;
  private readonly startedMs = performance.now();
  private endedMs: number | null = null;

  add(outcomes: readonly LineOutcome[]): void {
    for (const { outcome } of outcomes) this.counts[outcome instanceof Refusal ? 'rejected' : outcome] += 1;
    this.lastLine = outcomes.at(-1)?.line ?? this.lastLine;
  }

  end(): void {
    this.endedMs ??= performance.now();
  }

  get rows(): number {
    return this.counts.new + this.counts.updated + this.counts.unchanged + this.counts.rejected;
  }

  /** For the progress. */
  get failures(): string {
    return this.counts.rejected > 0 ? `${this.counts.rejected} rejected` : '';
  }

  get seconds(): number {
    return ((this.endedMs ?? performance.now()) - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.rows / Math.max(this.seconds, 0.001));
  }

  /** `12 new, 0 updated, 3 unchanged, 0 rejected in 0.2 s (75 rows/s)` */
  summary(): string {
    const counts = Object.entries(this.counts).map(([name, count]) => `${count} ${name}`);
    return `${counts.join(', ')} in ${this.seconds.toFixed(1)} s (${this.rowsPerSecond} rows/s)`;
  }
}
