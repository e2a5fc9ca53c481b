import { ValidateBy, type ValidationArguments } from 'class-validator';
import { Field, ID } from 'type-graphql';
import { Currency, LocalDate, UUID } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { Matches, Size, type Rule } from '../platform/input/rules.js';
import { AccountType } from './account.entity.js';

/** The same as `AccountService` looks for. */
const ACCOUNT_ID = /^[\x21-\x7e]{1,64}$/;
/** The same as `OwnershipService` allows. */
const MAX_OWNERS = 100;
/** A day that PostgreSQL can store, in a century that makes sense. */
const OPENED_ON = /^(18[5-9]|19\d|20\d)\d-/;

// With a slash, since short names such as EST mean one zone to Node and another to PostgreSQL.
const ZONE_NAME = /^(UTC|(?!SystemV)[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;
/** Asking costs some microseconds. There are a few hundred, in whatever case they are written. */
const knownZones = new Set<string>();

/** An IANA time zone: where the account's days begin and end. */
function TimeZone(): Rule {
  return ValidateBy({
    name: 'time_zone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => 'Must be an IANA time zone, such as America/New_York or UTC.',
    },
  });
}

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

function listOf(args: ValidationArguments | undefined): unknown[] {
  return Array.isArray(args?.value) ? args.value : [];
}

/** No element twice. */
function Distinct(): Rule {
  // Elements that have no value here were misshapen, and told as such.
  const repeated = (list: unknown[]): number => list.findIndex((item, index) => item !== undefined && list.indexOf(item) < index);
  return ValidateBy({
    name: 'distinct',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && repeated(value) === -1,
      defaultMessage: args => `Must have no element twice; number ${repeated(listOf(args)) + 1} is there before.`,
    },
  });
}

@Input('An account as the bank has it.')
export class AccountRecord {
  @Matches(ACCOUNT_ID, '1 to 64 visible ASCII characters')
  @Field(() => ID)
  accountId!: string;

  @Field(() => AccountType)
  accountType!: AccountType;

  @Field(() => Currency)
  currency!: string;

  @TimeZone()
  @Field(() => String)
  timeZone!: string;

  @Field(() => Boolean)
  interestBearing!: boolean;

  @Matches(OPENED_ON, 'a date from 1850 to 2099')
  @Field(() => LocalDate)
  openedOn!: string;

  @Distinct()
  @Size(1, MAX_OWNERS)
  @Field(() => [UUID])
  owners!: string[];
}
