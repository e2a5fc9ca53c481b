import type { Opt } from '@mikro-orm/core';
import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { VERSION } from '../../platform/graphql/expected-version.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import { Renamed } from '../../platform/graphql/renamed.js';

/** The limits of an account that differ from those of its program. Null means that of the program. */
@Entity({ tableName: 'account_limit' })
@DataClasses<AccountLimit>({
  kept: 'until the account has the limits of its program again',
  shownAs: ['TransferLimits'],
  internal: ['perTransferMinor', 'perDayMinor', 'per30DaysMinor', 'transfersPerDay', 'cardHoldsPerDayMinor', 'version'],
  identifier: ['accountId'],
})
export class AccountLimit {
  @OfAccount() accountId!: string;
  @Property({ type: 'bigint', nullable: true }) perTransferMinor!: bigint | null;
  @Property({ type: 'bigint', nullable: true }) perDayMinor!: bigint | null;
  @Property({ type: 'bigint', nullable: true, fieldName: 'per_30_days_minor' }) per30DaysMinor!: bigint | null;
  @Property({ type: 'integer', nullable: true }) transfersPerDay!: number | null;
  @Property({ type: 'bigint', nullable: true }) cardHoldsPerDayMinor!: bigint | null;
  @Property({ type: 'integer', default: 1 }) version!: Opt<number>;
}

@ObjectType({
  description: 'The limits of what may leave an account, by its days, and what is left of them.',
  simpleResolvers: true,
})
export class TransferLimits {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Field(() => Currency, { description: 'The currency of the amounts.' })
  currency!: string;

  @Field(() => Int, { description: `${VERSION} It is 0 where the account never had limits of its own.` })
  version!: number;

  @Field(() => Decimal, { nullable: true, description: 'The largest transfer.' })
  perTransfer!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The maximum amount of all transfers of a day.',
  })
  perDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount that is left of `perDay`.',
  })
  remainingToday!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The maximum amount of all transfers of 30 days.',
  })
  per30Days!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount that is left of `per30Days`.',
  })
  remaining30Days!: string | null;

  @Field(() => Int, { nullable: true, description: 'The maximum number of transfers of a day.' })
  transfersPerDay!: number | null;

  @Field(() => Int, { description: 'The number of transfers that left the account today.' })
  @Renamed('todayTransferCount')
  transfersToday!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The maximum amount of all holds of cards of a day.',
  })
  cardHoldsPerDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount that is left of `cardHoldsPerDay`.',
  })
  remainingCardHoldsToday!: string | null;
}

/** The limits of an account as they are shown. */
export type TransferLimitsView = Readonly<TransferLimits>;

/** The fields of limits as they are shown, in their order. */
export const LIMIT_FIELDS = fieldNamesOf(TransferLimits);
