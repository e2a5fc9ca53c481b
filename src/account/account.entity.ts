import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { Customer } from '../owner/owner.entity.js';
import { Currency, Decimal, LocalDate } from '../platform/graphql/scalars.js';

export const AccountType = {
  CHECKING: 'CHECKING',
  SAVINGS: 'SAVINGS',
  MONEY_MARKET: 'MONEY_MARKET',
  CD: 'CD',
} as const;
export type AccountType = keyof typeof AccountType;
registerEnumType(AccountType, {
  name: 'AccountType',
  description: 'What kind of deposit account it is.',
  valuesConfig: {
    CHECKING: { description: 'For payments.' },
    SAVINGS: { description: 'For saving, payable on demand.' },
    MONEY_MARKET: { description: 'A money market deposit account.' },
    CD: { description: 'A certificate of deposit, payable at its term.' },
  },
});

export const AccountStatus = { OPEN: 'OPEN', RESTRICTED: 'RESTRICTED', CLOSED: 'CLOSED' } as const;
export type AccountStatus = keyof typeof AccountStatus;
registerEnumType(AccountStatus, {
  name: 'AccountStatus',
  description: 'Whether the account is in use.',
  valuesConfig: {
    OPEN: { description: 'In use.' },
    RESTRICTED: { description: 'The bank restricts its use.' },
    CLOSED: { description: 'No longer in use; its history stays.' },
  },
});

/** A deposit account. Comes by import, since the bank opens and closes accounts elsewhere. */
@Entity({ tableName: 'account' })
@Index({ properties: ['program', 'accountId'] })
@ObjectType({ description: 'A deposit account.', simpleResolvers: true })
export class Account {
  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: 'Identifies the account.' })
  accountId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => AccountType, { description: 'What kind of account it is.' })
  accountType!: AccountType;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The one currency of all its amounts (ISO 4217).' })
  currency!: string;

  /** IANA time zone: where the account's days begin and end. */
  @Property({ type: 'text' }) timeZone!: string;

  @Property({ type: 'text' })
  @Field(() => AccountStatus, { description: 'Whether the account is in use.' })
  status!: AccountStatus;

  @Property({ type: 'date' })
  @Field(() => LocalDate, { description: 'The day it was opened.' })
  openedOn!: string;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True when it pays interest, so that a 1099-INT may be due.' })
  interestBearing!: boolean;

  /** In minor units of the currency; moved only by posting. */
  @Property({ type: 'bigint', default: 0 }) balanceMinor!: Opt<bigint>;

  /** The number of the last transaction in ledger order. They have no gaps, so it is also how many there are. */
  @Property({ type: 'bigint', default: 0 }) lastSeq!: Opt<bigint>;

  @Field(() => Decimal, { description: 'What can be spent: the balance after the last transaction in ledger order.' })
  availableBalance!: Opt<string>;
}

/** What a row belongs to, as part of the primary key. Neither is ever deleted. */
const PART_OF_KEY = { primary: true, mapToPk: true, deleteRule: 'no action', updateRule: 'no action' } as const;

/** The id of the account that a row belongs to: the first part of its primary key. */
export function OfAccount(): ReturnType<typeof ManyToOne> {
  return ManyToOne(() => Account, { ...PART_OF_KEY, joinColumn: 'account_id' });
}

/** The id of a customer that a row is about, in its primary key. */
export function OfCustomer(): ReturnType<typeof ManyToOne> {
  return ManyToOne(() => Customer, { ...PART_OF_KEY, joinColumn: 'customer_id' });
}

/** Who owns an account, in the order they were added. The first one is the primary owner. */
@Entity({ tableName: 'account_owner' })
@Unique({ properties: ['accountId', 'position'] })
@Index({ properties: ['customerId', 'accountId'] })
export class AccountOwner {
  @OfAccount()
  accountId!: string;
  @OfCustomer()
  customerId!: string;
  @Property({ type: 'integer' }) position!: number;
}

/** An account as it is read: without the change tracking of an entity, and only if the caller may see it. */
export type AccountView = Readonly<
  Pick<
    Account,
    | 'accountId'
    | 'accountType'
    | 'currency'
    | 'timeZone'
    | 'status'
    | 'openedOn'
    | 'interestBearing'
    | 'availableBalance'
  >
> & { readonly balanceMinor: bigint; readonly lastSeq: number };
