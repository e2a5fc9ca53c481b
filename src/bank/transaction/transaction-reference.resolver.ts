import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AccountService } from '../account/account.service.js';
import type { Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { READ_TRANSACTIONS } from './transaction.operations.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import type { TransactionService } from './transaction.service.js';

@Resolver(() => Transaction)
export class TransactionReferenceResolver {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: TransactionService,
  ) {}

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Transaction, {
    nullable: true,
    description: 'The transaction that it posts or reverses.',
  })
  async references(
    @Root() { accountId, referenceTransactionId }: TransactionView,
    @Ctx() { caller }: Context,
  ): Promise<TransactionView | null> {
    caller.require(READ_TRANSACTIONS);
    if (referenceTransactionId === null) return null;
    return this.accounts.within(caller, READ_TRANSACTIONS, accountId, account =>
      this.history.find(caller, account, referenceTransactionId),
    );
  }
}
