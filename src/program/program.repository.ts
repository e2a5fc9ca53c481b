import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { Asking } from '../platform/database/transaction.js';
import { BatchedRepository } from '../platform/repository/batched-repository.js';
import { Program, shown, type ProgramRead, type ProgramView } from './program.entity.js';

export class ProgramRepository extends BatchedRepository<Program, ProgramRead> {
  // In the order of their ids, as all that lock several, so that two imports never wait for each other in a circle.
  private readonly locking = {
    name: 'programs_record_lock',
    text: `SELECT ${this.columns('p')} FROM program p WHERE p.program_id = ANY($1::text[]) ORDER BY p.program_id FOR NO KEY UPDATE`,
  };

  constructor(database: Database, keys: KeyRing) {
    super(database, Program, keys);
  }

  /** A program as it is shown, or null. */
  async find(programId: string): Promise<ProgramView | null> {
    const found = await this.database.em().findOne(Program, { programId }, { exclude: ['sealed'] });
    return found && shown(found);
  }

  /** The program of an id, or all programs in the order of their ids. */
  async all(programId: string | null): Promise<ProgramRead[]> {
    const which = programId === null ? {} : { programId };
    const found = await this.database.em().find(Program, which, { orderBy: { programId: 'asc' } });
    return found.map(program => this.found(program));
  }

  /** Locks programs. Gives those that exist, by id. */
  async lock(transaction: Asking, programIds: readonly string[]): Promise<Map<string, ProgramRead>> {
    const rows = await transaction.query(this.locking, [programIds]);
    return new Map(rows.map(row => this.read(row)).map(program => [program.programId, program]));
  }
}
