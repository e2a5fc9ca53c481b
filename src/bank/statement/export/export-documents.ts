import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import type { Database } from '../../../platform/database/orm.js';
import { ExportTally } from '../../../platform/report/exported.js';
import { writeFileWhole } from '../../../platform/report/file-output.js';
import { showProgress } from '../../../platform/report/progress.js';
import type { Report } from '../../../platform/report/report.js';
import { statusOf } from '../../../platform/report/stop-signal.js';
import { UsageError } from '../../../shared/usage-error.js';
import { formsOf } from '../statement.formats.js';
import type { StatementVault } from '../statement.vault.js';
import { countIssued, issuedDocuments, type IssuedDocument, type Selection } from './issued-documents.js';
import { taxFormsCsv } from './tax-forms-csv.js';

interface ExportOrder {
  readonly database: Database;
  readonly statementVault: StatementVault;
  readonly selection: Selection;
  readonly bom: boolean;
  readonly out: string;
  readonly stop: AbortSignal;
  readonly report: Report;
  readonly stderr: WriteStream;
}

/** Writes the statements of a month into a folder, one file for each. Gives the exit status. */
export async function exportStatements(order: ExportOrder & { readonly format: string }): Promise<number> {
  const { format, out: folder, bom, stop } = order;
  await mkdir(folder, { recursive: true }).catch(() => {
    throw new UsageError('The folder in --out cannot be made. Check the path and the permissions.');
  });
  return exporting(order, 'statements', { format }, async (documents, tally) => {
    for await (const { program, document } of documents) {
      if (stop.aborted) return false;
      const form = formsOf(document, program).find(one => one.format === format);
      const chosen = (bom && form?.withMark) || form;
      if (!chosen) throw new Error('a statement lacks a format that statements have');
      const path = join(folder, `${nameOf(document.view.accountId)}-${chosen.fileName}`);
      const parts = partsOf(() => chosen.read());
      if (!(await writeFileWhole(path, parts, stop))) return false;
      tally.rows += 1;
    }
    return true;
  });
}

/** Writes the Forms 1099-INT of a program's year into one CSV file. Gives the exit status. */
export async function exportTaxForms(order: ExportOrder): Promise<number> {
  const { out, bom, stop } = order;
  return exporting(order, 'forms', {}, (documents, tally) =>
    writeFileWhole(
      out,
      taxFormsCsv(documents, bom, () => (tally.rows += 1)),
      stop,
    ),
  );
}

/** Runs the work on the documents with its progress, and tells how it ended. */
async function exporting(
  { database, statementVault, selection, stop, report, stderr }: ExportOrder,
  what: string,
  facts: Readonly<Record<string, string>>,
  work: (documents: AsyncIterable<IssuedDocument>, tally: ExportTally) => Promise<boolean>,
): Promise<number> {
  const tally = new ExportTally(await countIssued(database, selection));
  const hideProgress = showProgress(what, tally, tally, stderr);
  let finished = false;
  try {
    finished = await work(issuedDocuments(database, statementVault, selection), tally);
  } finally {
    hideProgress();
    tally.end();
    report.line(`${what}: ${tally.summary('exported')}`);
    report.result({ ...facts, [what]: tally.rows, seconds: tally.seconds, finished });
  }
  if (finished) return 0;
  stderr.write('The export was stopped. Run the same command again.\n');
  return statusOf(stop.reason);
}

/** An account id as a part of a file's name, which no slash, asterisk or dot leads elsewhere. */
function nameOf(accountId: string): string {
  return encodeURIComponent(accountId).replaceAll(
    /[!'()*~.]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

async function* partsOf(read: () => Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await read();
}
