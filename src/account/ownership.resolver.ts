import { Arg, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Owner } from '../owner/owner.entity.js';
import { Writer } from '../platform/graphql/context.js';
import { UUID } from '../platform/scalars/scalars.js';
import type { Caller } from '../shared/caller.js';
import { ACCOUNT_ID, Account, type AccountView } from './account.entity.js';
import { OwnerResult } from './ownership.entity.js';
import { MAX_OWNERS } from './account.inputs.js';
import { MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';
import type { OwnershipService } from './ownership.service.js';
import { ADD_OWNERS, REMOVE_OWNERS } from './account.operations.js';
import { Performs } from '../platform/graphql/performs.js';

const CUSTOMER_IDS = {
  description: `The customers, such as \`0000d001-0000-4000-8000-000000000000\`: 1 to ${MAX_CUSTOMERS_A_CALL}. A repeated one counts once.`,
};

@Resolver(() => Account)
export class OwnershipResolver {
  constructor(private readonly ownership: OwnershipService) {}

  @FieldResolver(() => [Owner], {
    description: `The owners of the account, the primary owner first; at most ${MAX_OWNERS}. Empty when the last owner was removed.`,
  })
  owners(@Root() account: AccountView): Promise<Owner[]> {
    return this.ownership.list(account);
  }

  @Performs(ADD_OWNERS)
  @Mutation(() => [OwnerResult], {
    nullable: true,
    description: `Adds customers to the owners of an account, after the existing owners. The list has one result for each customer, in the order of the request. A customer who cannot be added does not affect the others.`,
  })
  addOwners(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('customerIds', () => [UUID], CUSTOMER_IDS) customerIds: string[],
  ): Promise<OwnerResult[]> {
    return this.ownership.add(caller, accountId, customerIds);
  }

  @Performs(REMOVE_OWNERS)
  @Mutation(() => [OwnerResult], {
    nullable: true,
    description: `Removes customers from the owners of an account; the last owner can be removed, too. The list has one result for each customer, in the order of the request.`,
  })
  removeOwners(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('customerIds', () => [UUID], CUSTOMER_IDS) customerIds: string[],
  ): Promise<OwnerResult[]> {
    return this.ownership.remove(caller, accountId, customerIds);
  }
}
