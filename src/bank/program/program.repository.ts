import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { batchedFind } from '../../platform/repository/batched-find.js';
import { BatchedRepository, type Draft } from '../../platform/repository/batched-repository.js';
import { Program, shown, type ProgramRead, type ProgramView } from './program.entity.js';
import type { ProgramContent } from './program.record.js';

/** The columns that an update writes. */
const CHANGEABLE = [
  'name',
  'letterhead',
  'payer',
  'errorResolution',
  'logo',
  'approvals',
  'transfers',
  'clients',
  'checkFunds',
  'exactSearch',
  'statementsWithoutActivity',
  'operatorGroups',
  'retentionYears',
  'sealed',
  'version',
  'updatedAt',
];

export class ProgramRepository extends BatchedRepository<Program, ProgramRead> {
  /** Locks programs. Gives those that exist, by id. */
  readonly lock = this.locking();

  /** The statement that writes the rows of programs that are there. */
  readonly overwriting = this.updating(CHANGEABLE);

  private readonly ofId: (programId: string) => Promise<Parameters<typeof shown>[0] | null>;

  constructor(database: Database, keys: KeyRing) {
    super(database, Program, keys);
    this.ofId = batchedFind(
      ids => database.em().find(Program, { programId: { $in: ids } }, { exclude: ['sealed'] }),
      ({ programId }) => programId,
    );
  }

  /** The row of a program with this content, one version after the one on record. */
  rowOf(programId: string, content: ProgramContent, onFile: ProgramRead | null, now: string): Draft {
    return this.draft({ programId, ...content, version: (onFile?.version ?? 0) + 1, createdAt: now, updatedAt: now });
  }

  /** A program as it is shown, or null. */
  async find(programId: string): Promise<ProgramView | null> {
    const found = await this.ofId(programId);
    return found && shown(found);
  }

  /** The program of an id, or all programs in the order of their ids. */
  async all(programId: string | null): Promise<ProgramRead[]> {
    const which = programId === null ? {} : { programId };
    const found = await this.database.em().find(Program, which, { orderBy: { programId: 'asc' } });
    return found.map(program => this.found(program));
  }
}
