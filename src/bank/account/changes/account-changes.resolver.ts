import { Arg, ID, Resolver, Root } from 'type-graphql';
import {
  AFTER,
  Subscribed,
  type Follower,
  type SubscriptionRequest,
} from '../../../platform/graphql/subscriptions/live.js';
import type { LiveStream } from '../../../shared/live.js';
import { AccountChange } from './account-change.entity.js';
import type { AccountChangeService } from './account-changes.service.js';
import { ACCOUNT_ID } from '../account.entity.js';
import { FOLLOW_ACCOUNT } from '../account.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

@Resolver(() => AccountChange)
export class AccountChangeResolver implements Follower {
  constructor(private readonly changes: AccountChangeService) {}

  @Performs(FOLLOW_ACCOUNT)
  @Subscribed(
    () => AccountChange,
    () => AccountChangeResolver,
    'The postings, and the changes of what belongs to an account.',
  )
  accountChanged(
    @Root() change: Readonly<AccountChange>,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) _accountId: string,
    @Arg('after', () => String, { nullable: true, description: AFTER }) _after?: string | null,
  ): Readonly<AccountChange> {
    return change;
  }

  follow({
    args: { accountId, after },
    context: { caller, signal },
  }: SubscriptionRequest<{ accountId: string; after?: string | null }>): Promise<LiveStream<AccountChange>> {
    return this.changes.follow(caller, accountId, after, signal);
  }
}
