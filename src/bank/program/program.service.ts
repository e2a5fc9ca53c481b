import type { ApprovalPolicy } from '../../platform/command/command.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import type { Caller } from '../../shared/caller.js';
import type { Json } from '../../shared/json.js';
import type { GroupRoles } from '../../shared/operator-roles.js';
import { mustBeExpected, nextVersion, type VersionCondition } from '../../shared/version.js';
import { shown, type ProgramRead, type ProgramView } from './program.entity.js';
import { ProgramNotFound } from './program.errors.js';
import type { ProgramPatch } from './program.inputs.js';
import { READ_PROGRAM, UPDATE_PROGRAM } from './program.operations.js';
import { changedValues, contentOf, storedOf, type ChangedValue } from './program.record.js';
import type { ProgramRepository } from './program.repository.js';

/** Fields and groups that say what operators may do, and where money goes: one person alone does not change them. */
const CONTROLS: readonly string[] = [
  'approvals',
  'clients',
  'checkFunds',
  'exactSearch',
  'operatorGroups',
  'payer',
  'retentionYears',
  'transfers',
];

interface ChangedProgram extends VersionCondition {
  readonly patch: ProgramPatch;
}

/** The draft of a change. */
interface ProgramChange {
  readonly row: Draft;
  readonly changed: readonly ChangedValue[];
}

/** The programs as issuers of documents. Their records are made by imports: see `programImport`. */
export class ProgramService {
  constructor(
    readonly repository: ProgramRepository,
    private readonly commands: ProgramCommands,
  ) {}

  private readonly updating = this.commands.command<ChangedProgram, ProgramRead | null, ProgramView, ProgramChange>(
    UPDATE_PROGRAM,
    {
      recorded: ({ input: { patch } }) => patch,
      isPatch: true,
      readFacts: async (transaction, requests) => {
        const ids = requests.map(({ caller }) => caller.program);
        const found = await this.repository.lock(transaction, ids);
        return ids.map(id => found.get(id) ?? null);
      },
      permit: (programId, onFile, { input }) => {
        if (!onFile) throw new ProgramNotFound();
        const before = contentOf(onFile);
        mustBeExpected(onFile, input);
        const content = storedOf(input.patch, before);
        const changed = changedValues(before, content);
        const isUnchanged = changed.length === 0;
        const { version, updatedAt } = isUnchanged ? onFile : nextVersion(onFile);
        const row = this.repository.rowOf(programId, content, onFile, updatedAt);
        // A record that is read has its key in its prototype, so a copy of it would have none.
        const after = { ...content, programId, createdAt: onFile.createdAt, updatedAt, version };
        const result = shown(after);
        return { result, draft: { row, changed }, isUnchanged };
      },
      write: accepted => [this.repository.overwriting(accepted.map(({ draft }) => draft.row))],
      event: ({ caller: { program }, draft: { changed } }) => ({
        object: `program/${program}`,
        data: { changed: changed.map(({ field }) => field) },
      }),
      approval: CONTROLS_WAIT,
    },
  );

  /** Merges a patch. Throws `ProgramNotFound`, `PreconditionFailed`. */
  async update(
    caller: Caller,
    patch: ProgramPatch,
    expected: VersionCondition = {},
    dryRun = false,
  ): Promise<ProgramView> {
    return await this.updating(caller, { patch, ...expected }, dryRun);
  }

  /** The caller's program, or null where it has no record. */
  async find(caller: Caller): Promise<ProgramView | null> {
    caller.require(READ_PROGRAM);
    return this.repository.find(caller.program);
  }

  /** The name under which a program issues documents: its id where it has no record. */
  async nameOf(programId: string): Promise<string> {
    const found = await this.repository.find(programId);
    return found?.letterhead?.name ?? found?.name ?? programId;
  }

  /** Returns what groups of the identity provider may do at the console. */
  async groupsOf(programId: string): Promise<readonly GroupRoles[]> {
    return (await this.repository.find(programId))?.operatorGroups ?? [];
  }

  /** Throws `ProgramNotFound`. */
  async get(caller: Caller): Promise<ProgramView> {
    const found = await this.find(caller);
    if (!found) throw new ProgramNotFound();
    return found;
  }
}

const CONTROLS_WAIT: ApprovalPolicy<ChangedProgram, string, ProgramRead | null, ProgramView, ProgramChange> = {
  needs: (_rules, { draft: { changed } }) =>
    changed.some(({ field }) => CONTROLS.includes(field.split('.')[0] as string)),
  changes: ({ draft: { changed } }) =>
    changed.map(({ field, before, after, isHidden }) =>
      isHidden
        ? { field, before: 'on record', after: 'another one' }
        : { field, before: textOf(before), after: textOf(after) },
    ),
};

/** A value as JSON has it. */
function textOf(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}
