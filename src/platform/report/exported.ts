import { Tally } from './progress.js';

/** The number of rows of an export that are written. */
export class ExportTally extends Tally {
  rows = 0;
  readonly failures = '';

  /** `all`: null where it is not known before. */
  constructor(private readonly all: number | null) {
    super();
  }

  done(): number | null {
    if (this.all === null) return null;
    return this.all === 0 ? 1 : this.rows / this.all;
  }

  /** `12 transactions in 0.2 s (60 rows/s)` */
  summary(what: string): string {
    return this.summaryOf(`${this.rows} ${what}`);
  }
}
