import { ArgsType, Field, Int } from 'type-graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type CursorRequest } from '../../shared/page.js';

@ArgsType()
export class CursorArgs implements CursorRequest {
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of elements: ${DEFAULT_PAGE_SIZE} without \`last\`, and never more than ${MAX_PAGE_SIZE}.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor, such as `MTI`, after which the page begins.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The maximum number of elements from the end, in place of `first`.',
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor, such as `MTI`, before which the page ends.',
  })
  before?: string | null;
}
