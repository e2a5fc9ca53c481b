import { Arg, ID, Resolver, Root } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { selects } from '../../platform/graphql/selects.js';
import {
  AFTER,
  Subscribed,
  type Follower,
  type SubscriptionRequest,
} from '../../platform/graphql/subscriptions/live.js';
import type { LiveStream } from '../../shared/live.js';
import { PostedTransaction } from './posted-transaction.entity.js';
import type { PostedTransactionService } from './posted-transactions.service.js';
import { TRANSACTION_LISTS } from './transaction.entity.js';
import { FOLLOW_TRANSACTIONS } from './transaction.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const selectsLists = selects(...TRANSACTION_LISTS);

@Resolver(() => PostedTransaction)
export class PostedTransactionResolver implements Follower {
  constructor(private readonly posted: PostedTransactionService) {}

  @Performs(FOLLOW_TRANSACTIONS)
  @Subscribed(
    () => PostedTransaction,
    () => PostedTransactionResolver,
    'Each transaction as it is posted, in ledger order.',
  )
  transactionPosted(
    @Root() transaction: Readonly<PostedTransaction>,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) _accountId: string,
    @Arg('after', () => String, { nullable: true, description: AFTER }) _after?: string | null,
  ): Readonly<PostedTransaction> {
    return transaction;
  }

  follow({
    args: { accountId, after },
    context: { caller, signal },
    info,
  }: SubscriptionRequest<{ accountId: string; after?: string | null }>): Promise<LiveStream<PostedTransaction>> {
    return this.posted.follow(caller, accountId, { after, lists: selectsLists(info), signal });
  }
}
