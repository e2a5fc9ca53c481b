import type { Caller } from '../shared/caller.js';
import type { ProgramView } from './program.entity.js';
import { ProgramNotFound } from './program.errors.js';
import type { ProgramRepository } from './program.repository.js';
import { READ_PROGRAM } from './program.operations.js';

/** The programs as issuers of documents. They are set by imports: see `ProgramImport`. */
export class ProgramService {
  constructor(readonly repository: ProgramRepository) {}

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

  /** Throws `ProgramNotFound`. */
  async get(caller: Caller): Promise<ProgramView> {
    const found = await this.find(caller);
    if (!found) throw new ProgramNotFound();
    return found;
  }
}
