import { Field, Int } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { Between, Size, Text } from '../../platform/input/rules.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { ApprovalStatus, MAX_REASON_CHARACTERS } from './approval.entity.js';

@Input('The rejection of a request that waits.')
export class RejectionInput {
  @Text(1, MAX_REASON_CHARACTERS)
  @Field(() => String, {
    description: `The reason, 1 to ${MAX_REASON_CHARACTERS} characters, such as \`Not agreed with the branch.\`.`,
  })
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
