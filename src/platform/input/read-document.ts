import { open } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import { valueOfJson } from './read-input.js';

const MAX_BYTES = 64 * 1024 * 1024;
const BRACE = 0x7b;

/**
 * The value of a file in YAML 1.2 or JSON. What begins with a brace is JSON. Throws `UsageError`, which repeats nothing
 * of the file but the path.
 */
export async function readDocument(path: string): Promise<unknown> {
  const file = await open(path).catch(() => null);
  if (!file) throw new UsageError(`${path} cannot be opened. Check the path and the permissions.`);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new UsageError(`${path} is larger than ${MAX_BYTES} bytes. Use several files.`);
    const bytes = await file.readFile();
    return bytes[0] === BRACE ? ofJson(path, bytes) : ofYaml(path, bytes.toString());
  } finally {
    await file.close();
  }
}

function ofJson(path: string, bytes: Buffer): unknown {
  try {
    return valueOfJson(bytes);
  } catch (error) {
    const isRepeated = error instanceof InvalidInput && error.errors.length > 0;
    throw new UsageError(
      isRepeated ? `${path} has a name twice in one object. Remove one of them.` : `${path} must be JSON in UTF-8.`,
    );
  }
}

function ofYaml(path: string, text: string): unknown {
  const lines = new LineCounter();
  // Pretty messages quote the text.
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: 'error' });
  const [error] = document.errors;
  if (error) {
    throw new UsageError(`${path} is no YAML on line ${lines.linePos(error.pos[0]).line} (${error.code}). Correct it.`);
  }
  try {
    return document.toJS();
  } catch {
    throw new UsageError(`${path} has an alias without its anchor, or too many aliases. Write the values out.`);
  }
}

/** What is wrong in a file and where: ` payer.taxId: Must be …`. A field that is unknown may be anything, so its name is not told. */
export function faultOf({ pointer, code, detail }: FieldProblem): string {
  if (code !== 'unknown_field') return `${pathOf(pointer)} ${detail}`;
  return `${pathOf(pointer.slice(0, pointer.lastIndexOf('/')))} ${detail.replace('This field', 'A field')}`;
}

/** ` payer.taxId:` of `/payer/taxId`. */
export function pathOf(pointer: string): string {
  return pointer === '' ? '' : ` ${pointer.slice(1).replaceAll('/', '.')}:`;
}
