import type { Denial } from '../../platform/command/denial.js';
import {
  FOREIGN_IDS_WINDOW_MS,
  ForeignId,
  ID_TAKEN,
  MAX_FOREIGN_IDS_A_MINUTE,
  TooManyForeignIds,
  type ForeignIdAttempt,
  type ForeignIds,
} from '../../platform/command/foreign-ids.js';
import { AccountNotFound } from '../account/account.errors.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import {
  Rejections,
  commandsOf,
  outcomesOf,
  type ImportKind as Kind,
  type LineOutcome,
  type ReadLine,
  type RecordsRequest,
} from '../../platform/import/batch.js';
import type { ColumnMapInput } from '../../platform/import/csv/column-map.js';
import { turnToRead } from '../../platform/rate/reading-queue.js';
import type { Caller } from '../../shared/caller.js';
import { InvalidInput, Refusal } from '../../shared/errors.js';
import type { ImportResult, ImportTable, RejectedLine } from './import.entity.js';
import type { ImportLinesInput } from './import.inputs.js';
import type { ImportName } from './import.names.js';
import { IMPORT_RECORDS, READ_IMPORT_TABLE } from './import.operations.js';

/** Lines of one kind. */
export interface ImportOrder {
  readonly kind: ImportName;
  readonly lines: string;
  /** The number of the first line in its file. */
  readonly firstLine: number;
  /** The map of lines of CSV. */
  readonly map?: ColumnMapInput;
  /** A map in YAML or JSON. */
  readonly mapText?: string;
}

/** The order of an input. Throws `InvalidInput` for two maps. */
export function orderOf(kind: ImportName, { lines, firstLine, map, mapText }: ImportLinesInput): ImportOrder {
  if (map && mapText) {
    throw new InvalidInput('rule_broken', [
      { pointer: '/mapText', code: 'format', detail: 'Send either map or mapText.' },
    ]);
  }
  return { kind, lines, firstLine: firstLine ?? 1, ...(map && { map }), ...(mapText && { mapText }) };
}

/** The beginning of CSV. */
export interface TableOrder {
  readonly name: ImportName;
  readonly lines: string;
  readonly headerLine: number | null;
  readonly mapText: string | null;
}

/** The most faults of one line that are told, so that a broken file gives no endless answer. */
export const MAX_FAULTS_A_LINE = 10;

/** Lines that were read, and the commands that their records are. */
interface LinesRead {
  readonly order: ImportOrder;
  readonly bulk: Kind['bulk'];
  readonly read: readonly ReadLine[];
  readonly commands: readonly RecordsRequest[];
  /** The attempts of the lines on other programs, once that is decided. */
  attempts: readonly Attempt[];
}

/** A line that names what is not its caller's. `program` is that of an id that was to be new. */
type Attempt = Omit<Denial, 'caller'>;

type ImportBatchFacts = Awaited<ReturnType<Kind['bulk']['readFacts']>>;
type ImportDecision = ReturnType<Kind['bulk']['decide']>;
type ImportedCommands = ImportDecision['accepted'];

/** Imports records into the caller's program, as `tillgate import` does: one command, whose parts are the records. */
export class ImportService {
  constructor(
    private readonly commands: ProgramCommands,
    private readonly kindOf: (name: ImportName) => Promise<Kind>,
    private readonly foreignIds: ForeignIds,
    private readonly deny: (denial: Denial) => void,
  ) {}

  private readonly importing = this.commands.command<LinesRead, ImportBatchFacts, ImportResult, ImportedCommands>(
    IMPORT_RECORDS,
    {
      recorded: ({ input: { order } }) => ({ ...order }),
      // It waits for the accounts that others hold, so its transaction holds no other command.
      weight: () => Infinity,
      readFacts: (transaction, requests) =>
        Promise.all(requests.map(({ input: { bulk, commands: parts } }) => bulk.readFacts(transaction, parts))),
      permit: (_program, facts, { input }) => {
        const { bulk, read, commands: parts } = input;
        const { results, accepted } = bulk.decide(parts, facts);
        input.attempts = attemptsIn(parts, results);
        // A refusal of the whole import tells of no line whose id it is.
        if (foreignIn(input.attempts).length > MAX_FOREIGN_IDS_A_MINUTE) {
          throw new TooManyForeignIds(FOREIGN_IDS_WINDOW_MS);
        }
        return { result: resultOf(outcomesOf(read, parts, results)), draft: accepted };
      },
      write: accepted => accepted.flatMap(({ input: { bulk }, draft }) => bulk.writing(draft)),
      event: ({ result: { read, written, unchanged, rejected }, input: { order } }) => ({
        object: `import/${order.kind}`,
        data: { read, written, unchanged, rejected: new Set(rejected.map(({ line }) => line)).size },
      }),
    },
  );

  /**
   * Imports lines once for each key, all that are right: the others are rejected with their faults. A line whose record
   * is in the database already counts as unchanged. A dry run has the same result, and keeps nothing. Throws
   * `TooManyForeignIds`.
   */
  async import(caller: Caller, order: ImportOrder, dryRun: boolean): Promise<ImportResult> {
    this.importing.allow(caller);
    const kind = await this.kindOf(order.kind);
    // Few imports are CSV, and its parser takes a while to load.
    const { mapIn, readLinesOf } = await import('./import.csv.js');
    const { program } = caller;
    // Reading lines holds up the whole process.
    await turnToRead(caller);
    const map = order.mapText === undefined ? (order.map ?? null) : mapIn(order.mapText);
    const ofRequest = await readLinesOf(kind, order.lines, map, { program, firstLine: order.firstLine });
    const read = ofRequest.map(one => ({ ...one, line: one.line + order.firstLine - 1 }));
    const commands = commandsOf(kind, () => caller, read, new Rejections(kind));
    await this.foreignIds.pass(caller);
    const lines: LinesRead = { order, bulk: kind.bulk, read, commands, attempts: [] };
    try {
      return await this.importing(caller, lines, dryRun);
    } finally {
      await this.record(caller, lines.attempts);
    }
  }

  /** Reads the beginning of CSV, and tells what a map of it may name. */
  async table(caller: Caller, { name, lines, headerLine, mapText }: TableOrder): Promise<ImportTable> {
    caller.require(READ_IMPORT_TABLE);
    const [{ mapIn, tableIn }, kind] = await Promise.all([import('./import.csv.js'), this.kindOf(name)]);
    await turnToRead(caller);
    return tableIn(kind, lines, mapText === null ? { headerLine } : { headerLine, ...mapIn(mapText) });
  }

  /** Each program whose account or id was named keeps a record, whatever became of the other lines. */
  private async record(caller: Caller, attempts: readonly Attempt[]): Promise<void> {
    for (const attempt of attempts) if (attempt.program === undefined) this.deny({ ...attempt, caller });
    await this.foreignIds.count(caller, foreignIn(attempts));
  }
}

function attemptsIn(parts: readonly RecordsRequest[], results: ImportDecision['results']): Attempt[] {
  return parts.flatMap(({ accountId }, n): Attempt[] => {
    const result = results[n];
    const attempt = { action: IMPORT_RECORDS.name, accountId: accountId || null };
    if (result instanceof ForeignId) return [{ ...attempt, code: ID_TAKEN, program: result.program }];
    // Where no program has the account, none keeps a record.
    const code = 'account_not_found';
    const missing = refusalsOf(result).flatMap(one => (one instanceof AccountNotFound && one.accountId) || []);
    if (missing.length > 0) return missing.map(one => ({ ...attempt, accountId: one, code }));
    return isOfNoAccount(result) ? [{ ...attempt, code }] : [];
  });
}

function isOfNoAccount(result: ImportDecision['results'][number] | undefined): boolean {
  return refusalsOf(result).some(
    one => one.code === 'account_not_found' || (one.errors ?? []).some(({ code }) => code === 'unknown_account'),
  );
}

function refusalsOf(result: ImportDecision['results'][number] | undefined): Refusal[] {
  return [result].flat().filter(one => one instanceof Refusal);
}

function foreignIn(attempts: readonly Attempt[]): ForeignIdAttempt[] {
  return attempts.flatMap(({ action, accountId, program }) =>
    program === undefined ? [] : [{ action, accountId, program }],
  );
}

function resultOf(outcomes: readonly LineOutcome[]): ImportResult {
  const unchanged = outcomes.filter(({ outcome }) => outcome === 'unchanged').length;
  const written = outcomes.filter(({ outcome }) => outcome === 'new' || outcome === 'updated').length;
  const rejected = outcomes.flatMap(({ line, outcome }) => (outcome instanceof Refusal ? faultsOf(line, outcome) : []));
  return { read: outcomes.length, written, unchanged, rejected };
}

function faultsOf(line: number, { code, message, errors }: Refusal): RejectedLine[] {
  if (!errors || errors.length === 0) return [{ line, pointer: '', code, detail: message }];
  return errors.slice(0, MAX_FAULTS_A_LINE).map(({ pointer, code: fault, detail }) => ({
    line,
    pointer,
    code: fault,
    detail,
  }));
}
