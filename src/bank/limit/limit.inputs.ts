import { Field, Float, Int } from 'type-graphql';
import { ExpectedVersion } from '../../platform/graphql/expected-version.js';
import { DryRun } from '../../platform/graphql/flag.js';
import { NamesAccount } from '../account/account.service.js';
import { Input } from '../../platform/input/input.js';
import { Between } from '../../platform/input/rules.js';
import { Decimal } from '../../platform/scalars/scalars.js';
import { MAX_TRANSFERS_A_DAY } from '../../shared/transfer-rules.js';

const IN_ONE = 'The largest transfer.';
const IN_A_DAY = 'The maximum amount of all transfers of a day.';
const IN_30_DAYS = 'The maximum amount of all transfers of 30 days.';
const BY_CARD = 'The maximum amount of all holds of cards of a day.';

@Input('Changes to the limits of an account without amounts.')
class CountLimitPatch {
  @Between(0, MAX_TRANSFERS_A_DAY)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of transfers of a day, 0 to ${MAX_TRANSFERS_A_DAY}.`,
  })
  transfersPerDay?: number | null;
}

@Input('The changes of the limits of an account. Null means the limit of the program.')
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

@Input('The account, and the changes of its limits.')
export class SetTransferLimitsInput extends NamesAccount {
  @Field(() => TransferLimitsPatch, { description: 'The changes.' })
  patch!: TransferLimitsPatch;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}
