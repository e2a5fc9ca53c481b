import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import type { CurrencyLimits, CustomersTo as CustomersToWord, TransferRules } from '../../shared/transfer-rules.js';

export const CustomersTo = { OWN: 'OWN', PROGRAM: 'PROGRAM' } as const;
registerEnumType(CustomersTo, {
  name: 'CustomersTo',
  description: 'The accounts to which customers may move their money.',
  valuesConfig: {
    OWN: { description: 'The accounts that they own as well.' },
    PROGRAM: {
      description: "All accounts whose owner's last name they confirm.",
    },
  },
});

@ObjectType({
  description: 'The limits of what may leave each account of a currency.',
  simpleResolvers: true,
})
export class ProgramLimits implements CurrencyLimits {
  @Field(() => Currency, { description: 'The currency of the accounts.' })
  currency!: string;

  @Field(() => Decimal, { nullable: true, description: 'The largest transfer.' })
  perTransfer!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The maximum amount of all transfers of a day.',
  })
  perDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The maximum amount of all transfers of 30 days.',
  })
  per30Days!: string | null;

  @Field(() => Int, { nullable: true, description: 'The maximum number of transfers of a day.' })
  transfersPerDay!: number | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The maximum amount of all holds of cards of a day.',
  })
  cardHoldsPerDay!: string | null;
}

@ObjectType({
  description: 'The rules of a program for transfers.',
  simpleResolvers: true,
})
export class ProgramTransfers implements TransferRules {
  @Field(() => CustomersTo, { description: 'The accounts that customers may pay to.' })
  customersTo!: CustomersToWord;

  @Field(() => [ProgramLimits], { description: 'The limits, one for each currency that has some.' })
  limits!: readonly ProgramLimits[];
}
