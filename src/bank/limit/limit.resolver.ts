import { Arg, Ctx, Extensions, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { ACCOUNT_ID, Account, type AccountView } from '../account/account.entity.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { DRY_RUN } from '../../platform/graphql/dry-run.js';
import type { Caller } from '../../shared/caller.js';
import { TransferLimits, type TransferLimitsView } from './limit.entity.js';
import { CHANGE_LIMITS, READ_LIMITS } from './limit.operations.js';
import { TransferLimitsPatch } from './limit.inputs.js';
import type { LimitService } from './limit.service.js';

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
  @Mutation(() => TransferLimits, {
    nullable: true,
    description: "Sets limits of one account in place of its program's.",
  })
  setTransferLimits(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: ACCOUNT_ID }) accountId: string,
    @Arg('patch', () => TransferLimitsPatch) patch: TransferLimitsPatch,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<TransferLimitsView> {
    return atPointer('/patch', this.limits.change(caller, accountId, patch, dryRun));
  }
}
