import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, type Context } from '../platform/graphql/context.js';
import { inBoth, replacedBy } from '../platform/graphql/deprecation.js';
import { CursorArgs } from '../platform/graphql/page-args.js';
import { readInput } from '../platform/input/read-input.js';
import { UUID } from '../platform/scalars/scalars.js';
import type { Caller } from '../shared/caller.js';
import {
  Approval,
  ApprovalChange,
  ApprovalStatus,
  MAX_REASON_CHARACTERS,
  type ApprovalView,
} from './approval.entity.js';
import { ApprovalFilter, RejectionInput } from './approval.inputs.js';
import type { ApprovalService } from './approval.service.js';
import { APPROVE, READ_APPROVALS, READ_CHANGES, REJECT } from './approval.operations.js';
import { Performs } from '../platform/graphql/performs.js';

const APPROVAL_ID = { description: 'The id of the approval, such as `2c9f5d0e-4b1a-4e36-9d0c-7a5b8e1f3c60`.' };

const ApprovalConnection = connectionOf<ApprovalView>(Approval);

@Resolver(() => Approval)
export class ApprovalResolver {
  constructor(private readonly service: ApprovalService) {}

  @Performs(READ_APPROVALS)
  @Query(() => ApprovalConnection, {
    nullable: true,
    description: `The requests of the program that wait for another person, or waited, the newest first.`,
  })
  approvals(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => ApprovalFilter, {
      nullable: true,
      description: 'A filter; without it the list has all elements.',
    })
    filter: ApprovalFilter | null,
    @Arg('status', () => ApprovalStatus, {
      nullable: true,
      description: 'Only approvals with this status; all without it.',
      deprecationReason: replacedBy('filter'),
    })
    status: ApprovalStatus | null,
    @Ctx() { caller }: Context,
  ): Connection<ApprovalView> {
    return new ApprovalConnection(this.service.list(caller, page, inBoth(filter?.status, status)));
  }

  @Performs(READ_APPROVALS)
  @Query(() => Approval, {
    nullable: true,
    description: `One approval of the program; null if it does not exist.`,
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
    description: `What the request would change, field by field, when it was sent: URLs whole, since the approver must see where events go. Empty once it is decided.`,
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
    description: `Carries out a request that waits, as the caller who sent it. That caller gets the result by sending the request again with the same idempotency key; the status says FAILED if the request is no longer possible. The token must have another subject than that of the request.`,
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
    description: `Ends a request that waits, which is not carried out. Whoever sent the request may reject it, too.`,
  })
  rejectApproval(
    @Writer() caller: Caller,
    @Arg('approvalId', () => UUID, APPROVAL_ID) approvalId: string,
    @Arg('reason', () => String, {
      description: `The reason, 1 to ${MAX_REASON_CHARACTERS} characters, such as \`Not agreed with the branch.\`. Operators read it.`,
    })
    reason: string,
  ): Promise<ApprovalView> {
    return this.service.reject(caller, approvalId, readInput(RejectionInput, { reason }).reason);
  }
}
