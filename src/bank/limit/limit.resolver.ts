import { Arg, Ctx, Extensions, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { expecting } from '../../platform/graphql/expected-version.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { TransferLimits, type TransferLimitsView } from './limit.entity.js';
import { CHANGE_LIMITS, READ_LIMITS } from './limit.operations.js';
import { SetTransferLimitsInput } from './limit.inputs.js';
import type { LimitService } from './limit.service.js';

export const SetTransferLimitsPayload = payloadOf<TransferLimitsView>('setTransferLimits', 'limits', TransferLimits);

@Resolver(() => Account)
export class LimitResolver {
  constructor(private readonly limits: LimitService) {}

  @Performs(READ_LIMITS)
  @FieldResolver(() => TransferLimits, {
    nullable: true,
    description: 'The limits of what may leave the account, and what is left of them.',
  })
  @Extensions({ cost: 1 })
  transferLimits(@Root() account: AccountView, @Ctx() { caller }: Context): Promise<TransferLimitsView> {
    return this.limits.of(caller, account);
  }

  @Performs(CHANGE_LIMITS)
  @Mutation(() => SetTransferLimitsPayload, {
    nullable: true,
    description: "Sets limits of one account in place of its program's.",
  })
  async setTransferLimits(
    @Writer() caller: Caller,
    @Arg('input', () => SetTransferLimitsInput) { key, patch, expectedVersion, dryRun = false }: SetTransferLimitsInput,
  ): Promise<Payload> {
    const changing = this.limits.change(caller, key.accountId, patch, expecting(expectedVersion), dryRun);
    return new SetTransferLimitsPayload(caller, await atPointer('/input/patch', changing));
  }
}
