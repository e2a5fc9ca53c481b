import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Connection } from '../../platform/graphql/connection.js';
import type { Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { AccountConnection } from './account.connection.js';
import { ACCOUNT_ID, Account, AccountRestriction, type AccountView } from './account.entity.js';
import { AccountFilter } from './account.inputs.js';
import type { AccountService } from './account.service.js';
import { Balances, balancesOf } from './balances.entity.js';
import { READ_ACCOUNTS, READ_RESTRICTION } from './account.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

@Resolver(() => Account)
export class AccountResolver {
  constructor(private readonly accounts: AccountService) {}

  @Performs(READ_ACCOUNTS)
  @Query(() => Account, {
    nullable: true,
    description: 'The account with this id; null if the caller sees none.',
  })
  account(
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Ctx() { caller }: Context,
  ): Promise<AccountView | null> {
    return this.accounts.find(caller, accountId);
  }

  @Performs(READ_ACCOUNTS)
  @Query(() => AccountConnection, {
    name: 'accounts',
    nullable: true,
    description: 'The accounts that the caller may see, in the order of their ids.',
  })
  list(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => AccountFilter, { nullable: true })
    filter: AccountFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<AccountView> {
    return new AccountConnection(this.accounts.list(caller, page, filter));
  }

  @FieldResolver(() => Balances, { description: 'The posted, held and available amounts of one moment.' })
  balances(@Root() account: AccountView): Balances {
    return balancesOf(account);
  }

  @Performs(READ_RESTRICTION)
  @FieldResolver(() => AccountRestriction, {
    nullable: true,
    description: 'The restriction, which operators read; null unless the account is restricted.',
  })
  restriction(@Root() account: AccountView, @Ctx() { caller }: Context): AccountRestriction | null {
    return this.accounts.restriction(caller, account);
  }
}
