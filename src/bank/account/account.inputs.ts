import { Field, ID } from 'type-graphql';
import { Currency, LocalDate, UUID } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { ListedMetadata } from '../../platform/input/metadata.js';
import type { MetadataChange } from '../../shared/metadata.js';
import { Size } from '../../platform/input/rules.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { ACCOUNT_ID, AccountStatus, AccountType } from './account.entity.js';

/** The list of owners is not paged, so it must end somewhere. */
export const MAX_OWNERS = 100;

/** The base of inputs that change an account. */
export const NamesAccount = namesRecord('Account', { accountId: { description: ACCOUNT_ID } });

/** As many ranges of an index are read for a page, for each type and status. */
const MAX_CURRENCIES = 10;

@Input('A filter of accounts, which must match every field.')
export class AccountFilter {
  @Size(1, MAX_PAGE_SIZE)
  @Field(() => [ID], {
    nullable: true,
    description: `The ids to list, 1 to ${MAX_PAGE_SIZE}, such as \`demo-1001\`. Accounts that the caller does not see are ignored.`,
  })
  accountIds?: string[] | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'The customer whose accounts are listed.',
  })
  customerId?: string | null;

  @Size(1, 3)
  @Field(() => [AccountStatus], { nullable: true, description: 'The statuses to list, 1 to 3.' })
  statuses?: AccountStatus[] | null;

  @Size(1, 4)
  @Field(() => [AccountType], { nullable: true, description: 'The kinds of accounts to list, 1 to 4.' })
  types?: AccountType[] | null;

  @Size(1, MAX_CURRENCIES)
  @Field(() => [Currency], { nullable: true, description: `The currencies to list, 1 to ${MAX_CURRENCIES}.` })
  currencies?: string[] | null;

  @Field(() => LocalDate, { nullable: true, description: 'The first day of opening to list.' })
  openedOnFrom?: string | null;

  @Field(() => LocalDate, { nullable: true, description: 'The last day of opening to list.' })
  openedOnTo?: string | null;

  @ListedMetadata()
  metadata?: MetadataChange | null;
}
