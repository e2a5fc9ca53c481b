import type { Actor } from '../platform/command/recording.js';
import type { ProgramCommand, ProgramCommands } from '../platform/command/program-commands.js';
import type { Transacting } from '../platform/database/transaction.js';
import { readLines, writeLines, type ImportKind as Kind, type LineOutcome } from '../platform/import/batch.js';
import { batchesOf } from '../platform/import/source.js';
import type { Caller } from '../shared/caller.js';
import { Refusal } from '../shared/errors.js';
import type { ImportName, ImportResult, RejectedLine } from './import.entity.js';

/** Lines of one kind. */
export interface ImportOrder {
  readonly kind: ImportName;
  readonly lines: string;
  /** The number of the first line in its file. */
  readonly firstLine: number;
}

/** Makes a kind of import whose events name who imports. */
export type KindOf = (name: ImportName, by: Actor) => Promise<Kind>;

/** More faults of one line help nobody. */
export const MAX_FAULTS_A_LINE = 10;
const SCOPE = 'operations';

/** Imports records into the caller's program, as `tillgate import` does. */
export class ImportService {
  /**
   * Imports lines once for each key, all that are right: the others are rejected with their faults. A line whose record
   * is in the database already counts as unchanged. A dry run has the same result, and keeps nothing.
   */
  readonly import: ProgramCommand<ImportOrder, ImportResult>;

  constructor(commands: ProgramCommands, kindOf: KindOf) {
    this.import = commands.stepwise<ImportOrder, ImportResult>('record.import', SCOPE, {
      run: async (transacting, caller, order) =>
        importLines(transacting, await kindOf(order.kind, caller), caller, order),
      event: ({ read, written, unchanged, rejected }, { kind }) => ({
        object: `import/${kind}`,
        data: { read, written, unchanged, rejected: new Set(rejected.map(({ line }) => line)).size },
      }),
    });
  }
}

async function importLines(
  transacting: Transacting,
  kind: Kind,
  { program }: Caller,
  { lines, firstLine }: ImportOrder,
): Promise<ImportResult> {
  const outcomes: LineOutcome[] = [];
  for await (const batch of batchesOf(chunksOf(lines))) {
    outcomes.push(...(await writeLines(transacting, kind, program, await readLines(kind, batch))));
  }
  const unchanged = outcomes.filter(({ outcome }) => outcome === 'unchanged').length;
  const written = outcomes.filter(({ outcome }) => outcome === 'new' || outcome === 'updated').length;
  const rejected = outcomes.flatMap(({ line, outcome }) =>
    outcome instanceof Refusal ? faultsOf(line + firstLine - 1, outcome) : [],
  );
  return { read: outcomes.length, written, unchanged, rejected };
}

async function* chunksOf(lines: string): AsyncGenerator<Buffer> {
  yield Buffer.from(lines);
}

function faultsOf(line: number, { code, message, errors }: Refusal): RejectedLine[] {
  if (!errors || errors.length === 0) return [{ line, pointer: '', code, detail: message }];
  return errors.slice(0, MAX_FAULTS_A_LINE).map(({ pointer, code: fault, detail }) => ({
    ...{ line, pointer, code: fault, detail },
  }));
}
