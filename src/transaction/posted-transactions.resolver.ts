import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Resolver } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { selects } from '../platform/graphql/read-ahead.js';
import { AFTER, Subscribed, type LiveContext } from '../platform/graphql/subscriptions/live.js';
import type { Live } from '../shared/live.js';
import { PostedTransaction } from './posted-transaction.entity.js';
import type { PostedTransactionService } from './posted-transactions.service.js';
import { TRANSACTION_LISTS } from './transaction.entity.js';

const selectsLists = selects(...TRANSACTION_LISTS);

@Resolver(() => PostedTransaction)
export class PostedTransactionResolver {
  constructor(private readonly posted: PostedTransactionService) {}

  @Subscribed(
    () => PostedTransaction,
    'The transactions of an account in ledger order, each as it is posted or imported. Needs the scope `transactions.read`.',
  )
  transactionPosted(
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('after', () => String, { nullable: true, description: AFTER }) after: string | null | undefined,
    @Ctx() { caller, signal }: LiveContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Live<PostedTransaction>> {
    return this.posted.follow(caller, accountId, { after, lists: selectsLists(info), signal });
  }
}
