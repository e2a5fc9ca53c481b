import { Field, ID } from 'type-graphql';
import { DryRun } from '../../../platform/graphql/flag.js';
import { UUID } from '../../../platform/scalars/scalars.js';
import { Input } from '../../../platform/input/input.js';
import { Size } from '../../../platform/input/rules.js';
import { ACCOUNT_ID } from '../account.entity.js';

/** The number of customers that one call may add or remove. */
export const MAX_CUSTOMERS_A_CALL = 50;

@Input('One customer of a REST request that adds or removes owners.')
class HolderInput {
  @Field(() => UUID, { description: 'The id of the customer, as it was imported.' })
  customerId!: string;
}

@Input('The body of a REST request that adds or removes owners.')
export class HoldersInput {
  @Size(1, MAX_CUSTOMERS_A_CALL)
  @Field(() => [HolderInput], { description: `The customers, 1 to ${MAX_CUSTOMERS_A_CALL}.` })
  holders!: HolderInput[];
}

@Input('The account, and the customers who become its owners.')
export class AddAccountOwnersInput {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Size(1, MAX_CUSTOMERS_A_CALL)
  @Field(() => [UUID], {
    description: `The ids of the customers, 1 to ${MAX_CUSTOMERS_A_CALL}. A repeated id counts once.`,
  })
  customerIds!: string[];

  @DryRun()
  dryRun?: boolean;
}

@Input('The account, and the customers who are no longer its owners then.')
export class RemoveAccountOwnersInput extends AddAccountOwnersInput {}
