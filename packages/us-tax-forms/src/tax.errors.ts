import { Refusal } from 'tillgate/noun';

export class TaxFilingNotFound extends Refusal {
  readonly code = 'tax_filing_not_found';
  constructor() {
    super('The program has no such filing of tax forms.');
  }
}

export class TaxYearNotFound extends Refusal {
  readonly code = 'tax_year_not_found';
  constructor() {
    super('There is no such tax year. Name one of four digits, such as 2026.');
  }
}
