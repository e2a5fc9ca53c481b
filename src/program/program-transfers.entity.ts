import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Currency, Decimal } from '../platform/scalars/scalars.js';
import type { CurrencyLimits, CustomersTo as CustomersToWord, TransferRules } from '../shared/transfer-rules.js';

export const CustomersTo = { OWN: 'OWN', PROGRAM: 'PROGRAM' } as const;
registerEnumType(CustomersTo, {
  name: 'CustomersTo',
  description: 'To which accounts customers may move money from accounts that they own.',
  valuesConfig: {
    OWN: { description: 'To accounts that they own as well.' },
    PROGRAM: {
      description: 'To any account of the program whose id they know and the last name of whose owner they confirm.',
    },
  },
});

const NO_LIMIT = 'null if there is no such limit';

@ObjectType({
  description:
    'What may leave each account of one currency, unless operators set limits for the account itself. Days are those of the account.',
  simpleResolvers: true,
})
export class ProgramLimits implements CurrencyLimits {
  @Field(() => Currency, { description: 'The currency of the accounts, such as `USD`.' })
  currency!: string;

  @Field(() => Decimal, { nullable: true, description: `The largest transfer, such as \`5000.00\`; ${NO_LIMIT}.` })
  perTransfer!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `The most that transfers of a day may be together, such as \`10000.00\`; ${NO_LIMIT}.`,
  })
  perDay!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `The most that transfers of a day and the 29 days before may be together, such as \`50000.00\`; ${NO_LIMIT}.`,
  })
  per30Days!: string | null;

  @Field(() => Int, { nullable: true, description: `The most transfers of a day, such as \`20\`; ${NO_LIMIT}.` })
  transfersPerDay!: number | null;

  @Field(() => Decimal, {
    nullable: true,
    description: `The most that holds of cards of a day may keep back and take together, such as \`2500.00\`; ${NO_LIMIT}.`,
  })
  cardHoldsPerDay!: string | null;
}

@ObjectType({
  description: 'What a program allows of transfers.',
  simpleResolvers: true,
})
export class ProgramTransfers implements TransferRules {
  @Field(() => CustomersTo, { description: 'To which accounts customers may move their money.' })
  customersTo!: CustomersToWord;

  @Field(() => [ProgramLimits], { description: 'The limits of accounts, one for each currency that has some.' })
  limits!: readonly ProgramLimits[];
}
