import { Arg, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Owner } from '../../owner/owner.entity.js';
import { Writer } from '../../../platform/graphql/context.js';
import { UUID } from '../../../platform/scalars/scalars.js';
import type { Caller } from '../../../shared/caller.js';
import { ACCOUNT_ID, Account, type AccountView } from '../account.entity.js';
import { AddAccountOwnersPayload, RemoveAccountOwnersPayload } from './ownership.entity.js';
import { MAX_OWNERS } from '../account.inputs.js';
import { MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';
import type { OwnershipService } from './ownership.service.js';
import { ADD_OWNERS, REMOVE_OWNERS } from '../account.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

const CUSTOMER_IDS = {
  description: `The ids of the customers, 1 to ${MAX_CUSTOMERS_A_CALL}. A repeated id counts once.`,
};

@Resolver(() => Account)
export class OwnershipResolver {
  constructor(private readonly ownership: OwnershipService) {}

  @FieldResolver(() => [Owner], {
    description: `The owners, the primary owner first; at most ${MAX_OWNERS}.`,
  })
  owners(@Root() account: AccountView): Promise<Owner[]> {
    return this.ownership.list(account);
  }

  @Performs(ADD_OWNERS)
  @Mutation(() => AddAccountOwnersPayload, {
    nullable: true,
    description: 'Adds customers behind the present owners, each by itself.',
  })
  async addAccountOwners(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('customerIds', () => [UUID], CUSTOMER_IDS) customerIds: string[],
  ): Promise<AddAccountOwnersPayload> {
    return { accountId, results: await this.ownership.add(caller, accountId, customerIds) };
  }

  @Performs(REMOVE_OWNERS)
  @Mutation(() => RemoveAccountOwnersPayload, {
    nullable: true,
    description: 'Removes owners, also the last one.',
  })
  async removeAccountOwners(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('customerIds', () => [UUID], CUSTOMER_IDS) customerIds: string[],
  ): Promise<RemoveAccountOwnersPayload> {
    return { accountId, results: await this.ownership.remove(caller, accountId, customerIds) };
  }
}
