import { doerIn, gatewayActor, recording, type Actor, type NewEvent } from '../platform/command/recording.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import { EACH_OWN, type ImportKind, type Outcome } from '../platform/import/batch.js';
import type { ProgramRead } from './program.entity.js';
import { OtherProgram, SetByCommandLine } from './program.errors.js';
import { ProgramRecord } from './program.inputs.js';
import { changedFields, contentOf, storedOf } from './program.record.js';
import type { ProgramRepository } from './program.repository.js';

/** Fields, and groups of fields, that operators may not change over the API: they say what the operators may. */
export const OVER_THE_API_FIXED: readonly string[] = ['approvals', 'clients'];

/**
 * Programs. The file is the master: new ones are inserted, changed ones replaced, equal ones left as they are, and
 * programs that it does not name stay. Each change is an event with the names of the fields.
 */
export class ProgramImport implements ImportKind<ProgramRecord> {
  readonly input = ProgramRecord;
  private readonly updating = this.repository.updating([
    ...[
      'name',
      'letterhead',
      'payer',
      'errorResolution',
      'logo',
      'approvals',
      'clients',
      'checkFunds',
      'sealed',
      'version',
      'updatedAt',
    ],
  ]);

  /** `fixed`: the fields, and groups of fields, that this import may not change. */
  constructor(
    private readonly repository: ProgramRepository,
    private readonly actor = gatewayActor('programs'),
    private readonly fixed: readonly string[] = [],
  ) {}

  identityOf({ programId }: ProgramRecord): string {
    return programId;
  }

  async write(transaction: Transaction, program: string, records: readonly ProgramRecord[]): Promise<Outcome[]> {
    // The chains of their events are locked one after another, in the order in which all lock several.
    const accepted = records
      .filter(({ programId }) => program === EACH_OWN || programId === program)
      .toSorted((one, other) => (one.programId < other.programId ? -1 : 1));
    const present = await this.repository.lock(
      transaction,
      accepted.map(({ programId }) => programId),
    );
    const outcomes = new Map<string, Outcome>();
    const events: NewEvent[] = [];
    for (const record of accepted) {
      const { programId } = record;
      const onFile = present.get(programId) ?? null;
      const changed = changedFields(onFile && contentOf(onFile), storedOf(record));
      const refused = this.fixed.filter(field => changed.some(path => path.split('.')[0] === field));
      if (refused.length > 0) {
        outcomes.set(programId, new SetByCommandLine(refused));
        continue;
      }
      outcomes.set(programId, onFile === null ? 'new' : changed.length > 0 ? 'updated' : 'unchanged');
      if (changed.length === 0) continue;
      await this.put(transaction, record, onFile);
      events.push(eventOf(this.actor, programId, onFile === null ? 'program.create' : 'program.update', changed));
    }
    await transaction.runAll(recording(events));
    return records.map(({ programId }) => outcomes.get(programId) ?? new OtherProgram());
  }

  /** One at a time: a logo makes a record long, and programs are few. */
  private async put(transaction: Transaction, record: ProgramRecord, onFile: ProgramRead | null): Promise<void> {
    const { programId } = record;
    const now = new Date().toISOString();
    const version = (onFile?.version ?? 0) + 1;
    const stored = { programId, ...storedOf(record), version, createdAt: now, updatedAt: now };
    const draft = this.repository.draft(stored);
    if (onFile !== null) await transaction.run(this.updating([draft]));
    else if ((await transaction.run(this.repository.insertionOfNew([draft]))).length === 0) throw new Interfered();
  }
}

function eventOf(actor: Actor, program: string, action: string, changed: readonly string[]): NewEvent {
  return {
    by: doerIn(program, actor),
    action,
    accountId: null,
    object: `program/${program}`,
    data: { changed },
  };
}
