import { Field, ID } from 'type-graphql';
import { UUID } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { Matches } from '../../platform/input/rules.js';
import { NewBeneficiaryRecord } from './beneficiary.inputs.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';

@Input(
  'A beneficiary in the records of the bank: the fields of the API, the id of the account, and the id of the beneficiary if the bank has assigned one.',
)
export class BeneficiaryRecord extends NewBeneficiaryRecord {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID)
  accountId!: string;

  @Field(() => UUID, { nullable: true })
  beneficiaryId?: string | null;
}
