import type { Caller } from '../../../shared/caller.js';
import type { AccountView } from '../account.entity.js';
import type { AccountService } from '../account.service.js';

/** The greatest age of the knowledge that a caller sees an account. */
const RECENT_MS = 1000;

/** An account that a caller follows, and must still see whenever something of it is sent. */
export class AccountWatch {
  private account: AccountView | null = null;
  private readMs = -Infinity;

  constructor(
    private readonly accounts: AccountService,
    private readonly caller: Caller,
    private readonly accountId: string,
  ) {}

  /** The account as it is now. Throws `AccountNotFound` once the caller may not see it. */
  async now(): Promise<AccountView> {
    this.account = await this.accounts.mustSee(this.caller, this.accountId);
    this.readMs = performance.now();
    return this.account;
  }

  /** The account as it was a moment ago at most. Throws `AccountNotFound`. */
  async recent(): Promise<AccountView> {
    const isRecent = performance.now() - this.readMs < RECENT_MS;
    return isRecent && this.account ? this.account : this.now();
  }
}
