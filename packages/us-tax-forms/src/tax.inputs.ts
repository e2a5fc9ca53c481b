import { Field, Int } from 'type-graphql';
import { Between, Input, Size } from 'tillgate/noun';
import { TaxFilingState, type TaxFilingState as TaxFilingStateWord } from './tax-filing.entity.js';
import { TaxPayeeList, type TaxPayeeList as TaxPayeeListWord } from './tax-year.entity.js';

const [FIRST_YEAR, LAST_YEAR] = [1900, 2999];

@Input('The filter of the filings with the IRS.')
export class TaxFilingFilter {
  @Between(FIRST_YEAR, LAST_YEAR)
  @Field(() => Int, { nullable: true, description: 'The tax year to list, such as 2026.' })
  taxYear?: number | null;
}

@Input('The filter of the returns of a filing.')
export class TaxReturnFilter {
  @Size(1, Object.keys(TaxFilingState).length)
  @Field(() => [TaxFilingState], { nullable: true, description: 'The statuses to list.' })
  statuses?: TaxFilingStateWord[] | null;
}

@Input('The state of the returns of a filing that are listed.')
export class TaxReturnQuery {
  @Field(() => TaxFilingState, { nullable: true, description: 'The state to list.' })
  state?: TaxFilingStateWord | null;
}

@Input('The filter of the customers of a tax year.')
export class TaxPayeeFilter {
  @Field(() => TaxPayeeList, { description: 'The list, which says for what reason the customers are listed.' })
  list!: TaxPayeeListWord;
}
