import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { CursorArgs, Performs, UuidArg, connectionOf, type Connection, type Context } from 'tillgate/noun';
import {
  TaxFiling,
  TaxFilingForm,
  TaxTransmission,
  type TaxFilingFormView,
  type TaxFilingView,
} from './tax-filing.entity.js';
import { TaxFilingFilter, TaxReturnFilter } from './tax.inputs.js';
import type { TaxFilingService } from './tax-filing.service.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const TaxFilingConnection = connectionOf<TaxFilingView>(TaxFiling);
const TaxFilingFormConnection = connectionOf<TaxFilingFormView>(TaxFilingForm);

@Resolver(() => TaxFiling)
export class TaxFilingResolver {
  constructor(private readonly service: TaxFilingService) {}

  @Performs(READ_TAX_FILINGS)
  @Query(() => TaxFilingConnection, {
    nullable: true,
    description: 'The filings of the program with the IRS, the newest first.',
  })
  taxFilings(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TaxFilingFilter, {
      nullable: true,
      description: 'The filter of the list, which has all elements without it.',
    })
    filter: TaxFilingFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<TaxFilingView> {
    return new TaxFilingConnection(this.service.list(caller, filter?.taxYear ?? null, page));
  }

  @Performs(READ_TAX_FILINGS)
  @Query(() => TaxFiling, {
    nullable: true,
    description: 'The filing of the program with this id; null if there is none.',
  })
  taxFiling(
    @UuidArg('filingId', {
      description: 'The id of the filing, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`.',
    })
    filingId: string,
    @Ctx() { caller }: Context,
  ): Promise<TaxFilingView | null> {
    return this.service.find(caller, filingId);
  }

  @Performs(READ_TAX_FILINGS)
  @FieldResolver(() => [TaxTransmission], { nullable: true, description: 'The files of the filing, in their order.' })
  transmissions(@Root() filing: TaxFilingView, @Ctx() { caller }: Context): Promise<TaxTransmission[]> {
    return this.service.transmissions(caller, filing);
  }

  @Performs(READ_TAX_FILINGS)
  @FieldResolver(() => TaxFilingFormConnection, { nullable: true, description: 'The returns, as the files have them.' })
  returns(
    @Root() filing: TaxFilingView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TaxReturnFilter, {
      nullable: true,
      description: 'The filter of the list, which has all elements without it.',
    })
    filter: TaxReturnFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<TaxFilingFormView> {
    return new TaxFilingFormConnection(this.service.returns(caller, filing, filter?.statuses ?? null, page));
  }
}
