import type { WriteStream } from 'node:tty';
import type { Database } from '../platform/database/orm.js';
import type { ImportKind } from '../platform/import/batch.js';
import { importLines, RejectedLines, ImportTally } from '../platform/import/import-lines.js';
import { showProgress } from '../platform/report/progress.js';
import type { Source } from '../platform/import/source.js';
import type { Report } from '../platform/report/report.js';
import { statusOf } from '../platform/report/stop-signal.js';

export interface ImportFileOrder {
  readonly database: Database;
  readonly kind: ImportKind;
  /** What is imported, for the reader of the output. */
  readonly name: string;
  readonly program: string;
  readonly source: Source;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/** Imports, shows how far it is, and says how it ended. Gives the exit status: 1 where something was rejected. */
export async function importFile(order: ImportFileOrder): Promise<number> {
  const { name, program, source, stop, report, stderr } = order;
  const rejected = await RejectedLines.prepare(source.rejectedPath, source.rejectedFallback);
  const tally = new ImportTally();
  const hideProgress = showProgress(name, tally, source, stderr);
  let finished = false;
  try {
    await importLines({ ...order, rejected, tally });
    finished = !stop.aborted;
  } finally {
    hideProgress();
    await rejected.close();
    report.line(`${name}: ${tally.summary()}`);
    if (rejected.path !== null) report.line(`Rejected lines and the reasons: ${rejected.path}`);
    const { counts, lastLine, seconds } = tally;
    report.result({ kind: name, program, ...counts, lastLine, rejectedFile: rejected.path, finished, seconds });
    if (!finished) {
      stderr.write(`The import was stopped after line ${tally.lastLine}. Run the same command again to finish.\n`);
    }
  }
  if (!finished) return statusOf(stop.reason);
  return tally.counts.rejected > 0 ? 1 : 0;
}
