import { inTransaction } from '../../platform/database/transaction.js';
import { writeRecords, type Outcome } from '../../platform/import/batch.js';
import type { ProgramRecord } from '../../bank/program/program.inputs.js';
import type { Container } from '../container.js';
import { commandLine } from '../imports.js';

/** Writes records of programs, all or none, with an event for each that changes. Gives what became of each. */
export async function writePrograms(
  { database, importKind }: Pick<Container, 'database' | 'importKind'>,
  records: readonly ProgramRecord[],
): Promise<readonly Outcome[]> {
  const kind = await importKind('programs');
  return inTransaction(database, transaction =>
    writeRecords(transaction, kind, commandLine(null, 'programs'), records),
  );
}
