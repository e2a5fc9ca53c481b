import { faultOf, readDocument } from '../../platform/input/read-document.js';
import { readRecord } from '../../platform/input/read-input.js';
import { InvalidInput } from '../../shared/errors.js';
import { BANK_ID } from '../../shared/ids.js';
import { UsageError } from '../../shared/usage-error.js';
import { ProgramRecord } from './program.inputs.js';

const MAX_PROGRAMS = 1000;

/**
 * The programs of a file: an object of JSON or YAML with a record for each id. Throws `UsageError` with all that is
 * wrong in the file, and nothing of what it says.
 */
export async function readPrograms(path: string): Promise<ProgramRecord[]> {
  const problems: string[] = [];
  const records = programsOf(entriesOf(await readDocument(path, { eachOf: ProgramRecord })), problems);
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return records;
}

/** The ids and records of a document. Throws `UsageError` where it is no object, or a large one. */
export function entriesOf(document: unknown, file = 'The file'): [string, unknown][] {
  if (!isObject(document)) throw new UsageError(`${file} must be an object with the programs by their ids.`);
  const entries = Object.entries(document);
  if (entries.length <= MAX_PROGRAMS) return entries;
  throw new UsageError(`${file} has more than ${MAX_PROGRAMS} programs. Set them in several files.`);
}

/** The records that are right. What is wrong with the others is added to the problems. */
export function programsOf(entries: readonly (readonly [string, unknown])[], problems: string[]): ProgramRecord[] {
  const records: ProgramRecord[] = [];
  for (const [index, [programId, entry]] of entries.entries()) {
    try {
      records.push(recordOf(programId, entry));
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      // Any file may have been named, so only the id of what looks like a program is told.
      const isProgram = BANK_ID.test(programId) && isObject(entry) && 'name' in entry;
      const named = isProgram ? programId : `program ${index + 1}`;
      problems.push(...error.errors.map(problem => `${named}:${faultOf(problem)}`));
    }
  }
  return records;
}

function recordOf(programId: string, entry: unknown): ProgramRecord {
  if (!isObject(entry)) {
    throw new InvalidInput('malformed', [{ pointer: '', code: 'wrong_type', detail: 'Must be an object.' }]);
  }
  const record = readRecord(ProgramRecord, { programId, ...entry });
  if (record.programId === programId) return record;
  const detail = 'Must be the id under which the file has the record.';
  throw new InvalidInput('rule_broken', [{ pointer: '/programId', code: 'fixed', detail }]);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
