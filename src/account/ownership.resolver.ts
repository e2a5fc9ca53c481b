import { Arg, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Owner } from '../owner/owner.entity.js';
import { Writer } from '../platform/graphql/context.js';
import { UUID } from '../platform/graphql/scalars.js';
import type { Caller } from '../shared/caller.js';
import { Account, type AccountView } from './account.entity.js';
import { OwnerResult } from './ownership.entity.js';
import type { OwnershipService } from './ownership.service.js';

@Resolver(() => Account)
export class OwnershipResolver {
  constructor(private readonly ownership: OwnershipService) {}

  @FieldResolver(() => [Owner], { description: 'Who owns the account, the primary owner first.' })
  owners(@Root() account: AccountView): Promise<Owner[]> {
    return this.ownership.list(account);
  }

  @Mutation(() => [OwnerResult], {
    description: 'Makes customers owners of an account. One result for each customer, in the order asked.',
  })
  addOwners(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('customerIds', () => [UUID], { description: 'The customers, 1 to 50.' }) customerIds: string[],
  ): Promise<OwnerResult[]> {
    return this.ownership.add(caller, accountId, customerIds);
  }

  @Mutation(() => [OwnerResult], {
    description: 'Ends the ownership of customers. One result for each customer, in the order asked.',
  })
  removeOwners(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('customerIds', () => [UUID], { description: 'The customers, 1 to 50.' }) customerIds: string[],
  ): Promise<OwnerResult[]> {
    return this.ownership.remove(caller, accountId, customerIds);
  }
}
