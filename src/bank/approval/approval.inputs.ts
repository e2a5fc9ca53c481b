import { Field, Int } from 'type-graphql';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { Input } from '../../platform/input/input.js';
import { Between, Size, Text } from '../../platform/input/rules.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { MAX_REASON_CHARACTERS } from '../../platform/command/agent-reason.js';
import { ApprovalStatus } from './approval.entity.js';

const REASON = `The reason, 1 to ${MAX_REASON_CHARACTERS} characters, such as \`Not agreed with the branch.\`.`;

@Input('The rejection of a request that waits.')
export class RejectionInput {
  @Text(1, MAX_REASON_CHARACTERS)
  @Field(() => String, { description: REASON })
  reason!: string;
}

export const APPROVAL_ID = {
  description: 'The id of the request that waits, which is `extensions.approvalId` of the error.',
};
const NamesApproval = namesRecord('Approval', { approvalId: { ...APPROVAL_ID, isUuid: true } });

@Input('The request that is carried out.')
export class ApproveApprovalInput extends NamesApproval {}

@Input('The request that is rejected.')
export class RejectApprovalInput extends NamesApproval {
  @Text(1, MAX_REASON_CHARACTERS)
  @Field(() => String, { description: REASON })
  reason!: string;
}

@Input('The filter of a list of requests for approval.')
export class ApprovalFilter {
  @Size(1, 5)
  @Field(() => [ApprovalStatus], { nullable: true, description: 'The statuses to list, 1 to 5.' })
  statuses?: ApprovalStatus[] | null;
}

@Input('The approvals to list, and the page of them.')
export class ApprovalQuery {
  @Field(() => ApprovalStatus, { nullable: true, description: 'The status to list.' })
  status?: ApprovalStatus | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last answer: approvals after it. From the newest one when absent.',
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of approvals; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;
}
