import { Field, ObjectType } from 'type-graphql';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import { decimalOf } from '../../shared/money.js';
import type { AccountView } from './account.entity.js';

@ObjectType({
  description: 'The balances of one moment: `available` is `posted` less `held`.',
  simpleResolvers: true,
})
export class Balances {
  @Field(() => Currency, { description: 'The currency of the amounts, which is that of the account.' })
  currency!: string;

  @Field(() => Decimal, {
    description: 'The balance after the last transaction in ledger order.',
  })
  posted!: string;

  @Field(() => Decimal, {
    description: 'The amount that can be used without the overdraft; below zero when overdrawn.',
  })
  available!: string;

  @Field(() => Decimal, {
    description: 'The amount that active holds, and transfers that wait for an approval, keep back.',
  })
  held!: string;

  @Field(() => Decimal, {
    description: 'The amount by which `available` may go below zero where that is checked.',
  })
  overdraftLimit!: string;
}

export function balancesOf(account: AccountView): Balances {
  const { availableBalance, balanceMinor, heldMinor, overdraftLimitMinor, currency } = account;
  return {
    currency,
    posted: decimalOf(balanceMinor, currency),
    available: availableBalance,
    held: decimalOf(heldMinor, currency),
    overdraftLimit: decimalOf(overdraftLimitMinor, currency),
  };
}
