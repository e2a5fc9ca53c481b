import type { WriteStream } from 'node:tty';
import type { ExportTally } from './exported.js';
import { writeFileWhole, writeToStream } from './file-output.js';
import { showProgress } from './progress.js';
import type { Report } from './report.js';
import { statusOf } from './stop-signal.js';

/** Where an export goes, and who hears of it. */
export interface ExportTarget {
  /** Null for standard output. */
  readonly file: string | null;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: WriteStream;
}

/** An export. */
export interface Export {
  /** The kind of its records, such as `transactions`. */
  readonly name: string;
  /** Counts the records while `parts` are read. */
  readonly tally: ExportTally;
  readonly parts: AsyncIterable<Buffer>;
  /** Makes what `--json` prints besides the time, once a file is written. */
  readonly result: () => object;
}

/** Writes one export, shows how far it is, and tells what was written. Gives the exit status. */
export async function writeExport(exported: Export, { file, stop, report, stdout, stderr }: ExportTarget) {
  const { name, tally, parts, result } = exported;
  const hideProgress = showProgress(name, tally, tally, stderr);
  let finished = false;
  try {
    finished = await (file === null ? writeToStream(stdout, parts, stop) : writeFileWhole(file, parts, stop));
  } finally {
    hideProgress();
  }
  tally.end();
  if (!finished) {
    stderr.write('The export was stopped. Run the same command again.\n');
    return statusOf(stop.reason);
  }
  if (file === null) return 0;
  report.line(`${name}: ${tally.summary('exported')}`);
  report.result({ ...result(), seconds: tally.seconds, finished });
  return 0;
}
