import { readFile } from 'node:fs/promises';
import { UsageError } from '../../shared/usage-error.js';
import type { Issuer, Payer } from '../statement.content.js';

type ProgramEntry = Partial<Issuer & { readonly taxId: string | null }>;

const MAX_LINES = 6;
const MAX_CHARACTERS = 100;
const TAX_ID = /^\d{2}-\d{7}$/;
const SAMPLE_TAX_ID = '00-0000000';

/** The names and addresses under which the programs issue documents. */
export class Issuers {
  private constructor(
    private readonly entries: ReadonlyMap<string, ProgramEntry>,
    private readonly production: boolean,
  ) {}

  /**
   * Reads the file of the setting PROGRAMS_FILE; null for none. Throws `UsageError` with all that is wrong with the
   * file, and nothing of what it contains.
   */
  static async open(file: string | null, production: boolean): Promise<Issuers> {
    return new Issuers(file === null ? new Map() : entriesOf(await textOf(file)), production);
  }

  /** A program without an entry issues under its own name. */
  of(program: string): Issuer {
    const { name = program, addressLines = [], telephone = null } = this.entries.get(program) ?? {};
    return { name, addressLines, telephone };
  }

  /**
   * null if the tax id is not known. Outside of production a sample one takes its place, so that forms can be tried.
   */
  payerOf(program: string): Payer | null {
    const taxId = this.entries.get(program)?.taxId ?? (this.production ? null : SAMPLE_TAX_ID);
    return taxId === null ? null : { ...this.of(program), taxId };
  }
}

async function textOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new UsageError(
      'The file in PROGRAMS_FILE cannot be read as JSON. Check the path, the permissions and the content.',
    );
  }
}

function entriesOf(programs: unknown): Map<string, ProgramEntry> {
  if (!isRecord(programs)) {
    throw new UsageError('The file in PROGRAMS_FILE must be a JSON object with the programs by their names.');
  }
  const problems = Object.entries(programs).flatMap(([program, entry]) =>
    problemsOf(entry).map(problem => `PROGRAMS_FILE: ${program}: ${problem}`),
  );
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return new Map(Object.entries(programs as Record<string, ProgramEntry>));
}

function problemsOf(entry: unknown): string[] {
  if (!isRecord(entry)) return ['must be an object.'];
  const { name, addressLines = [], telephone = null, taxId = null, ...others } = entry;
  const areLines = Array.isArray(addressLines) && addressLines.length <= MAX_LINES && addressLines.every(isText);
  const isTaxId = taxId === null || (typeof taxId === 'string' && TAX_ID.test(taxId));
  return [
    isText(name) ? '' : `name must be a text of 1 to ${MAX_CHARACTERS} characters.`,
    areLines ? '' : `addressLines must be a list of up to ${MAX_LINES} texts.`,
    telephone === null || isText(telephone) ? '' : 'telephone must be a text.',
    isTaxId ? '' : 'taxId must be an EIN such as 12-3456789.',
    Object.keys(others).length === 0 ? '' : 'must have no other fields than name, addressLines, telephone and taxId.',
  ].filter(problem => problem !== '');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim().length > 0 && value.length <= MAX_CHARACTERS;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
