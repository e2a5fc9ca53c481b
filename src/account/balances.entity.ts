import { Field, ObjectType } from 'type-graphql';
import { Decimal } from '../platform/scalars/scalars.js';
import { decimalOf } from '../shared/money.js';
import type { AccountView } from './account.entity.js';

@ObjectType({
  description:
    "The balances of an account at one moment, in the account's currency: `available` is `posted` less `held`.",
  simpleResolvers: true,
})
export class Balances {
  @Field(() => Decimal, {
    description: 'What is posted, such as `15721.99`: the balance after the last transaction in ledger order.',
  })
  posted!: string;

  @Field(() => Decimal, {
    description:
      'What can be used, such as `15646.99`. Below zero when overdrawn. The overdraft limit is not part of it.',
  })
  available!: string;

  @Field(() => Decimal, { description: 'What active holds keep back, such as `75.00`.' })
  held!: string;

  @Field(() => Decimal, {
    description: 'How far below zero `available` may go where that is checked, such as `500.00`.',
  })
  overdraftLimit!: string;
}

export function balancesOf(account: AccountView): Balances {
  const { availableBalance, balanceMinor, heldMinor, overdraftLimitMinor, currency } = account;
  return {
    posted: decimalOf(balanceMinor, currency),
    available: availableBalance,
    held: decimalOf(heldMinor, currency),
    overdraftLimit: decimalOf(overdraftLimitMinor, currency),
  };
}
