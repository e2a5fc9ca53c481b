import { Field, Float, ID } from 'type-graphql';
import { DryRun } from '../../../platform/graphql/flag.js';
import { ExpectedVersion } from '../../../platform/graphql/expected-version.js';
import { Currency, Decimal, LocalDate, UUID } from '../../../platform/scalars/scalars.js';
import { Input } from '../../../platform/input/input.js';
import { ChangedMetadata, NewMetadata } from '../../../platform/input/metadata.js';
import type { MetadataChange } from '../../../shared/metadata.js';
import { Distinct, Fits, Matches, NotCleared, Size, Text } from '../../../platform/input/rules.js';
import { BOOKED } from '../../../shared/calendar.js';
import { BANK_ID, BANK_ID_FORM } from '../../../shared/ids.js';
import { AccountType } from '../account.entity.js';
import { MAX_OWNERS, NamesAccount } from '../account.inputs.js';
import { TIME_ZONE_FORM, isTimeZone } from '../account.time-zones.js';

/** The most characters of a reason that is on the records of the bank. */
const MAX_REASON = 200;
const OPENED_ON_FORM = 'a date from 1850 to 2099, YYYY-MM-DD';
const OPENED_ON = 'The day of the opening, from 1850 to 2099; today when absent.';
const LIMIT =
  "how far below zero the available balance may go where that is checked: not negative, with no more decimal digits than the account's currency has, up to 10^15 minor units";

/** The fields that the operations of the API and the import have in common. */
@Input('A new account without its opening day and its overdraft limit.')
export class AccountDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, {
    nullable: true,
    description:
      "The bank's own id of the account, such as `demo-1001`, which no other account has; a UUID when absent.",
  })
  accountId?: string | null;

  @Field(() => AccountType, { description: 'The purpose of the money: payments, saving or a fixed term.' })
  accountType!: AccountType;

  @Field(() => Currency, { description: 'The currency of all amounts of the account.' })
  currency!: string;

  @Fits('time_zone', isTimeZone, `Must be ${TIME_ZONE_FORM}.`)
  @Field(() => String, {
    description: 'An IANA time zone, such as America/New_York.',
  })
  timeZone!: string;

  @Field(() => Boolean, { description: 'True if the account earns interest, for Forms 1099-INT.' })
  interestBearing!: boolean;

  @NewMetadata()
  metadata?: MetadataChange | null;

  @Distinct()
  @Size(1, MAX_OWNERS)
  @Field(() => [UUID], {
    description: `The owners, the primary owner first: 1 to ${MAX_OWNERS}.`,
  })
  owners!: string[];
}

@Input('A new account.')
export class AccountInput extends AccountDetails {
  @Matches(BOOKED, OPENED_ON_FORM)
  @Field(() => LocalDate, { nullable: true, description: OPENED_ON })
  openedOn?: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount by which the account may go below zero where that is checked; none when absent.',
  })
  overdraftLimit?: string | null;
}

@Input('A new account, with its overdraft limit as a JSON number.')
export class NewAccountRecord extends AccountDetails {
  @Matches(BOOKED, OPENED_ON_FORM)
  @Field(() => LocalDate, { nullable: true, description: OPENED_ON })
  openedOn?: string | null;

  @Field(() => Float, { nullable: true, description: `The overdraft limit: ${LIMIT}. None when absent.` })
  overdraftLimit?: number | null;
}

@Input('An account in the records of the bank.')
export class AccountRecord extends AccountDetails {
  @Field(() => ID)
  override accountId!: string;

  @Matches(BOOKED, OPENED_ON_FORM)
  @Field(() => LocalDate)
  openedOn!: string;

  @Field(() => Float, { nullable: true })
  overdraftLimit?: number | null;
}

@Input('Changes to an account without its overdraft limit.')
class AccountDetailsPatch {
  @NotCleared()
  @Field(() => AccountType, {
    nullable: true,
    description: 'The purpose of the money. It cannot be cleared.',
  })
  accountType?: AccountType;

  @NotCleared()
  @Fits('time_zone', isTimeZone, `Must be ${TIME_ZONE_FORM}.`)
  @Field(() => String, {
    nullable: true,
    description: 'An IANA time zone, such as America/New_York; cannot be cleared.',
  })
  timeZone?: string;

  @NotCleared()
  @Field(() => Boolean, {
    nullable: true,
    description: 'True if the account earns interest, for Forms 1099-INT. It cannot be cleared.',
  })
  interestBearing?: boolean;

  @ChangedMetadata()
  metadata?: MetadataChange | null;
}

@Input('The changes of an account.')
export class AccountPatch extends AccountDetailsPatch {
  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount by which the account may go below zero where that is checked; null for none.',
  })
  overdraftLimit?: string | null;
}

@Input('Changes to an account, with the overdraft limit as a JSON number.')
export class AccountPatchRecord extends AccountDetailsPatch {
  @Field(() => Float, { nullable: true, description: `The overdraft limit: ${LIMIT}. Null means none.` })
  overdraftLimit?: number | null;
}

/** Declares the field `reason` of a command. */
export function Reason({ nullable = false } = {}): PropertyDecorator {
  const description = `The reason, up to ${MAX_REASON} characters, such as \`Court order 2026-114\`.`;
  return (prototype, name) => {
    Text(1, MAX_REASON)(prototype, name);
    Field(() => String, { nullable, description })(prototype, name);
  };
}

@Input('The reason for a change.')
export class ReasonInput {
  @Reason()
  reason!: string;
}

@Input('The reason for a change, if there is one to give.')
export class OptionalReasonInput {
  @Reason({ nullable: true })
  reason?: string | null;
}

@Input('The account that is opened.')
export class OpenAccountInput {
  @Field(() => AccountInput, { description: 'The new account.' })
  account!: AccountInput;

  @DryRun()
  dryRun?: boolean;
}

@Input('The account that is changed, and its changes.')
export class UpdateAccountInput extends NamesAccount {
  @Field(() => AccountPatch, { description: 'The changes.' })
  patch!: AccountPatch;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('The account that is restricted.')
export class RestrictAccountInput extends NamesAccount {
  @Reason()
  reason!: string;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('The account whose restriction is lifted.')
export class UnrestrictAccountInput extends NamesAccount {
  @Reason({ nullable: true })
  reason?: string | null;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('The account that is closed.')
export class CloseAccountInput extends RestrictAccountInput {}
