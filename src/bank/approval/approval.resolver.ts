import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { readInput } from '../../platform/input/read-input.js';
import { UUID } from '../../platform/scalars/scalars.js';
import type { Caller } from '../../shared/caller.js';
import { Approval, ApprovalChange, MAX_REASON_CHARACTERS, type ApprovalView } from './approval.entity.js';
import { ApprovalFilter, RejectionInput } from './approval.inputs.js';
import type { ApprovalService } from './approval.service.js';
import { APPROVE, READ_APPROVALS, READ_CHANGES, REJECT } from './approval.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const APPROVAL_ID = { description: 'The id of the request that waits, which is `extensions.approvalId` of the error.' };

const ApprovalConnection = connectionOf<ApprovalView>(Approval);

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
    @Arg('approvalId', () => UUID, APPROVAL_ID) approvalId: string,
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
  @Mutation(() => Approval, {
    nullable: true,
    description: 'Carries out a waiting request; its sender sends it again for the result.',
  })
  approveApproval(
    @Writer() caller: Caller,
    @Arg('approvalId', () => UUID, APPROVAL_ID) approvalId: string,
  ): Promise<ApprovalView> {
    return this.service.approve(caller, approvalId);
  }

  @Performs(REJECT)
  @Mutation(() => Approval, {
    nullable: true,
    description: 'Ends a waiting request, also for its sender.',
  })
  rejectApproval(
    @Writer() caller: Caller,
    @Arg('approvalId', () => UUID, APPROVAL_ID) approvalId: string,
    @Arg('reason', () => String, {
      description: `The reason, 1 to ${MAX_REASON_CHARACTERS} characters, such as \`Not agreed with the branch.\`.`,
    })
    reason: string,
  ): Promise<ApprovalView> {
    return this.service.reject(caller, approvalId, readInput(RejectionInput, { reason }).reason);
  }
}
