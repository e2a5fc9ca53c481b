import { Ctx, Extensions, Query, Resolver } from 'type-graphql';
import { Performs, type Context } from 'tillgate/noun';
import { ProgramOverview } from './overview.entity.js';
import { READ_OVERVIEW } from './overview.operations.js';
import type { OverviewService } from './overview.service.js';

/** As much as the balances of the days of an account. */
const COST = 10;

@Resolver(() => ProgramOverview)
export class OverviewResolver {
  constructor(private readonly service: OverviewService) {}

  @Performs(READ_OVERVIEW)
  @Extensions({ cost: COST })
  @Query(() => ProgramOverview, {
    nullable: true,
    description: 'The accounts, deposits, cards and volumes of the program, today and on the days before.',
  })
  programOverview(@Ctx() { caller }: Context): Promise<ProgramOverview> {
    return this.service.get(caller);
  }
}
