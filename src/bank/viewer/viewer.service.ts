import type { ProgramService } from '../program/program.service.js';
import type { Caller, Scope } from '../../shared/caller.js';
import type { Viewer } from './viewer.entity.js';

/**
 * Tells whom a token speaks for, so that a client need not read the token, which may be meant for the gateway alone.
 */
export class ViewerService {
  constructor(
    private readonly programs: ProgramService,
    private readonly scopes: readonly Scope[],
  ) {}

  /** Needs no scope: it tells what the token says, and the name of its program. */
  async of(caller: Caller): Promise<Viewer> {
    const { program, subject, clientId, customerId } = caller;
    const record = await this.programs.repository.find(program);
    return {
      subject,
      clientId,
      customerId,
      programId: program,
      programName: record?.name ?? null,
      scopes: this.scopes.filter(scope => caller.may(scope)).toSorted(),
    };
  }
}
