import type { WriteStream } from 'node:tty';

const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;
const BAR_CHARACTERS = 20;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** The progress of work on rows. */
export interface Pace {
  readonly rows: number;
  readonly rowsPerSecond: number;
  readonly seconds: number;
  /** The failures so far, for example `3 rejected`, or empty. */
  readonly failures: string;
}

/** The part of the work that is done, 0 to 1; null where that is unknown. */
export interface Share {
  done(): number | null;
}

/** Counts rows and measures the time of work on them. */
export abstract class Tally implements Pace {
  private readonly startedMs = performance.now();
  private endedMs: number | null = null;

  abstract get rows(): number;
  abstract get failures(): string;

  end(): void {
    this.endedMs ??= performance.now();
  }

  get seconds(): number {
    return ((this.endedMs ?? performance.now()) - this.startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.rows / Math.max(this.seconds, 0.001));
  }

  /** `12 new, 3 unchanged in 0.2 s (75 rows/s)` */
  protected summaryOf(counts: string): string {
    return `${counts} in ${this.seconds.toFixed(1)} s (${this.rowsPerSecond} rows/s)`;
  }
}

/** Shows how far the work is until its result is called: a bar on a terminal, elsewhere a plain line now and then. */
export function showProgress(
  name: string,
  pace: Pace,
  share: Share,
  stream: Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>,
): () => void {
  const draw = (): void => {
    const text = progressText(name, pace, share, stream.isTTY === true);
    // A wrapped line could not be cleared. Some terminals report 0 columns.
    const { columns = 0 } = stream;
    if (stream.isTTY) stream.write(`${CLEAR_LINE}${text.slice(0, (columns > 0 ? columns : DEFAULT_COLUMNS) - 1)}`);
    else stream.write(`${text}\n`);
  };
  const timer = setInterval(draw, stream.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS);
  return () => {
    clearInterval(timer);
    if (stream.isTTY) stream.write(CLEAR_LINE);
  };
}

function progressText(name: string, pace: Pace, share: Share, withBar: boolean): string {
  const failures = pace.failures === '' ? '' : `, ${pace.failures}`;
  const rate = `${pace.rows} rows, ${pace.rowsPerSecond} rows/s${failures}`;
  const done = share.done();
  if (done === null) return `${name}: ${rate}`;
  const filled = Math.round(done * BAR_CHARACTERS);
  const bar = withBar ? `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARACTERS - filled)}] ` : '';
  const left = done > 0 ? `, ${duration((pace.seconds * (1 - done)) / done)} left` : '';
  return `${name}: ${bar}${Math.floor(done * 100)} %, ${rate}${left}`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
