import type { WriteStream } from 'node:tty';
import type { Source } from './source.js';
import type { Tally } from './tally.js';

const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;
const BAR_CHARACTERS = 20;
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** Shows how far an import is until the function it gives is called: a bar on a terminal, a plain line now and then elsewhere. */
export function showProgress(
  name: string,
  tally: Tally,
  source: Pick<Source, 'done'>,
  stream: Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>,
): () => void {
  const draw = (): void => {
    const text = progressText(name, tally, source, stream.isTTY === true);
    // A line that wraps could not be cleared. Some terminals say that they have 0 columns.
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

function progressText(name: string, tally: Tally, source: Pick<Source, 'done'>, withBar: boolean): string {
  const rejected = tally.counts.rejected > 0 ? `, ${tally.counts.rejected} rejected` : '';
  const rate = `${tally.rows} rows, ${tally.rowsPerSecond} rows/s${rejected}`;
  const done = source.done();
  if (done === null) return `${name}: ${rate}`;
  const filled = Math.round(done * BAR_CHARACTERS);
  const bar = withBar ? `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARACTERS - filled)}] ` : '';
  const left = done > 0 ? `, ${duration((tally.seconds * (1 - done)) / done)} left` : '';
  return `${name}: ${bar}${Math.floor(done * 100)} %, ${rate}${left}`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
