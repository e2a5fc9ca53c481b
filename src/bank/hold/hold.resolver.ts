import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { ACCOUNT_ID, Account, type AccountView } from '../account/account.entity.js';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { DRY_RUN } from '../../platform/graphql/dry-run.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { Decimal } from '../../platform/scalars/scalars.js';
import type { Caller } from '../../shared/caller.js';
import { Hold, type HoldView } from './hold.entity.js';
import { HoldFilter, HoldInput } from './hold.inputs.js';
import type { HoldService } from './hold.service.js';
import { CAPTURE_HOLD, PLACE_HOLD, READ_HOLDS, RELEASE_HOLD } from './hold.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const HoldConnection = connectionOf<HoldView>(Hold);
const ACCOUNT = { description: ACCOUNT_ID };
const HOLD = { description: 'The id of the hold, such as `auth-17`.' };

@Resolver(() => Account)
export class HoldResolver {
  constructor(private readonly service: HoldService) {}

  @Performs(READ_HOLDS)
  @FieldResolver(() => HoldConnection, {
    nullable: true,
    description: 'The holds, the newest first.',
  })
  holds(
    @Root() account: AccountView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => HoldFilter, {
      nullable: true,
      description: 'The filter of the list, which has all elements without it.',
    })
    filter: HoldFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<HoldView> {
    return new HoldConnection(this.service.list(caller, account, page, filter ?? {}));
  }

  @Performs(READ_HOLDS)
  @FieldResolver(() => Hold, {
    nullable: true,
    description: 'The hold with this id; null if there is none.',
  })
  hold(
    @Root() account: AccountView,
    @Arg('holdId', () => ID, HOLD) holdId: string,
    @Ctx() { caller }: Context,
  ): Promise<HoldView | null> {
    return this.service.find(caller, account, holdId);
  }

  @Performs(PLACE_HOLD)
  @Mutation(() => Hold, {
    nullable: true,
    description: 'Keeps money back. The same hold again is returned as it stands.',
  })
  placeHold(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('input', () => HoldInput) input: HoldInput,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<HoldView> {
    return atPointer('/input', this.service.place(caller, accountId, input, dryRun));
  }

  @Performs(CAPTURE_HOLD)
  @Mutation(() => Hold, {
    nullable: true,
    description: 'Posts a debit, and releases what remains unless `keepRest`.',
  })
  captureHold(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('holdId', () => ID, HOLD) holdId: string,
    @Arg('amount', () => Decimal, {
      nullable: true,
      description: 'The amount to capture, more than zero; all that remains when absent.',
    })
    amount: string | null,
    @Arg('keepRest', () => Boolean, {
      defaultValue: false,
      description: 'True to keep what then remains for another capture.',
    })
    keepRest: boolean,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<HoldView> {
    return this.service.capture(caller, accountId, { holdId, amount: amount ?? null, keepRest }, dryRun);
  }

  @Performs(RELEASE_HOLD)
  @Mutation(() => Hold, {
    nullable: true,
    description: 'Ends a hold before its time is over.',
  })
  releaseHold(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('holdId', () => ID, HOLD) holdId: string,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<HoldView> {
    return this.service.release(caller, accountId, { holdId }, dryRun);
  }
}
