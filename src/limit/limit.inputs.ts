import { Field, Float, Int } from 'type-graphql';
import { Input } from '../platform/input/input.js';
import { Between } from '../platform/input/rules.js';
import { Decimal } from '../platform/scalars/scalars.js';
import { MAX_TRANSFERS_A_DAY } from '../shared/transfer-rules.js';

const AMOUNT =
  "not negative, with no more decimal digits than the account's currency has, up to 10^15 minor units. Null means the limit of the program";
const IN_ONE = `The largest transfer, such as \`5000.00\`: ${AMOUNT}.`;
const IN_A_DAY = `The most that transfers of a day may be together, such as \`10000.00\`: ${AMOUNT}.`;
const IN_30_DAYS = `The most that transfers of today and the 29 days before may be together, such as \`50000.00\`: ${AMOUNT}.`;
const BY_CARD = `The most that holds of cards of a day may keep back and take together, such as \`2500.00\`: ${AMOUNT}.`;

@Input('Changes to the limits of an account without amounts.')
class CountLimitPatch {
  @Between(0, MAX_TRANSFERS_A_DAY)
  @Field(() => Int, {
    nullable: true,
    description: `The most transfers of a day, 0 to ${MAX_TRANSFERS_A_DAY}. Null means the limit of the program.`,
  })
  transfersPerDay?: number | null;
}

@Input('Changes to the limits of an account (JSON merge patch, RFC 7396): an absent field stays as it is.')
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
