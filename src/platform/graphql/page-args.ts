import { ArgsType, Field, Int } from 'type-graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type CursorRequest } from '../../shared/page.js';

@ArgsType()
export class CursorArgs implements CursorRequest {
  @Field(() => Int, {
    nullable: true,
    description: `The most elements; ${DEFAULT_PAGE_SIZE} without \`last\`, and never more than ${MAX_PAGE_SIZE}.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Begins after this cursor, such as `MTI`.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'In place of `first`: the most elements from the end.',
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Ends before this cursor, such as `MTI`.',
  })
  before?: string | null;
}
