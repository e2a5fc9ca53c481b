import { Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql';
import type { Context } from '../../platform/graphql/context.js';
import { Account, type AccountView } from './account.entity.js';
import type { AccountService } from './account.service.js';
import { READ_ACCOUNTS } from './account.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

/** Makes the resolver of the field `account` of a type whose objects belong to an account. */
export function accountLinkOf(Type: ClassType): new (accounts: AccountService) => object {
  @Resolver(() => Type)
  class AccountLinkResolver {
    constructor(private readonly accounts: AccountService) {}

    @Performs(READ_ACCOUNTS)
    @FieldResolver(() => Account, {
      nullable: true,
      description: 'The account as it is now; after a mutation, as the mutation left it.',
    })
    account(
      @Root() { accountId }: { readonly accountId: string | null },
      @Ctx() { caller }: Context,
    ): Promise<AccountView | null> {
      return this.accounts.find(caller, accountId ?? '');
    }
  }
  return AccountLinkResolver;
}
