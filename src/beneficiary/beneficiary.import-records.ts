import { Field, ID } from 'type-graphql';
import { UUID } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { Matches } from '../platform/input/rules.js';
import { BeneficiaryInput } from './beneficiary.inputs.js';

@Input(
  'A beneficiary as the bank has it: what the API takes, with the account, and with the id where the bank has given one.',
)
export class BeneficiaryRecord extends BeneficiaryInput {
  @Matches(/^[\x21-\x7e]{1,64}$/, '1 to 64 visible ASCII characters')
  @Field(() => ID)
  accountId!: string;

  @Field(() => UUID, { nullable: true })
  beneficiaryId?: string | null;
}
