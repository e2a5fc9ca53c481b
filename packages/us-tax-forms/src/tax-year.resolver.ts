import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { CursorArgs, Performs, connectionOf, type Connection, type Context } from 'tillgate/noun';
import { TaxPayee, TaxYear } from './tax-year.entity.js';
import { TaxPayeeFilter } from './tax.inputs.js';
import type { TaxYearService } from './tax-year.service.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const TaxPayeeConnection = connectionOf<TaxPayee>(TaxPayee);

@Resolver(() => TaxYear)
export class TaxYearResolver {
  constructor(private readonly service: TaxYearService) {}

  @Performs(READ_TAX_FILINGS)
  @Query(() => TaxYear, {
    nullable: true,
    description: 'The duties of the program as a payer of interest in a tax year, with their days.',
  })
  taxYear(
    @Arg('taxYear', () => Int, { description: 'The tax year, such as 2026.' }) taxYear: number,
    @Ctx() { caller }: Context,
  ): Promise<TaxYear> {
    return this.service.get(caller, taxYear);
  }

  @Performs(READ_TAX_FILINGS)
  @FieldResolver(() => TaxPayeeConnection, {
    nullable: true,
    description: 'The customers of a list, in the order of their ids.',
  })
  payees(
    @Root() { taxYear }: TaxYear,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TaxPayeeFilter, { description: 'The list of customers.' }) { list }: TaxPayeeFilter,
    @Ctx() { caller }: Context,
  ): Connection<TaxPayee> {
    return new TaxPayeeConnection(this.service.payees(caller, taxYear, list, page));
  }
}
