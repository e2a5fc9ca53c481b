import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Customer } from '../owner/owner.entity.js';
import { UPDATED_AT } from '../../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { Currency, DateTimeISO, Decimal, LocalDate } from '../../platform/scalars/scalars.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { MetadataColumn, MetadataIndex } from '../../platform/repository/metadata-column.js';
import type { Metadata } from '../../shared/metadata.js';
import { SetByDatabase, Derived, Unread } from '../../platform/repository/declarations.js';
import { decimalOf } from '../../shared/money.js';

/** The description of an argument or a field that names an account. */
export const ACCOUNT_ID = 'The id of the account, such as `demo-1001`.';

export const AccountType = {
  CHECKING: 'CHECKING',
  SAVINGS: 'SAVINGS',
  MONEY_MARKET: 'MONEY_MARKET',
  CD: 'CD',
} as const;
export type AccountType = keyof typeof AccountType;
registerEnumType(AccountType, {
  name: 'AccountType',
  description: 'The kind of a deposit account.',
  valuesConfig: {
    CHECKING: { description: 'An account for everyday payments.' },
    SAVINGS: { description: 'An account for saving, with access at any time.' },
    MONEY_MARKET: { description: 'An account with interest of the money market.' },
    CD: { description: 'A certificate of deposit, for a fixed term.' },
  },
});

export const AccountStatus = { OPEN: 'OPEN', RESTRICTED: 'RESTRICTED', CLOSED: 'CLOSED' } as const;
export type AccountStatus = keyof typeof AccountStatus;
registerEnumType(AccountStatus, {
  name: 'AccountStatus',
  description: 'The status of an account, which tells if it can be used.',
  valuesConfig: {
    OPEN: { description: 'The account is used without restriction.' },
    RESTRICTED: {
      description: 'The account gets no new holds and cards, and transfers take no money from it.',
    },
    CLOSED: {
      description: 'The account is closed for good. Its records stay until the retention of its program is over.',
    },
  },
});

/**
 * A deposit account. Operators open it, or it comes by import. It is closed once, and kept as long as its program says.
 */
@Entity({ tableName: 'account' })
@DataClasses<Account>({
  kept: 'until the retention of its program is over',
  shownAs: ['Balances'],
  internal: [
    'program',
    'accountType',
    'currency',
    'timeZone',
    'status',
    'openedOn',
    'interestBearing',
    'version',
    'updatedAt',
    'eventSeq',
    'eventHash',
    'closedAt',
    'restrictedAt',
    'limitDayFrom',
  ],
  identifier: ['accountId', 'metadata'],
  ledger: ['balanceMinor', 'heldMinor', 'overdraftLimitMinor', 'lastSeq'],
  personal: { restrictionReason: 'in the clear: operators read why an account is restricted' },
})
@Index({ properties: ['program', 'accountId'] })
@Index({ properties: ['program', 'accountType', 'status', 'accountId'] })
@Index({ properties: ['program', 'currency', 'accountType', 'status', 'accountId'] })
@Index({ properties: ['program', 'openedOn', 'accountId'] })
@MetadataIndex('account', 'program')
@Index({
  name: 'account_program_closed_at',
  expression: `create index "account_program_closed_at" on "account" ("program", "closed_at") where closed_at is not null`,
})
@Check({ name: 'account_held', expression: 'held_minor >= 0' })
@NodeKey('accountId')
@ObjectType({
  description: 'A deposit account of customers of the program.',
  implements: Node,
  simpleResolvers: true,
})
export class Account {
  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => AccountType, { description: 'The purpose of the money: payments, saving or a fixed term.' })
  accountType!: AccountType;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The currency of all amounts of the account.' })
  currency!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The IANA time zone of the days of the account, such as `America/New_York`.',
  })
  timeZone!: string;

  @Property({ type: 'text' })
  @Field(() => AccountStatus, { description: 'The status of the account, which tells if it can be used.' })
  status!: AccountStatus;

  @Property({ type: 'date' })
  @Field(() => LocalDate, {
    description: 'The day on which the account was opened.',
  })
  openedOn!: string;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, {
    description: 'True if the account earns interest, for Forms 1099-INT.',
  })
  interestBearing!: boolean;

  @MetadataColumn()
  metadata!: Opt<Metadata>;

  @SetByDatabase()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, {
    description: 'The number of changes of the account, to be sent as `expectedVersion`.',
  })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, { description: UPDATED_AT })
  updatedAt!: Opt<Date>;

  /** The posted balance, in minor units of the currency; moved only by posting. */
  @Property({ type: 'bigint', default: 0 }) balanceMinor!: Opt<bigint>;

  /** The amount that active holds keep back, in minor units. */
  @Property({ type: 'bigint', default: 0 }) heldMinor!: Opt<bigint>;

  /** The amount by which the available balance may go below zero where that is checked, in minor units. */
  @Property({ type: 'bigint', default: 0 }) overdraftLimitMinor!: Opt<bigint>;

  /** The number of the last transaction in ledger order. They have no gaps, so it is also how many there are. */
  @Property({ type: new BigIntType('number'), default: 0 }) lastSeq!: Opt<number>;

  /** The number of the account's last event. Moved only by `recording`, as the hash is. */
  @Unread()
  @Property({ type: 'bigint', default: 0 })
  eventSeq!: Opt<bigint>;

  /** The hash of the account's last event; empty where it has none. */
  @Unread()
  @Property({ type: 'blob', defaultRaw: "''" })
  eventHash!: Opt<Buffer>;

  /** When it was closed; null while it is not. The database keeps it once it is set, and sets it where it is not given. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the account was closed; null while it is not.',
  })
  closedAt!: Opt<Date> | null;

  /** When it was restricted; null unless it is. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  restrictedAt!: Opt<Date> | null;

  /** The reason that the bank gave for the restriction. Owners never see it. */
  @Property({ type: 'text', nullable: true })
  restrictionReason!: Opt<string> | null;

  /** The beginning of the day in which its time zone was last changed; null for none. Limits of days go by it. */
  @Unread()
  @Property({ type: 'datetime', length: 3, nullable: true })
  limitDayFrom!: Opt<Date> | null;

  @Field(() => Decimal, {
    description: 'The posted balance less what is held.',
  })
  @Derived(({ balanceMinor, heldMinor, currency }: Account) => decimalOf(balanceMinor - heldMinor, currency))
  availableBalance!: Opt<string>;
}

@ObjectType({ description: 'The reason and the beginning of a restriction.', simpleResolvers: true })
export class AccountRestriction {
  @Field(() => String, { description: 'The reason that the bank gave, such as `Court order 2026-114`.' })
  reason!: string;

  @Field(() => DateTimeISO, { description: 'The time at which the account was restricted.' })
  restrictedAt!: string;
}

/** The options of a relation that is part of the primary key. Neither is deleted before the row. */
const PART_OF_KEY = { primary: true, mapToPk: true, deleteRule: 'no action', updateRule: 'no action' } as const;

/** The id of the account that a row belongs to: the first part of its primary key. */
export function OfAccount(): ReturnType<typeof ManyToOne> {
  return ManyToOne(() => Account, { ...PART_OF_KEY, joinColumn: 'account_id' });
}

/** The id of a customer that a row is about, in its primary key. */
export function OfCustomer(): ReturnType<typeof ManyToOne> {
  return ManyToOne(() => Customer, { ...PART_OF_KEY, joinColumn: 'customer_id' });
}

/** The owners of an account, in the order in which they were added. The first one is the primary owner. */
@Entity({ tableName: 'account_owner' })
@DataClasses<AccountOwner>({
  kept: 'until the owner is removed, or the account is deleted',
  internal: ['position'],
  identifier: ['accountId', 'customerId'],
})
@Unique({ properties: ['accountId', 'position'] })
@Index({ properties: ['customerId', 'accountId'] })
export class AccountOwner {
  @OfAccount()
  accountId!: string;
  @OfCustomer()
  customerId!: string;
  @Property({ type: 'integer' }) position!: number;
}

type ComputedOfAccount =
  'version' | 'availableBalance' | 'balanceMinor' | 'heldMinor' | 'overdraftLimitMinor' | 'lastSeq';
type Times = 'updatedAt' | 'closedAt' | 'restrictedAt';
type WrittenApart = 'eventSeq' | 'eventHash' | 'limitDayFrom';

/** An account as it is read, only if the caller may see it. */
export type AccountView = Readonly<Omit<Account, 'program' | 'metadata' | ComputedOfAccount | Times | WrittenApart>> & {
  readonly metadata: Metadata;
  readonly version: number;
  /** Times are ISO 8601 in UTC. */
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly restrictedAt: string | null;
  readonly availableBalance: string;
  readonly balanceMinor: bigint;
  readonly heldMinor: bigint;
  readonly overdraftLimitMinor: bigint;
  /** The number of transactions. */
  readonly lastSeq: number;
};
