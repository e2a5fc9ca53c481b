import { Refusal, allowing, type AccountService, type AccountView, type Caller, type Denial } from 'tillgate/noun';
import { SIMULATION } from './sandbox.operations.js';

/**
 * Tells who may simulate in which account. What a caller may not do is put on record, as by the commands themselves.
 */
export class SandboxAccess {
  private readonly allow = allowing(SIMULATION, this.deny);

  constructor(
    private readonly accounts: AccountService,
    private readonly deny: (denial: Denial) => void,
  ) {}

  /**
   * The account, before anything is made for it. Throws `InsufficientScope`, `ProgramWideOnly`, `AccountNotFound`.
   */
  async account(caller: Caller, accountId: string): Promise<AccountView> {
    this.allow(caller, accountId);
    try {
      return await this.accounts.mustSee(caller, accountId);
    } catch (error) {
      if (error instanceof Refusal) this.deny({ caller, action: SIMULATION.name, accountId, code: error.code });
      throw error;
    }
  }
}
