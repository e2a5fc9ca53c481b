import { Refusal, allowing, type AccountService, type AccountView, type Caller, type Denial } from 'tillgate/noun';
import { SIMULATION } from './sandbox.operations.js';

/** Who may simulate in which account. What a caller may not do is put on record, as by the commands themselves. */
export class SandboxAccess {
  /** Throws `InsufficientScope` or `ProgramWideOnly`. The account is null where it is not known yet. */
  readonly allow: (caller: Caller, accountId: string | null) => void;

  constructor(
    private readonly accounts: AccountService,
    private readonly deny: (denial: Denial) => void,
  ) {
    this.allow = allowing(SIMULATION, deny);
  }

  /** The account, before anything is made for it. Throws `AccountNotFound` besides what `allow` throws. */
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
