import type { EventChain } from '../../event/event-chain.entity.js';
import type { EventChainService } from '../../event/event-chain.service.js';
import type { Caller } from '../../../shared/caller.js';
import type { AccountView } from '../account.entity.js';
import type { AccountService } from '../account.service.js';
import { VERIFY_EVENT_CHAIN } from '../account.operations.js';

/** Tells if the record of an account is whole. */
export class AccountChainService {
  constructor(
    private readonly accounts: AccountService,
    private readonly chains: EventChainService,
  ) {}

  /** The chain of an account that the caller sees. */
  async of(caller: Caller, { accountId }: Pick<AccountView, 'accountId'>): Promise<EventChain> {
    caller.require(VERIFY_EVENT_CHAIN);
    return this.chains.ofAccount(accountId);
  }

  /** The chain of events of an account by its id. Throws `AccountNotFound`. */
  async get(caller: Caller, accountId: string): Promise<EventChain> {
    caller.require(VERIFY_EVENT_CHAIN);
    return this.of(caller, await this.accounts.mustSee(caller, accountId));
  }
}
