import { Bulk } from '../../platform/command/bulk.js';
import { PROGRAMS } from '../../platform/command/program-commands.js';
import type { ImportKind, Outcome, Records } from '../../platform/import/batch.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import type { ProgramRead } from './program.entity.js';
import { OtherProgram, NotByImport } from './program.errors.js';
import { ProgramRecord } from './program.inputs.js';
import { changedFields, contentOf, storedOf } from './program.record.js';
import type { ProgramRepository } from './program.repository.js';

/** Fields, and groups of fields, that operators may not change over the API: they say what the operators may. */
const OVER_THE_API_FIXED: readonly string[] = ['approvals', 'clients', 'operatorGroups', 'retentionYears'];
/** Where changes of a program wait for approvals, these controls are not changed over the API by one person. */
const FIXED_WITH_APPROVALS: readonly string[] = ['checkFunds', 'exactSearch', 'payer', 'transfers'];
/** The row that is written of a program that changes. */
interface Change {
  readonly row: Draft;
  /** The paths of the fields. */
  readonly changed: readonly string[];
}

/**
 * Programs: new ones are inserted, in others the fields that the record has are changed, equal ones are left as they
 * are, and programs that the file does not name stay. Each change is an event with the names of the fields.
 */
export function programImport(repository: ProgramRepository, overTheApi = false): ImportKind<ProgramRecord> {
  const fixed = overTheApi ? OVER_THE_API_FIXED : [];
  return {
    input: ProgramRecord,
    identityOf: ({ programId }) => programId,
    ofAccounts: false,
    bulk: new Bulk<Records<ProgramRecord>, string, ProgramRead | null, Outcome[], Change | null>(
      PROGRAMS,
      'program.update',
      {
        readFacts: async (transaction, requests) => {
          const ids = requests.map(({ input }) => input.identity);
          const locked = await repository.lock(transaction, ids);
          return ids.map(id => locked.get(id) ?? null);
        },
        permit: (program, onFile, { input: { identity: programId, items } }) => {
          if (programId !== program) throw new OtherProgram();
          const before = onFile && contentOf(onFile);
          let content = before;
          const result = items.map((record): Outcome => {
            const stored = storedOf(record, content);
            const changed = changedFields(content, stored);
            const guarded = overTheApi && content?.approvals ? [...fixed, ...FIXED_WITH_APPROVALS] : fixed;
            const refused = guarded.filter(field => changed.some(path => path.split('.')[0] === field));
            if (refused.length > 0) return new NotByImport(refused);
            if (changed.length === 0) return 'unchanged';
            const outcome = content === null ? 'new' : 'updated';
            content = stored;
            return outcome;
          });
          if (content === before || content === null) return { result, draft: null };
          const row = repository.rowOf(programId, content, onFile, new Date().toISOString());
          return { result, draft: { row, changed: changedFields(before, content) } };
        },
        write: accepted => [
          repository.insertion(accepted.flatMap(({ fact, draft }) => (draft && !fact ? [draft.row] : []))),
          repository.overwriting(accepted.flatMap(({ fact, draft }) => (draft && fact ? [draft.row] : []))),
        ],
        event: ({ caller: { program }, fact, draft }) =>
          draft && {
            ...(fact === null && { action: 'program.create' }),
            object: `program/${program}`,
            data: { changed: draft.changed },
          },
      },
    ),
  };
}
