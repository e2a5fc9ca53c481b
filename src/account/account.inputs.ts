import { Field, ID } from 'type-graphql';
import { UUID } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { Size } from '../platform/input/rules.js';
import { MAX_PAGE_SIZE } from '../shared/page.js';
import { AccountStatus } from './account.entity.js';

/** The list of owners is not paged, so it must end somewhere. */
export const MAX_OWNERS = 100;

@Input('A filter of accounts. An account must match every field that is given.')
export class AccountFilter {
  @Size(1, MAX_PAGE_SIZE)
  @Field(() => [ID], {
    nullable: true,
    description: `Only the accounts with these ids, such as \`demo-1001\`: 1 to ${MAX_PAGE_SIZE}. Ids that the caller may not see are ignored.`,
  })
  accountIds?: string[] | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'Only accounts that this customer owns, such as `0000d001-0000-4000-8000-000000000000`.',
  })
  customerId?: string | null;

  @Size(1, 3)
  @Field(() => [AccountStatus], { nullable: true, description: 'Only accounts in one of these states, 1 to 3.' })
  status?: AccountStatus[] | null;
}
