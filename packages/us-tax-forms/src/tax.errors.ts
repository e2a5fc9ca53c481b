import { refusalsOf } from 'tillgate/noun';

/** Codes about filings and tax years. */
export const TAX_PROBLEMS = {
  tax_filing_not_found: [
    'not_found',
    'The program has no such filing of tax forms.',
    'List the filings (`GET /tax-filings` or `taxFilings`) and use an id of that list.',
  ],
  tax_year_not_found: ['not_found', 'There is no such tax year.', 'Name a tax year of four digits, such as 2026.'],
} as const;

const OwnRefusal = refusalsOf(TAX_PROBLEMS);

export class TaxFilingNotFound extends OwnRefusal {
  readonly code = 'tax_filing_not_found';
  constructor() {
    super('The program has no such filing of tax forms.');
  }
}

export class TaxYearNotFound extends OwnRefusal {
  readonly code = 'tax_year_not_found';
  constructor() {
    super('There is no such tax year. Name one of four digits, such as 2026.');
  }
}
