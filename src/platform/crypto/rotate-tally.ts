import type { SealBroken } from './key-ring.js';

/** A row whose value cannot be opened. */
export interface Unreadable {
  /** The values of its primary key. */
  readonly key: readonly string[];
  readonly reason: SealBroken['reason'];
}

/** So many unreadable rows are told one by one. */
export const MAX_TOLD = 100;

/** How far the rotation of a column is. */
export class RotateTally {
  readonly counts = { resealed: 0, current: 0, unreadable: 0 };
  /** The first `MAX_TOLD` of them. */
  readonly unreadable: Unreadable[] = [];
  private readonly startedMs = performance.now();
  private endedMs: number | null = null;

  add(rows: number, resealed: number, unreadable: readonly (readonly [string[], Unreadable['reason']])[]): void {
    this.counts.resealed += resealed;
    this.counts.unreadable += unreadable.length;
    // A row that was sealed anew may have been deleted since.
    this.counts.current += Math.max(0, rows - resealed - unreadable.length);
    const told = unreadable.slice(0, MAX_TOLD - this.unreadable.length);
    this.unreadable.push(...told.map(([key, reason]) => ({ key, reason })));
  }

  end(): void {
    this.endedMs ??= performance.now();
  }

  get rows(): number {
    return this.counts.resealed + this.counts.current + this.counts.unreadable;
  }

  get failures(): string {
    return this.counts.unreadable > 0 ? `${this.counts.unreadable} unreadable` : '';
  }

  get seconds(): number {
    return ((this.endedMs ?? performance.now()) - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.rows / Math.max(this.seconds, 0.001));
  }

  /** `12 resealed, 3 already current, 0 unreadable in 0.2 s (75 rows/s)` */
  summary(): string {
    const { resealed, current, unreadable } = this.counts;
    const counts = `${resealed} resealed, ${current} already current, ${unreadable} unreadable`;
    return `${counts} in ${this.seconds.toFixed(1)} s (${this.rowsPerSecond} rows/s)`;
  }
}
