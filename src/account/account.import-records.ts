import { Field, ID } from 'type-graphql';
import { Currency, LocalDate, UUID } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { Distinct, Fits, Matches, Size } from '../platform/input/rules.js';
import { AccountType } from './account.entity.js';
import { MAX_OWNERS } from './account.inputs.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';

/** A day that PostgreSQL can store, in a century that makes sense. */
const OPENED_ON = /^(18[5-9]|19\d|20\d)\d-/;

// With a slash, since short names such as EST mean one zone to Node and another to PostgreSQL.
const ZONE_NAME = /^(UTC|(?!SystemV)[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;
/** Asking costs some microseconds. There are a few hundred, in whatever case they are written. */
const knownZones = new Set<string>();

function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  if (knownZones.has(name)) return true;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
}

@Input('An account in the records of the bank.')
export class AccountRecord {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID)
  accountId!: string;

  @Field(() => AccountType)
  accountType!: AccountType;

  @Field(() => Currency)
  currency!: string;

  @Fits('time_zone', isTimeZone, 'Must be an IANA time zone, such as America/New_York or UTC.')
  @Field(() => String)
  timeZone!: string;

  @Field(() => Boolean)
  interestBearing!: boolean;

  @Matches(OPENED_ON, 'a date from 1850 to 2099, YYYY-MM-DD')
  @Field(() => LocalDate)
  openedOn!: string;

  @Distinct()
  @Size(1, MAX_OWNERS)
  @Field(() => [UUID])
  owners!: string[];
}
