import type { Place, Position } from './position.js';

interface Sample extends Position {
  /** The log was at least here at this time. */
  readonly sinceMs: number;
}

/** More samples within the limit on lag would make it no more exact than this part of it. */
const MOST_SAMPLES = 32;

/** The progress of the primary's log at each time, as far back as replicas may lag. */
export class PrimaryLog {
  /** The last that was seen, however long ago. */
  last: Sample | null = null;
  private samples: Sample[] = [];

  constructor(private readonly maxLagMs: number) {}

  /** The identifier of the primary's cluster; null until it was seen. */
  get system(): string | null {
    return this.last?.system ?? null;
  }

  /** Adds the position that was asked for at `sinceMs`. */
  add(position: Position, sinceMs: number): void {
    const { last } = this;
    // A write on an older timeline is before the beginning of the new one, or lost.
    if (last && (last.system !== position.system || last.timeline !== position.timeline)) this.samples = [];
    const [older, newest] = this.samples.slice(-2);
    if (older && newest && newest.sinceMs - older.sinceMs < this.maxLagMs / MOST_SAMPLES) this.samples.pop();
    this.last = { ...position, sinceMs };
    this.samples.push(this.last);
    this.forget(sinceMs);
  }

  /** The position that a server has to have reached which lags no more than it may; null where that is not known. */
  floor(nowMs: number): Position | null {
    this.forget(nowMs);
    return this.samples[0] ?? null;
  }

  /** When the log ended at this place at the latest, as far as that is known. */
  timeOf({ timeline, lsn }: Place): number | null {
    const reached = this.samples.findLast(sample => sample.timeline === timeline && sample.lsn <= lsn);
    return reached?.sinceMs ?? null;
  }

  private forget(nowMs: number): void {
    while (this.samples[0] && nowMs - this.samples[0].sinceMs > this.maxLagMs) this.samples.shift();
  }
}
