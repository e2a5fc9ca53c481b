import { Field, ID } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { Input } from '../../platform/input/input.js';
import { Text } from '../../platform/input/rules.js';
import { UUID } from '../../platform/scalars/scalars.js';

const MIN_REASON = 3;
const MAX_REASON = 200;

@Input('The person whose personal data is revealed, and the reason.')
export class RevealRecord {
  @Field(() => UUID, {
    nullable: true,
    description: 'An owner of the account. Send this or `beneficiaryId`.',
  })
  customerId?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'A beneficiary of the account. Send this or `customerId`.',
  })
  beneficiaryId?: string | null;

  @Text(MIN_REASON, MAX_REASON)
  @Field(() => String, {
    description: `The reason for the event, ${MIN_REASON} to ${MAX_REASON} characters, such as \`Caller asked for a callback\`.`,
  })
  reason!: string;
}

@Input('The person whose personal data is revealed, and the reason.')
export class RevealPersonalDataInput extends RevealRecord {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;
}
