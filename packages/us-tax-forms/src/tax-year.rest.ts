import {
  answer,
  contractRecord,
  exactNumber,
  fieldNamesOf,
  pick,
  ref,
  restOver,
  type PathParameter,
  type RestPart,
} from 'tillgate/noun';
import { TAX_STEPS, TaxPayee, TaxReturnCount, TaxStep, TaxYear } from './tax-year.entity.js';
import type { TaxYearService } from './tax-year.service.js';
import { TaxYearNotFound } from './tax.errors.js';
import { TaxPayeeFilter } from './tax.inputs.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const TAX_YEAR: PathParameter = {
  description: 'The tax year.',
  schema: { type: 'string', pattern: String.raw`^(19|2\d)\d\d$` },
  example: '2026',
  unknown: () => new TaxYearNotFound(),
};
/** The states of filings. */
const STATES = 7;

const YEAR_FIELDS = fieldNamesOf(TaxYear);
const PAYEE_FIELDS = fieldNamesOf(TaxPayee);

export interface TaxYearServices {
  readonly taxYears: TaxYearService;
}
const rest = restOver<TaxYearServices>();

export const taxYearRecords: NonNullable<RestPart<TaxYearServices>['records']> = [
  { of: TaxReturnCount, example: { state: 'ACCEPTED', returns: 9 } },
  { of: TaxStep, example: { code: 'FILE', dueOn: '2027-03-31', isDone: false, count: 0 } },
  {
    of: TaxYear,
    differs: { returns: { maxItems: STATES }, steps: { maxItems: Object.keys(TAX_STEPS).length } },
    example: { taxYear: 2026, forms: 9, correctedForms: 0, returns: [], steps: [] },
  },
  {
    of: TaxPayee,
    example: {
      customerId: '0000d001-0000-4000-8000-000000000000',
      accountId: 'demo-1001',
      taxStatus: 'CERTIFIED',
      taxStatusOn: '2026-02-03',
      statementId: '5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60',
      interest: 12.33,
      currency: 'USD',
      reason: '',
    },
  },
];

/** The duties of a program as a payer of interest, and about whom they are. */
export const taxYearOperations: RestPart<TaxYearServices>['operations'] = {
  getTaxYear: rest(READ_TAX_FILINGS, 'GET /tax-years/{taxYear}', {
    summary: 'Get a tax year',
    description:
      'What the program must do as a payer of interest, with the days, and how many returns are in which state.',
    path: { taxYear: TAX_YEAR },
    run: ({ caller, path }, { taxYears }) => taxYears.get(caller, yearOf(path.taxYear)),
    answer: answer('The tax year.', 'TaxYear'),
    show: year => contractRecord(pick(year, YEAR_FIELDS)),
  }),
  listTaxPayees: rest(READ_TAX_FILINGS, 'GET /tax-years/{taxYear}/payees', {
    summary: 'List customers of a tax year',
    description:
      'The customers of a tax year by the lists of what the program must do as a payer of interest, page by page.',
    path: { taxYear: TAX_YEAR },
    query: { input: TaxPayeeFilter, examples: { list: 'POST' } },
    page: {
      name: 'TaxPayeePage',
      description: 'A page of customers.',
      elements: ['payees', 'By their ids.', ref('TaxPayee')],
      next: '/tax-years/2026/payees?offSet=1&limit=1&list=POST',
      hasNumbers: true,
    },
    run: ({ caller, path, page, query }, { taxYears }) =>
      taxYears.payeePage(caller, yearOf(path.taxYear), query.list, page),
    show: payee => ({
      ...contractRecord(pick(payee, PAYEE_FIELDS)),
      interest: payee.interest === null ? '' : exactNumber(payee.interest),
    }),
  }),
};

function yearOf(text: string): number {
  if (!/^(19|2\d)\d\d$/.test(text)) throw new TaxYearNotFound();
  return Number(text);
}
