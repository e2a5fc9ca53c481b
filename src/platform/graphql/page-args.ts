import { ArgsType, Field, Int } from 'type-graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type CursorRequest } from '../../shared/page.js';

@ArgsType()
export class CursorArgs implements CursorRequest {
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of elements, from 1; ${DEFAULT_PAGE_SIZE} when both this and \`last\` are absent, and more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Starts after the element with this cursor, such as `MTI`; at the beginning of the list when absent.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of elements from the end of the list, or before \`before\`, from 1; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}. They come in the order of the list. Use it instead of \`first\`, and without \`offset\`.`,
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Ends before the element with this cursor, such as `MTI`; at the end of the list when absent.',
  })
  before?: string | null;
}

@ArgsType()
export class OffsetArgs extends CursorArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Skips this many elements, from 0, counted from the beginning or from `after`.',
  })
  offset?: number | null;
}
