import { Field } from 'type-graphql';
import { UUID } from '../../../platform/scalars/scalars.js';
import { Input } from '../../../platform/input/input.js';
import { Size } from '../../../platform/input/rules.js';

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
