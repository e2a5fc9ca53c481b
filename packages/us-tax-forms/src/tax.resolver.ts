import { Arg, Args, Ctx, Field, FieldResolver, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import {
  CursorArgs,
  Payload,
  Performs,
  UuidArg,
  Writer,
  atPointer,
  connectionOf,
  payloadOf,
  type Caller,
  type Connection,
  type Context,
} from 'tillgate/noun';
import {
  TaxFiling,
  TaxFilingForm,
  TaxTransmission,
  type TaxFilingFormView,
  type TaxFilingView,
} from './tax-filing.entity.js';
import {
  AcknowledgeTaxFilingInput,
  FILING_ID,
  MarkTaxFilingInput,
  StartTaxFilingInput,
  TaxFilingFilter,
  TaxReturnFilter,
} from './tax.inputs.js';
import type { TaxFilingService } from './tax-filing.service.js';
import { ACKNOWLEDGE_TAX_FILING, MARK_TAX_FILING, READ_TAX_FILINGS, START_TAX_FILING } from './tax.operations.js';

const TaxFilingConnection = connectionOf<TaxFilingView>(TaxFiling);
const TaxFilingFormConnection = connectionOf<TaxFilingFormView>(TaxFilingForm);

const AcknowledgeTaxFilingPayload = payloadOf<TaxFilingView>(
  'acknowledgeTaxFiling',
  'taxFiling',
  TaxFiling,
  'The filing whose file was answered.',
);
const MarkTaxFilingPayload = payloadOf<TaxFilingView>(
  'markTaxFiling',
  'taxFiling',
  TaxFiling,
  'The filing with its outcome.',
);

@ObjectType({ description: 'The result of `startTaxFiling`.', simpleResolvers: true })
export class StartTaxFilingPayload extends Payload {
  constructor(caller: Caller, taxFilings: TaxFilingView[]) {
    super(caller);
    this.taxFilings = taxFilings;
  }

  @Field(() => [TaxFiling], {
    description: 'The drafts, one or two, whose files are being written. One with nothing to file is deleted.',
  })
  readonly taxFilings: TaxFilingView[];
}

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
    @UuidArg('filingId', { description: FILING_ID })
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

  @Performs(START_TAX_FILING)
  @Mutation(() => StartTaxFilingPayload, {
    nullable: true,
    description:
      'Files the returns of a tax year: originals and corrections, or what replaces rejected files. It takes the place of filings that were not sent.',
  })
  async startTaxFiling(
    @Writer() caller: Caller,
    @Arg('input', () => StartTaxFilingInput) input: StartTaxFilingInput,
  ): Promise<StartTaxFilingPayload> {
    return new StartTaxFilingPayload(caller, await atPointer('/input', this.service.start(caller, input)));
  }

  @Performs(ACKNOWLEDGE_TAX_FILING)
  @Mutation(() => AcknowledgeTaxFilingPayload, {
    nullable: true,
    description: 'Keeps what the IRS answered to a file.',
  })
  async acknowledgeTaxFiling(
    @Writer() caller: Caller,
    @Arg('input', () => AcknowledgeTaxFilingInput) { answer }: AcknowledgeTaxFilingInput,
  ): Promise<Payload> {
    return new AcknowledgeTaxFilingPayload(caller, await this.service.acknowledge(caller, answer, '/input/answer'));
  }

  @Performs(MARK_TAX_FILING)
  @Mutation(() => MarkTaxFilingPayload, {
    nullable: true,
    description: 'Keeps what the IRIS Taxpayer Portal says of all files of a filing.',
  })
  async markTaxFiling(
    @Writer() caller: Caller,
    @Arg('input', () => MarkTaxFilingInput) { key, outcome, receiptId = null }: MarkTaxFilingInput,
  ): Promise<Payload> {
    return new MarkTaxFilingPayload(caller, await this.service.mark(caller, key.filingId, outcome, receiptId));
  }
}
