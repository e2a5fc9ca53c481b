import { Field, ID } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { Input } from '../platform/input/input.js';
import { Text } from '../platform/input/rules.js';
import { UUID } from '../platform/scalars/scalars.js';

const MIN_REASON = 3;
const MAX_REASON = 200;

@Input('Whose personal data is revealed, and why.')
export class RevealRecord {
  @Field(() => UUID, {
    nullable: true,
    description:
      'The customer, who owns the account, such as `0000d001-0000-4000-8000-000000000000`. Send this or `beneficiaryId`.',
  })
  customerId?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The beneficiary of the account, such as `e1b429a2-df64-8f14-8412-4059b8002e92`. Send this or `customerId`.',
  })
  beneficiaryId?: string | null;

  @Text(MIN_REASON, MAX_REASON)
  @Field(() => String, {
    description: `For the records of the bank, ${MIN_REASON} to ${MAX_REASON} characters without personal data, such as \`Caller asked for a callback\`. The event keeps it; operators of the program read it with \`events\`, and webhooks never get it.`,
  })
  reason!: string;
}

@Input('Whose personal data is revealed, and why.')
export class RevealInput extends RevealRecord {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;
}
