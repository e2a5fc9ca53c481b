import assert from 'node:assert/strict';
import type { Container } from '../../../src/app/container.js';
import { commandLine } from '../../../src/app/imports.js';
import type { ImportName } from '../../../src/bank/import/import.names.js';
import { inTransaction, type TransactionRunner } from '../../../src/platform/database/transaction.js';
import { Rejections, writeLines, type LineOutcome } from '../../../src/platform/import/batch.js';
import { readLines } from '../../../src/platform/import/json-lines.js';
import { Refusal } from '../../../src/shared/errors.js';
import type { RecordOutcome } from '../../cli/importing.js';

/** Imports lines, as one batch or in batches of so many, and tells what became of each. */
export async function importingLines(
  container: Container,
  name: ImportName,
  program: string,
  lines: readonly string[],
  batchLines = lines.length,
): Promise<RecordOutcome[]> {
  const kind = await container.importKind(name);
  const numbered = lines.map((line, index) => ({ number: index + 1, bytes: Buffer.from(line) }));
  const transacting: TransactionRunner = work => inTransaction(container.database, work);
  const [by, rejections] = [commandLine(program, 'import'), new Rejections(kind)];
  const outcomes: LineOutcome[] = [];
  for (let from = 0; from < lines.length; from += batchLines) {
    const batch = await readLines(kind, numbered.slice(from, from + batchLines));
    outcomes.push(...(await writeLines(transacting, kind, by, batch, rejections)));
  }
  // Long runs read this too, and have no jest.
  assert.deepEqual(
    outcomes.map(({ line }) => line),
    numbered.map(({ number }) => number),
  );
  return outcomes.map(({ outcome }) => {
    if (!(outcome instanceof Refusal)) return outcome;
    return outcome.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? outcome.code;
  });
}
