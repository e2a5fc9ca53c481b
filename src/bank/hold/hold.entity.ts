import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { MetadataColumn, MetadataIndex } from '../../platform/repository/metadata-column.js';
import type { Metadata } from '../../shared/metadata.js';
import { Derived } from '../../platform/repository/declarations.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { Currency, DateTimeISO, Decimal } from '../../platform/scalars/scalars.js';
import { decimalOf } from '../../shared/money.js';
import { Renamed } from '../../platform/graphql/renamed.js';

export const HoldStatus = { ACTIVE: 'ACTIVE', CAPTURED: 'CAPTURED', RELEASED: 'RELEASED', EXPIRED: 'EXPIRED' } as const;
export type HoldStatus = keyof typeof HoldStatus;
registerEnumType(HoldStatus, {
  name: 'HoldStatus',
  description: 'The status of a hold, which ends once.',
  valuesConfig: {
    ACTIVE: { description: 'The hold keeps back what is not captured yet.' },
    CAPTURED: { description: 'The whole hold was captured, or a part, and the rest was released.' },
    RELEASED: { description: 'The hold was released, as far as it was not captured.' },
    EXPIRED: { description: 'The time of the hold was over, and what was left was released.' },
  },
});

/** Money of an account that is kept back for a payment that has not come yet. */
@Entity({ tableName: 'hold' })
@DataClasses<Hold>({
  kept: 'as long as the account',
  internal: ['program', 'seq', 'currency', 'captures', 'status', 'placedAt', 'expiresAt', 'endedAt', 'updatedAt'],
  identifier: ['accountId', 'holdId', 'cardId', 'reference', 'metadata'],
  ledger: ['amountMinor', 'capturedMinor'],
  personal: { description: 'in the clear: lists show the text of the merchant' },
})
@Unique({ properties: ['accountId', 'seq'] })
@MetadataIndex('hold', 'account_id')
// Expiry asks for the active holds of one program after the other, in the order of their ends.
@Index({
  name: 'hold_active',
  expression: `create index "hold_active" on "hold" ("program", "expires_at") where status = 'ACTIVE'`,
})
// The holds that count against the limit for holds of cards.
@Index({
  name: 'hold_of_cards',
  expression: `create index "hold_of_cards" on "hold" ("account_id", "placed_at") where card_id is not null`,
})
@Check({
  name: 'hold_amounts',
  expression: 'amount_minor > 0 and captured_minor >= 0 and captured_minor <= amount_minor',
})
@Check({ name: 'hold_ends', expression: `(status = 'ACTIVE') = (ended_at is null)` })
@NodeKey('accountId', 'holdId')
@ObjectType({
  description: 'Money kept back for an expected payment.',
  implements: Node,
  simpleResolvers: true,
})
export class Hold {
  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, {
    description: 'The id within its account, such as `auth-17`; also in the history.',
  })
  holdId!: string;

  @Property({ type: 'text' }) program!: string;

  /** The number of its entry in the ledger, by which holds are ordered. */
  @Property({ type: new BigIntType('number') }) seq!: number;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The currency of the account.' })
  currency!: string;

  @Property({ type: 'bigint' }) amountMinor!: bigint;
  @Field(() => Decimal, { description: 'The amount that was held at first.' })
  @Derived(({ amountMinor, currency }: Hold) => decimalOf(amountMinor, currency))
  amount!: Opt<string>;

  @Property({ type: 'bigint' }) capturedMinor!: bigint;
  @Field(() => Decimal, { description: 'The amount that was captured so far.' })
  @Derived(({ capturedMinor, currency }: Hold) => decimalOf(capturedMinor, currency))
  capturedAmount!: Opt<string>;

  @Field(() => Decimal, {
    description: 'The amount that the hold keeps back now: nothing once it has ended.',
  })
  @Derived((hold: Hold) => decimalOf(keptBack(hold), hold.currency))
  heldAmount!: Opt<string>;

  @Property({ type: 'integer' })
  @Field(() => Int, {
    description: 'The number of captures so far.',
  })
  @Renamed('captureCount')
  captures!: number;

  @Property({ type: 'text' })
  @Field(() => HoldStatus, { description: 'The status of the hold: active, or how it ended.' })
  status!: HoldStatus;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The description for people, such as `Quarry Road Fuel, pump 4`.' })
  description!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, such as `INV-2041`.',
  })
  reference!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The card of the payment, such as `card-17`; null without one.',
  })
  cardId!: string | null;

  @MetadataColumn()
  metadata!: Opt<Metadata>;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the hold was placed.' })
  placedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, {
    description: 'The time at which the hold ends if it has not ended before.',
  })
  expiresAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the hold ended; null while it is active.',
  })
  endedAt!: Date | null;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time of the last change: placed, captured or ended.' })
  updatedAt!: Date;
}

/** The amount that a hold keeps back, in minor units. */
export function keptBack({
  status,
  amountMinor,
  capturedMinor,
}: Pick<Hold, 'status' | 'amountMinor' | 'capturedMinor'>): bigint {
  return status === 'ACTIVE' ? amountMinor - capturedMinor : 0n;
}

type HiddenHoldField = 'program' | 'seq' | 'amountMinor' | 'capturedMinor';
type Times = 'placedAt' | 'expiresAt' | 'endedAt' | 'updatedAt';

/** A hold as it is shown. */
export type HoldView = Readonly<Omit<Hold, 'metadata' | HiddenHoldField | Times>> & {
  readonly metadata: Metadata;
  readonly placedAt: string;
  readonly expiresAt: string;
  readonly endedAt: string | null;
  readonly updatedAt: string;
};

/** A hold as it is read. */
export type HoldRead = HoldView & Readonly<Pick<Hold, HiddenHoldField>>;

/** The fields of a hold as it is shown, in their order. */
export const HOLD_FIELDS = fieldNamesOf(Hold);
