import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ACCOUNT_ID, OfAccount } from '../account/account.entity.js';
import { fieldNamesOf } from '../platform/repository/fields.js';
import { Decimal } from '../platform/scalars/scalars.js';

/** The limits of an account that differ from those of its program. Null means that of the program. */
@Entity({ tableName: 'account_limit' })
export class AccountLimit {
  @OfAccount() accountId!: string;
  @Property({ type: 'bigint', nullable: true }) perTransferMinor!: bigint | null;
  @Property({ type: 'bigint', nullable: true }) perDayMinor!: bigint | null;
  @Property({ type: 'bigint', nullable: true, fieldName: 'per_30_days_minor' }) per30DaysMinor!: bigint | null;
  @Property({ type: 'integer', nullable: true }) transfersPerDay!: number | null;
  @Property({ type: 'bigint', nullable: true }) cardHoldsPerDayMinor!: bigint | null;
}

const NONE = 'null if there is no such limit';

@ObjectType({
  description:
    'What may leave an account: the limits of its program, or its own where operators set them, and what is left of them. Days are those of the account; a reversed transfer does not count.',
  simpleResolvers: true,
})
export class TransferLimits {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Field(() => Decimal, { nullable: true, description: `The largest transfer, such as \`5000.00\`; ${NONE}.` })
  perTransfer!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `The most that transfers of a day may be together, such as \`10000.00\`; ${NONE}.`,
  })
  perDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `What is left of \`perDay\` today, such as \`9750.00\`; ${NONE}.`,
  })
  remainingToday!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `The most that transfers of today and the 29 days before may be together, such as \`50000.00\`; ${NONE}.`,
  })
  per30Days!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `What is left of \`per30Days\`, such as \`42000.00\`; ${NONE}.`,
  })
  remaining30Days!: string | null;

  @Field(() => Int, { nullable: true, description: `The most transfers of a day, such as \`20\`; ${NONE}.` })
  transfersPerDay!: number | null;

  @Field(() => Int, { description: 'How many transfers left the account today, such as `1`.' })
  transfersToday!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: `The most that holds of cards of a day may keep back and take together, such as \`2500.00\`; ${NONE}.`,
  })
  cardHoldsPerDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `What is left of \`cardHoldsPerDay\` today, such as \`2455.10\`; ${NONE}.`,
  })
  remainingCardHoldsToday!: string | null;
}

/** The limits of an account as they are shown. */
export type TransferLimitsView = Readonly<TransferLimits>;

/** The fields of limits as they are shown, in their order. */
export const LIMIT_FIELDS = fieldNamesOf(TransferLimits);
