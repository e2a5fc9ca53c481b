import { ArgsType, Field, Int } from 'type-graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type CursorRequest } from '../../shared/page.js';

@ArgsType()
export class CursorArgs implements CursorRequest {
  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_PAGE_SIZE,
    description: `The maximum number of elements, from 1; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Starts after the element with this cursor, such as `MTI`; at the beginning of the list when absent.',
  })
  after?: string | null;
}

@ArgsType()
export class OffsetArgs extends CursorArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Skips this many elements, from 0, counted from the beginning or from `after`.',
  })
  offset?: number | null;
}
