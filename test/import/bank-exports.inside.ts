import type { Gateway } from '../../src/app/gateway.js';
import { commandLine } from '../../src/app/imports.js';
import type { ImportName } from '../../src/bank/import/import.names.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { Rejections, writeLines, type LineOutcome } from '../../src/platform/import/batch.js';
import { csvTable } from '../../src/platform/import/csv/csv-table.js';
import { readColumnMap } from '../../src/platform/import/csv/map-file.js';
import { Refusal } from '../../src/shared/errors.js';

/** Imports a table by the map in a file, as the command line does, and tells what became of each line. */
export async function importTable(
  { container }: Gateway,
  program: string,
  name: ImportName,
  map: string,
  table: Buffer,
): Promise<string[]> {
  const kind = await container.importKind(name);
  const format = csvTable(kind.input, await readColumnMap(map), { program, firstLine: 1 });
  const rejections = new Rejections(kind);
  const outcomes: LineOutcome[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    yield table;
  }
  for await (const lines of format.batches(chunks())) {
    const transacting = <Result>(work: Parameters<typeof inTransaction<Result>>[1]) =>
      inTransaction(container.database, work);
    outcomes.push(...(await writeLines(transacting, kind, commandLine(program, 'import'), lines, rejections)));
  }
  return outcomes.map(({ outcome }) => (outcome instanceof Refusal ? outcome.code : outcome));
}
