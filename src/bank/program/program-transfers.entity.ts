import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import type { CurrencyLimits, CustomersTo as CustomersToWord, TransferRules } from '../../shared/transfer-rules.js';

export const CustomersTo = { OWN: 'OWN', PROGRAM: 'PROGRAM' } as const;
registerEnumType(CustomersTo, {
  name: 'CustomersTo',
  description: 'To which accounts customers may move their money.',
  valuesConfig: {
    OWN: { description: 'To accounts that they own as well.' },
    PROGRAM: {
      description: "To any account whose owner's last name they confirm.",
    },
  },
});

@ObjectType({
  description: 'What may leave each account of a currency.',
  simpleResolvers: true,
})
export class ProgramLimits implements CurrencyLimits {
  @Field(() => Currency, { description: 'The currency of the accounts.' })
  currency!: string;

  @Field(() => Decimal, { nullable: true, description: 'The largest transfer.' })
  perTransfer!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The most that transfers of a day may be together.',
  })
  perDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The most that transfers of 30 days may be together.',
  })
  per30Days!: string | null;

  @Field(() => Int, { nullable: true, description: 'The most transfers of a day.' })
  transfersPerDay!: number | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'The most that holds of cards of a day may take.',
  })
  cardHoldsPerDay!: string | null;
}

@ObjectType({
  description: 'What a program allows of transfers.',
  simpleResolvers: true,
})
export class ProgramTransfers implements TransferRules {
  @Field(() => CustomersTo, { description: 'Whom customers may pay.' })
  customersTo!: CustomersToWord;

  @Field(() => [ProgramLimits], { description: 'One for each currency that has some.' })
  limits!: readonly ProgramLimits[];
}
