import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Customer, type CustomerView } from '../../owner/owner.entity.js';
import type { Connection } from '../../../platform/graphql/connection.js';
import type { Context } from '../../../platform/graphql/context.js';
import { Performs } from '../../../platform/graphql/performs.js';
import { READ_ACCOUNTS } from '../account.operations.js';
import { CursorArgs } from '../../../platform/graphql/page-args.js';
import { AccountConnection } from '../account.connection.js';
import type { AccountView } from '../account.entity.js';
import type { AccountService } from '../account.service.js';

@Resolver(() => Customer)
export class CustomerAccountsResolver {
  constructor(private readonly service: AccountService) {}

  @Performs(READ_ACCOUNTS)
  @FieldResolver(() => AccountConnection, {
    nullable: true,
    description: 'The accounts that the customer owns, in the order of their ids.',
  })
  accounts(
    @Root() { customerId }: CustomerView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<AccountView> {
    return new AccountConnection(this.service.list(caller, page, { customerId }));
  }
}
