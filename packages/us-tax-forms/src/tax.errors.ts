import { InvalidInput, refusalsOf } from 'tillgate/noun';

/** Codes about filings and tax years. */
export const TAX_PROBLEMS = {
  tax_filing_not_found: [
    'not_found',
    'The program has no such filing of tax forms.',
    'List the filings (`GET /tax-filings` or `taxFilings`) and use an id of that list.',
  ],
  tax_filing_not_current: [
    'conflict',
    'The filing has no files that go to the IRS: they are being written, or another filing took its place.',
    'Read the filing (`GET /tax-filings/{filingId}` or `taxFiling`), and use the one that is `EXPORTED` or later.',
  ],
  tax_filing_unanswered: [
    'conflict',
    'The IRS has not answered the last filing, so nothing else can be filed.',
    'Hand over the answer of the IRS first (`POST /tax-answers` or `acknowledgeTaxFiling`).',
  ],
  tax_answer_unknown: [
    'not_found',
    'The answer names no file that was made for the program.',
    'Upload the answer as the IRS gave it, to the program whose returns it is about.',
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

export class TaxFilingNotCurrent extends OwnRefusal {
  readonly code = 'tax_filing_not_current';
  constructor() {
    super('The filing has no files to send: they are still being written, or another filing took its place.');
  }
}

export class TaxFilingUnanswered extends OwnRefusal {
  readonly code = 'tax_filing_unanswered';
  constructor(filingId: string) {
    super(`The IRS has not answered filing ${filingId}. Hand over its answer first.`);
  }
}

export class TaxAnswerUnknown extends OwnRefusal {
  readonly code = 'tax_answer_unknown';
  constructor() {
    super('The answer names no file that was made here for this program.');
  }
}

export class TaxYearNotFound extends OwnRefusal {
  readonly code = 'tax_year_not_found';
  constructor() {
    super('There is no such tax year. Name one of four digits, such as 2026.');
  }
}

export class UnfitAnswer extends InvalidInput {
  constructor(detail: string, pointer: string) {
    super('rule_broken', [{ pointer, code: 'format', detail }]);
  }
}
