import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { Hold, type HoldView } from './hold.entity.js';
import { CaptureHoldInput, HoldFilter, PlaceHoldInput, ReleaseHoldInput } from './hold.inputs.js';
import type { HoldService } from './hold.service.js';
import { CAPTURE_HOLD, PLACE_HOLD, READ_HOLDS, RELEASE_HOLD } from './hold.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const HoldConnection = connectionOf<HoldView>(Hold);
const PlaceHoldPayload = payloadOf<HoldView>('placeHold', 'hold', Hold);
const CaptureHoldPayload = payloadOf<HoldView>('captureHold', 'hold', Hold);
const ReleaseHoldPayload = payloadOf<HoldView>('releaseHold', 'hold', Hold);
export const HOLD_PAYLOADS = [PlaceHoldPayload, CaptureHoldPayload, ReleaseHoldPayload];
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
  @Mutation(() => PlaceHoldPayload, {
    nullable: true,
    description: 'Keeps money back. The same hold again is returned as it stands.',
  })
  async placeHold(
    @Writer() caller: Caller,
    @Arg('input', () => PlaceHoldInput) { accountId, hold, dryRun }: PlaceHoldInput,
  ): Promise<Payload> {
    const placing = this.service.place(caller, accountId, hold, dryRun);
    return new PlaceHoldPayload(caller, await atPointer('/input/hold', placing));
  }

  @Performs(CAPTURE_HOLD)
  @Mutation(() => CaptureHoldPayload, {
    nullable: true,
    description: 'Posts a debit, and releases what remains unless `keepRest`.',
  })
  async captureHold(
    @Writer() caller: Caller,
    @Arg('input', () => CaptureHoldInput) { key, amount = null, keepRest = false, dryRun }: CaptureHoldInput,
  ): Promise<Payload> {
    const { accountId, holdId } = key;
    const capturing = this.service.capture(caller, accountId, { holdId, amount, keepRest }, dryRun);
    return new CaptureHoldPayload(caller, await atPointer('/input', capturing));
  }

  @Performs(RELEASE_HOLD)
  @Mutation(() => ReleaseHoldPayload, {
    nullable: true,
    description: 'Ends a hold before its time is over.',
  })
  async releaseHold(
    @Writer() caller: Caller,
    @Arg('input', () => ReleaseHoldInput) { key, dryRun }: ReleaseHoldInput,
  ): Promise<Payload> {
    const { accountId, holdId } = key;
    return new ReleaseHoldPayload(caller, await this.service.release(caller, accountId, { holdId }, dryRun));
  }
}
