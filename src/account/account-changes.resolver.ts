import { Arg, Ctx, ID, Resolver } from 'type-graphql';
import { AFTER, Subscribed, type LiveContext } from '../platform/graphql/subscriptions/live.js';
import type { Live } from '../shared/live.js';
import { AccountChange } from './account-change.entity.js';
import type { AccountChangeService } from './account-changes.service.js';
import { ACCOUNT_ID } from './account.entity.js';

@Resolver(() => AccountChange)
export class AccountChangeResolver {
  constructor(private readonly changes: AccountChangeService) {}

  @Subscribed(
    () => AccountChange,
    'What happens to an account: postings, and changes of its owners, beneficiaries, cards and statements, as far as the token has the scopes to read them. Needs the scope `accounts.read`.',
  )
  accountChanged(
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('after', () => String, { nullable: true, description: AFTER }) after: string | null | undefined,
    @Ctx() { caller, signal }: LiveContext,
  ): Promise<Live<AccountChange>> {
    return this.changes.follow(caller, accountId, after, signal);
  }
}
