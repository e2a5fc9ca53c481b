import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { Derived } from '../platform/repository/declarations.js';
import { fieldNamesOf } from '../platform/repository/fields.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { Currency, DateTimeISO, Decimal } from '../platform/scalars/scalars.js';
import { decimalOf } from '../shared/money.js';

export const HoldStatus = { ACTIVE: 'ACTIVE', CAPTURED: 'CAPTURED', RELEASED: 'RELEASED', EXPIRED: 'EXPIRED' } as const;
export type HoldStatus = keyof typeof HoldStatus;
registerEnumType(HoldStatus, {
  name: 'HoldStatus',
  description: 'Whether a hold keeps money back. A hold ends once.',
  valuesConfig: {
    ACTIVE: { description: 'It keeps back what is not captured yet.' },
    CAPTURED: { description: 'It has ended: the amount was captured, or a part of it and the rest was released.' },
    RELEASED: { description: 'It has ended: what was not captured was released.' },
    EXPIRED: { description: 'It has ended: its time was over, and what was not captured was released.' },
  },
});

/** Money of an account that is kept back for a payment that has not come yet. */
@Entity({ tableName: 'hold' })
@Unique({ properties: ['accountId', 'seq'] })
// Expiry asks for the active holds of one program after the other, in the order of their ends.
@Index({
  name: 'hold_active',
  expression: `create index "hold_active" on "hold" ("program", "expires_at") where status = 'ACTIVE'`,
})
// What counts against the limit for holds of cards.
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
  description:
    'Money of an account that is kept back for a payment that is expected, such as an authorised purchase by card. It lowers the available balance, and not the posted one.',
  implements: Node,
  simpleResolvers: true,
})
export class Hold {
  @OfAccount()
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @PrimaryKey({ type: 'text' })
  @Field(() => ID, {
    description:
      'The id of the hold within its account, such as `auth-17`. It is the id of the transaction in the history that shows the hold, too.',
  })
  holdId!: string;

  @Property({ type: 'text' }) program!: string;

  /** The number of its entry in the ledger, by which holds are ordered. */
  @Property({ type: new BigIntType('number') }) seq!: number;

  @Property({ type: 'text' })
  @Field(() => Currency, { description: 'The currency of the account, such as `USD`.' })
  currency!: string;

  @Property({ type: 'bigint' }) amountMinor!: bigint;
  @Field(() => Decimal, { description: 'The amount that was held at first, such as `75.00`.' })
  @Derived(({ amountMinor, currency }: Hold) => decimalOf(amountMinor, currency))
  amount!: Opt<string>;

  @Property({ type: 'bigint' }) capturedMinor!: bigint;
  @Field(() => Decimal, { description: 'What was captured of it so far, such as `48.20`.' })
  @Derived(({ capturedMinor, currency }: Hold) => decimalOf(capturedMinor, currency))
  capturedAmount!: Opt<string>;

  @Field(() => Decimal, {
    description: 'What it keeps back now, such as `26.80`: what is not captured of an active hold; `0.00` of others.',
  })
  @Derived((hold: Hold) => decimalOf(keptBack(hold), hold.currency))
  heldAmount!: Opt<string>;

  @Property({ type: 'integer' })
  @Field(() => Int, {
    description:
      'How often something of it was captured. The transactions of its captures have the id of the hold with `-1`, `-2` and so on behind it.',
  })
  captures!: number;

  @Property({ type: 'text' })
  @Field(() => HoldStatus, { description: 'Whether it keeps money back, and how it ended.' })
  status!: HoldStatus;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The description for people, such as `Quarry Road Fuel, pump 4`.' })
  description!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'A reference for bookkeeping, such as `INV-2041`; null if there is none.',
  })
  reference!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the card that the payment is made with, such as `card-17`; null if there is none.',
  })
  cardId!: string | null;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When it was placed, such as `2026-03-31T18:05:00.000Z`.' })
  placedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, {
    description: 'When it ends if it has not ended before, such as `2026-04-07T18:05:00.000Z`.',
  })
  expiresAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'When it ended, such as `2026-04-02T09:30:00.000Z`; null if it is active.',
  })
  endedAt!: Date | null;
}

/** What a hold keeps back, in minor units. */
export function keptBack({
  status,
  amountMinor,
  capturedMinor,
}: Pick<Hold, 'status' | 'amountMinor' | 'capturedMinor'>): bigint {
  return status === 'ACTIVE' ? amountMinor - capturedMinor : 0n;
}

type HiddenHoldField = 'program' | 'seq' | 'amountMinor' | 'capturedMinor';
type Times = 'placedAt' | 'expiresAt' | 'endedAt';

/** A hold as it is shown. */
export type HoldView = Readonly<Omit<Hold, HiddenHoldField | Times>> & {
  readonly placedAt: string;
  readonly expiresAt: string;
  readonly endedAt: string | null;
};

/** A hold as it is read. */
export type HoldRead = HoldView & Readonly<Pick<Hold, HiddenHoldField>>;

/** The fields of a hold as it is shown, in their order. */
export const HOLD_FIELDS = fieldNamesOf(Hold);
