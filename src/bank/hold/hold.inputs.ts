import { Field, Float, ID } from 'type-graphql';
import { ACCOUNT_ID } from '../account/account.entity.js';
import { DryRun, Flag } from '../../platform/graphql/flag.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { Input } from '../../platform/input/input.js';
import { ListedMetadata, NewMetadata } from '../../platform/input/metadata.js';
import type { MetadataChange } from '../../shared/metadata.js';
import { Matches, Size, Text } from '../../platform/input/rules.js';
import { DateTimeISO, Decimal } from '../../platform/scalars/scalars.js';
import { BANK_ID, BANK_ID_FORM, pathId } from '../../shared/ids.js';
import { HoldStatus } from './hold.entity.js';

/** The number of days ahead at which a hold may end. */
export const MAX_HOLD_DAYS = 365;

/** The transactions of its captures have this id with a number behind it. */
export const HOLD_ID = pathId(56);
const HOLD_ID_FORM = '1 to 56 visible ASCII characters, not . or .., which are steps of a path';

/** The fields of a new hold that REST and GraphQL spell alike. */
@Input('A new hold without its amount.')
class HoldDetails {
  @Matches(HOLD_ID, HOLD_ID_FORM)
  @Field(() => ID, {
    description: 'The id of the hold, up to 56 characters, such as `auth-17`, which no transaction has.',
  })
  holdId!: string;

  @Text(1, 500)
  @Field(() => String, {
    description: 'The description for people, 1 to 500 characters, such as `Quarry Road Fuel, pump 4`.',
  })
  description!: string;

  @Field(() => DateTimeISO, {
    description: `The time at which the hold ends, in the future, and at most ${MAX_HOLD_DAYS} days ahead.`,
  })
  expiresAt!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description: 'The id of an ACTIVE card of the account, such as `card-17`.',
  })
  cardId?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, up to 64 characters, such as `INV-2041`.',
  })
  reference?: string | null;

  @NewMetadata()
  metadata?: MetadataChange | null;
}

@Input('A new hold.')
export class HoldInput extends HoldDetails {
  @Field(() => Decimal, { description: 'The amount, more than zero.' })
  amount!: string;
}

const NamesHold = namesRecord('Hold', {
  accountId: { description: ACCOUNT_ID },
  holdId: { description: 'The id of the hold, such as `auth-17`.' },
});

@Input('The account, and the hold that is placed on it.')
export class PlaceHoldInput {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Field(() => HoldInput, { description: 'The new hold.' })
  hold!: HoldInput;

  @DryRun()
  dryRun?: boolean;
}

@Input('The hold that is captured, whole or in part.')
export class CaptureHoldInput extends NamesHold {
  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount to capture, more than zero; all that remains when absent.',
  })
  amount?: string | null;

  @Flag('True to keep what then remains for another capture.')
  keepRest?: boolean;

  @DryRun()
  dryRun?: boolean;
}

@Input('The hold that is released.')
export class ReleaseHoldInput extends NamesHold {
  @DryRun()
  dryRun?: boolean;
}

@Input('A new hold, with its amount as a JSON number.')
export class HoldRecord extends HoldDetails {
  @Field(() => Float, { description: 'The amount, more than zero.' })
  amount!: number;
}

@Input('A capture of a hold.')
export class CaptureRecord {
  @Field(() => Float, {
    nullable: true,
    description: 'The amount to capture, more than zero; all that remains when absent.',
  })
  amount?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True keeps what then remains of the hold. It is released when absent or false.',
  })
  keepRest?: boolean | null;
}

@Input('The filter of a list of holds.')
export class HoldQuery {
  @Field(() => HoldStatus, { nullable: true, description: 'The status to list.' })
  status?: HoldStatus | null;
}

@Input('The filter of a list of holds.')
export class HoldFilter {
  @Size(1, 4)
  @Field(() => [HoldStatus], { nullable: true, description: 'The statuses to list, 1 to 4.' })
  statuses?: HoldStatus[] | null;

  @ListedMetadata()
  metadata?: MetadataChange | null;
}
