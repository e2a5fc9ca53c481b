import { open } from 'node:fs/promises';
import { readRecord, valueOfJson } from '../platform/input/read-input.js';
import { InvalidInput } from '../shared/errors.js';
import { BANK_ID } from '../shared/ids.js';
import { UsageError } from '../shared/usage-error.js';
import { ProgramRecord } from './program.inputs.js';

const MAX_PROGRAMS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;
/** What stood beside the name in the files that the setting PROGRAMS_FILE named. */
const FLAT = ['addressLines', 'telephone', 'taxId'];

/**
 * The programs of a file: a JSON object with a record for each id. A file that PROGRAMS_FILE named is understood: its
 * name, address and telephone are those of the letterhead and of the payer. Throws `UsageError` with all that is wrong
 * in the file, and nothing of what it says.
 */
export async function readPrograms(path: string): Promise<ProgramRecord[]> {
  const programs = await contentOf(path);
  if (!isObject(programs)) throw new UsageError('The file must be a JSON object with the programs by their ids.');
  const entries = Object.entries(programs);
  if (entries.length > MAX_PROGRAMS) {
    throw new UsageError(`The file has more than ${MAX_PROGRAMS} programs. Set them in several files.`);
  }
  const records: ProgramRecord[] = [];
  const problems: string[] = [];
  for (const [index, [programId, entry]] of entries.entries()) {
    try {
      records.push(recordOf(programId, entry));
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const named = BANK_ID.test(programId) ? programId : `program ${index + 1}`;
      problems.push(...error.errors.map(({ pointer, detail }) => `${named}:${pathOf(pointer)} ${detail}`));
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return records;
}

function recordOf(programId: string, entry: unknown): ProgramRecord {
  if (!isObject(entry)) {
    throw new InvalidInput('malformed', [{ pointer: '', code: 'wrong_type', detail: 'Must be an object.' }]);
  }
  const record = readRecord(ProgramRecord, { programId, ...unfolded(entry) });
  if (record.programId === programId) return record;
  const detail = 'Must be the id under which the file has the record.';
  throw new InvalidInput('rule_broken', [{ pointer: '/programId', code: 'fixed', detail }]);
}

function unfolded(entry: Record<string, unknown>): Record<string, unknown> {
  const isFlat = FLAT.some(name => Object.hasOwn(entry, name)) && !('letterhead' in entry) && !('payer' in entry);
  if (!isFlat) return entry;
  const { addressLines, telephone, taxId, ...rest } = entry;
  const letterhead = { name: rest['name'], addressLines, telephone };
  return { ...rest, letterhead, payer: { ...letterhead, taxId } };
}

async function contentOf(path: string): Promise<unknown> {
  const file = await open(path).catch(() => null);
  if (!file) throw new UsageError('The file cannot be opened. Check the path and the permissions.');
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new UsageError(`The file is larger than ${MAX_BYTES} bytes. Set it in several files.`);
    return valueOfJson(await file.readFile());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [problem] = error instanceof InvalidInput ? error.errors : [];
    throw new UsageError(
      problem ? `The file:${pathOf(problem.pointer)} ${problem.detail}` : 'The file must be JSON in UTF-8.',
    );
  } finally {
    await file.close();
  }
}

/** ` payer.taxId:` of `/payer/taxId`. */
function pathOf(pointer: string): string {
  return pointer === '' ? '' : ` ${pointer.slice(1).replaceAll('/', '.')}:`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
