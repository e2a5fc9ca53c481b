import { Field, Int } from 'type-graphql';
import { Between, Input, Size } from 'tillgate/noun';
import { TaxFilingState, type TaxFilingState as TaxFilingStateWord } from './tax-filing.entity.js';
import { TaxPayeeList, type TaxPayeeList as TaxPayeeListWord } from './tax-year.entity.js';

const [FIRST_YEAR, LAST_YEAR] = [1900, 2999];

@Input('Which filings with the IRS.')
export class TaxFilingFilter {
  @Between(FIRST_YEAR, LAST_YEAR)
  @Field(() => Int, { nullable: true, description: 'Only those of this tax year, such as 2026.' })
  taxYear?: number | null;
}

@Input('Which returns of a filing.')
export class TaxReturnFilter {
  @Size(1, Object.keys(TaxFilingState).length)
  @Field(() => [TaxFilingState], { nullable: true, description: 'Only those with one of these statuses.' })
  statuses?: TaxFilingStateWord[] | null;
}

@Input('The state of the returns of a filing that are listed.')
export class TaxReturnQuery {
  @Field(() => TaxFilingState, { nullable: true, description: 'Only those in this state.' })
  state?: TaxFilingStateWord | null;
}

@Input('Which customers of a tax year.')
export class TaxPayeeFilter {
  @Field(() => TaxPayeeList, { description: 'Why they are listed.' })
  list!: TaxPayeeListWord;
}
