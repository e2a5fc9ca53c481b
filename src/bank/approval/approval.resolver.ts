import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { UuidArg } from '../../platform/graphql/uuid-arg.js';
import type { Caller } from '../../shared/caller.js';
import { Approval, ApprovalChange, type ApprovalView } from './approval.entity.js';
import { APPROVAL_ID, ApprovalFilter, ApproveApprovalInput, RejectApprovalInput } from './approval.inputs.js';
import type { ApprovalService } from './approval.service.js';
import { APPROVE, READ_APPROVALS, READ_CHANGES, REJECT } from './approval.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const ApprovalConnection = connectionOf<ApprovalView>(Approval);
const ApproveApprovalPayload = payloadOf<ApprovalView>('approveApproval', 'approval', Approval);
const RejectApprovalPayload = payloadOf<ApprovalView>('rejectApproval', 'approval', Approval);

@Resolver(() => Approval)
export class ApprovalResolver {
  constructor(private readonly service: ApprovalService) {}

  @Performs(READ_APPROVALS)
  @Query(() => ApprovalConnection, {
    nullable: true,
    description: 'The requests that wait or waited for another person, the newest first.',
  })
  approvals(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => ApprovalFilter, {
      nullable: true,
      description: 'The filter of the list, which has all elements without it.',
    })
    filter: ApprovalFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<ApprovalView> {
    return new ApprovalConnection(this.service.list(caller, page, filter?.statuses ?? null));
  }

  @Performs(READ_APPROVALS)
  @Query(() => Approval, {
    nullable: true,
    description: 'The request that waits or waited with this id; null if there is none.',
  })
  approval(
    @UuidArg('approvalId', APPROVAL_ID) approvalId: string,
    @Ctx() { caller }: Context,
  ): Promise<ApprovalView | null> {
    return this.service.find(caller, approvalId);
  }

  @Performs(READ_CHANGES)
  @FieldResolver(() => [ApprovalChange], {
    nullable: true,
    description: 'The fields with their values before and after, URLs whole; empty once it is decided.',
  })
  changes(
    @Root() { approvalId }: Pick<ApprovalView, 'approvalId'>,
    @Ctx() { caller }: Context,
  ): Promise<readonly ApprovalChange[]> {
    return this.service.changes(caller, approvalId);
  }

  @Performs(APPROVE)
  @Mutation(() => ApproveApprovalPayload, {
    nullable: true,
    description: 'Carries out a waiting request; its sender sends it again for the result.',
  })
  async approveApproval(
    @Writer() caller: Caller,
    @Arg('input', () => ApproveApprovalInput) { key }: ApproveApprovalInput,
  ): Promise<Payload> {
    return new ApproveApprovalPayload(caller, await this.service.approve(caller, key.approvalId));
  }

  @Performs(REJECT)
  @Mutation(() => RejectApprovalPayload, {
    nullable: true,
    description: 'Ends a waiting request, also for its sender.',
  })
  async rejectApproval(
    @Writer() caller: Caller,
    @Arg('input', () => RejectApprovalInput) { key, reason }: RejectApprovalInput,
  ): Promise<Payload> {
    return new RejectApprovalPayload(caller, await this.service.reject(caller, key.approvalId, reason));
  }
}
