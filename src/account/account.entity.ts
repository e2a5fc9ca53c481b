import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Customer } from '../owner/owner.entity.js';
import { VERSION } from '../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { Currency, Decimal, LocalDate } from '../platform/scalars/scalars.js';
import { SetByDatabase, Derived, Unread } from '../platform/repository/declarations.js';
import { decimalOf } from '../shared/money.js';

/** How the schema describes an argument or a field that names an account. */
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
    CHECKING: { description: 'For everyday payments.' },
    SAVINGS: { description: 'For saving; the money is available at any time.' },
    MONEY_MARKET: { description: 'Pays interest that follows the money market; the money is available at any time.' },
    CD: { description: 'Certificate of deposit: the money stays until the end of its term.' },
  },
});

export const AccountStatus = { OPEN: 'OPEN', RESTRICTED: 'RESTRICTED', CLOSED: 'CLOSED' } as const;
export type AccountStatus = keyof typeof AccountStatus;
registerEnumType(AccountStatus, {
  name: 'AccountStatus',
  description: 'Whether an account can be used.',
  valuesConfig: {
    OPEN: { description: 'The account can be used without restriction.' },
    RESTRICTED: {
      description:
        'The bank restricts its use: it gets no holds and no new cards, and no transfer takes money from it. Transactions can still be posted.',
    },
    CLOSED: {
      description:
        'Closed for good: it gets no transactions, holds, cards, owners and beneficiaries any more. The history and the documents stay available.',
    },
  },
});

/** A deposit account. Operators open it, or it comes by import; it is closed once and never deleted. */
@Entity({ tableName: 'account' })
@Index({ properties: ['program', 'accountId'] })
@Check({ name: 'account_held', expression: 'held_minor >= 0' })
@NodeKey('accountId')
@ObjectType({
  description: 'A deposit account of customers of the program. Operators open, restrict and close it.',
  implements: Node,
  simpleResolvers: true,
})
export class Account {
  @PrimaryKey({ type: 'text' })
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => AccountType, { description: 'What the money is for: payments, saving or a fixed term.' })
  accountType!: AccountType;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The one currency of all its amounts (ISO 4217), such as `USD`.' })
  currency!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The IANA time zone in which the days of the account begin and end, such as `America/New_York`.',
  })
  timeZone!: string;

  @Property({ type: 'text' })
  @Field(() => AccountStatus, { description: 'Whether the account can be used.' })
  status!: AccountStatus;

  @Property({ type: 'date' })
  @Field(() => LocalDate, {
    description: 'The day on which the account was opened, such as `2024-02-29`.',
  })
  openedOn!: string;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, {
    description: 'True when the account earns interest, so that a Form 1099-INT may be due for a year.',
  })
  interestBearing!: boolean;

  @SetByDatabase()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, {
    description: `${VERSION} Opening, changing, restricting and closing the account count; postings, holds and changes of its owners do not.`,
  })
  version!: Opt<number>;

  /** What is posted, in minor units of the currency; moved only by posting. */
  @Property({ type: 'bigint', default: 0 }) balanceMinor!: Opt<bigint>;

  /** What active holds keep back, in minor units. */
  @Property({ type: 'bigint', default: 0 }) heldMinor!: Opt<bigint>;

  /** How far below zero the available balance may go where that is checked, in minor units. */
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

  @Field(() => Decimal, {
    description:
      "The available balance in the account's currency, such as `15721.99`: the balance after the last transaction in ledger order, less what holds keep back. Below zero when overdrawn.",
  })
  @Derived(({ balanceMinor, heldMinor, currency }: Account) => decimalOf(balanceMinor - heldMinor, currency))
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

type ComputedOfAccount =
  'version' | 'availableBalance' | 'balanceMinor' | 'heldMinor' | 'overdraftLimitMinor' | 'lastSeq';
type EndOfChain = 'eventSeq' | 'eventHash';

/** An account as it is read, only if the caller may see it. */
export type AccountView = Readonly<Omit<Account, 'program' | ComputedOfAccount | EndOfChain>> & {
  readonly version: number;
  readonly availableBalance: string;
  readonly balanceMinor: bigint;
  readonly heldMinor: bigint;
  readonly overdraftLimitMinor: bigint;
  /** How many transactions there are. */
  readonly lastSeq: number;
};
