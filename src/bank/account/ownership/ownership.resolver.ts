import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { Owner } from '../../owner/owner.entity.js';
import { Writer, type Context } from '../../../platform/graphql/context.js';
import type { Caller } from '../../../shared/caller.js';
import { Account, type AccountView } from '../account.entity.js';
import { AddAccountOwnersPayload, RemoveAccountOwnersPayload } from './ownership.entity.js';
import { MAX_OWNERS } from '../account.inputs.js';
import { AddAccountOwnersInput, RemoveAccountOwnersInput } from './ownership.inputs.js';
import type { OwnershipService } from './ownership.service.js';
import { ADD_OWNERS, REMOVE_OWNERS } from '../account.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

@Resolver(() => Account)
export class OwnershipResolver {
  constructor(private readonly ownership: OwnershipService) {}

  @FieldResolver(() => [Owner], {
    description: `The owners, the primary owner first; at most ${MAX_OWNERS}.`,
  })
  owners(@Root() account: AccountView, @Ctx() { caller }: Context): Promise<Owner[]> {
    return this.ownership.list(caller, account);
  }

  @Performs(ADD_OWNERS)
  @Mutation(() => AddAccountOwnersPayload, {
    nullable: true,
    description: 'Adds customers behind the present owners, each by itself.',
  })
  async addAccountOwners(
    @Writer() caller: Caller,
    @Arg('input', () => AddAccountOwnersInput) { accountId, customerIds, dryRun }: AddAccountOwnersInput,
  ): Promise<AddAccountOwnersPayload> {
    const results = await this.ownership.add(caller, accountId, customerIds, dryRun);
    return new AddAccountOwnersPayload(caller, accountId, results);
  }

  @Performs(REMOVE_OWNERS)
  @Mutation(() => RemoveAccountOwnersPayload, {
    nullable: true,
    description: 'Removes owners, also the last one.',
  })
  async removeAccountOwners(
    @Writer() caller: Caller,
    @Arg('input', () => RemoveAccountOwnersInput) { accountId, customerIds, dryRun }: RemoveAccountOwnersInput,
  ): Promise<RemoveAccountOwnersPayload> {
    const results = await this.ownership.remove(caller, accountId, customerIds, dryRun);
    return new RemoveAccountOwnersPayload(caller, accountId, results);
  }
}
