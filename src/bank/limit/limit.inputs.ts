import { Field, Float, Int } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { Between } from '../../platform/input/rules.js';
import { Decimal } from '../../platform/scalars/scalars.js';
import { MAX_TRANSFERS_A_DAY } from '../../shared/transfer-rules.js';

const IN_ONE = 'The largest transfer.';
const IN_A_DAY = 'The most that transfers of a day may be together.';
const IN_30_DAYS = 'The most that transfers of 30 days may be together.';
const BY_CARD = 'The most that holds of cards of a day may take.';

@Input('Changes to the limits of an account without amounts.')
class CountLimitPatch {
  @Between(0, MAX_TRANSFERS_A_DAY)
  @Field(() => Int, {
    nullable: true,
    description: `0 to ${MAX_TRANSFERS_A_DAY}.`,
  })
  transfersPerDay?: number | null;
}

@Input('What changes: null means the limit of the program.')
export class TransferLimitsPatch extends CountLimitPatch {
  @Field(() => Decimal, { nullable: true, description: IN_ONE })
  perTransfer?: string | null;

  @Field(() => Decimal, { nullable: true, description: IN_A_DAY })
  perDay?: string | null;

  @Field(() => Decimal, { nullable: true, description: IN_30_DAYS })
  per30Days?: string | null;

  @Field(() => Decimal, { nullable: true, description: BY_CARD })
  cardHoldsPerDay?: string | null;
}

@Input('Changes to the limits of an account, with amounts as JSON numbers.')
export class TransferLimitsPatchRecord extends CountLimitPatch {
  @Field(() => Float, { nullable: true, description: IN_ONE })
  perTransfer?: number | null;

  @Field(() => Float, { nullable: true, description: IN_A_DAY })
  perDay?: number | null;

  @Field(() => Float, { nullable: true, description: IN_30_DAYS })
  per30Days?: number | null;

  @Field(() => Float, { nullable: true, description: BY_CARD })
  cardHoldsPerDay?: number | null;
}
