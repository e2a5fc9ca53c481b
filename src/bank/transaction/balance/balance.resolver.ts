import { Arg, Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../../account/account.entity.js';
import type { Context } from '../../../platform/graphql/context.js';
import { Decimal, LocalDate } from '../../../platform/scalars/scalars.js';
import { FROM, MAX_DAYS, TO } from './balance.inputs.js';
import type { BalanceService } from './balance.service.js';
import { DailyBalance } from './daily-balance.entity.js';
import { READ_TRANSACTIONS } from '../transaction.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

/** A day takes as long as a record of a list; all days of a year take as long as so many records. */
const COST_OF_DAYS = 10;

@Resolver(() => Account)
export class BalanceResolver {
  constructor(private readonly balances: BalanceService) {}

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: 'The balance of what was posted up to the end of a day, whenever it was sent.',
  })
  @Extensions({ cost: 1 })
  balanceOn(
    @Root() account: AccountView,
    @Arg('date', () => LocalDate, { description: "The day in the account's time zone." }) date: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    return this.balances.at(caller, account, date);
  }

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => [DailyBalance], {
    nullable: true,
    description: `The balances at the ends of at most ${MAX_DAYS} days, as \`balanceOn\` returns them.`,
  })
  @Extensions({ cost: COST_OF_DAYS })
  dailyBalances(
    @Root() account: AccountView,
    @Arg('from', () => LocalDate, { description: FROM }) from: string,
    @Arg('to', () => LocalDate, { description: TO }) to: string,
    @Ctx() { caller }: Context,
  ): Promise<DailyBalance[]> {
    return this.balances.between(caller, account, from, to);
  }
}
