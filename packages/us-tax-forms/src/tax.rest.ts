import {
  FORMS,
  answer,
  ref,
  contractRecord,
  exactNumber,
  fieldNamesOf,
  pick,
  restOver,
  type RestPart,
  type PathParameter,
} from 'tillgate/noun';
import { TaxFiling, TaxFilingError, TaxFilingForm, type TaxFilingView } from './tax-filing.entity.js';
import { TAX_STEPS, TaxPayee, TaxReturnCount, TaxStep, TaxYear } from './tax-year.entity.js';
import { TaxFilingNotFound, TaxYearNotFound } from './tax.errors.js';
import { TaxFilingFilter, TaxPayeeFilter, TaxReturnQuery } from './tax.inputs.js';
import { READ_TAX_FILINGS } from './tax.operations.js';
import type { TaxFilingService } from './tax-filing.service.js';
import type { TaxYearService } from './tax-year.service.js';

const ID = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
const FILING_ID: PathParameter = {
  description: 'The id of the filing, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new TaxFilingNotFound(),
};
const TAX_YEAR: PathParameter = {
  description: 'The tax year.',
  schema: { type: 'string', pattern: String.raw`^(19|2\d)\d\d$` },
  example: '2026',
  unknown: () => new TaxYearNotFound(),
};
/** The states of filings. */
const STATES = 7;
const MAX_ERRORS = 20;
const CREATED = '2027-02-01T18:05:00.000Z';
const FILING = {
  filingId: ID,
  taxYear: 2026,
  kind: 'ORIGINAL',
  format: 'XML',
  state: 'ACCEPTED_WITH_ERRORS',
  isTest: false,
  replaces: '',
  forms: 9,
  createdAt: CREATED,
  changedAt: CREATED,
  currency: 'USD',
  interest: 1234.56,
  federalTaxWithheld: 0,
};

const FILING_FIELDS = fieldNamesOf(TaxFiling);
const RETURN_FIELDS = fieldNamesOf(TaxFilingForm);
const YEAR_FIELDS = fieldNamesOf(TaxYear);
const PAYEE_FIELDS = fieldNamesOf(TaxPayee);

interface Services {
  readonly taxFilings: TaxFilingService;
  readonly taxYears: TaxYearService;
}
const rest = restOver<Services>();

/** The tax years of a program as a payer of interest. */
export const taxRest: RestPart<Services> = {
  tag: {
    name: 'Tax filings',
    description: 'What was filed with the IRS for the program, and what it must do as a payer of interest.',
  },
  records: [
    { of: TaxFiling, example: FILING },
    {
      of: TaxFilingError,
      differs: { code: { maxLength: 100 }, message: { maxLength: 4000 } },
      example: { code: 'RECIPIENT_TIN', message: 'The name and the TIN do not match.' },
    },
    {
      of: TaxFilingForm,
      differs: { errors: { maxItems: MAX_ERRORS }, corrects: { maxLength: 200 } },
      example: {
        part: 1,
        recordId: 1,
        accountId: 'demo-1001',
        statementId: '5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60',
        corrects: '',
        isZero: false,
        currency: 'USD',
        interest: 12.33,
        state: 'ACCEPTED',
        errors: [],
      },
    },
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
  ],
  operations: {
    listTaxFilings: rest(READ_TAX_FILINGS, 'GET /tax-filings', {
      summary: 'List what was filed with the IRS',
      description: 'The filings of Forms 1099-INT of the program, the newest first, page by page.',
      query: { input: TaxFilingFilter, examples: { taxYear: '2026' } },
      page: {
        name: 'TaxFilingPage',
        description: 'A page of the filings.',
        elements: ['taxFilings', 'The newest first.', ref('TaxFiling')],
        next: '/tax-filings?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, page, query }, { taxFilings }) => taxFilings.page(caller, query.taxYear ?? null, page),
      show: filingToRest,
    }),
    getTaxFiling: rest(READ_TAX_FILINGS, 'GET /tax-filings/{filingId}', {
      summary: 'Get a filing with the IRS',
      description: 'One filing.',
      path: { filingId: FILING_ID },
      run: ({ caller, path }, { taxFilings }) => taxFilings.get(caller, path.filingId),
      answer: answer('The filing.', 'TaxFiling'),
      show: filingToRest,
    }),
    listTaxReturns: rest(READ_TAX_FILINGS, 'GET /tax-filings/{filingId}/returns', {
      summary: 'List the returns of a filing',
      description: 'The returns as the files have them, page by page, with the errors that the IRS found.',
      path: { filingId: FILING_ID },
      query: { input: TaxReturnQuery, examples: { state: 'ACCEPTED' } },
      page: {
        name: 'TaxReturnPage',
        description: 'A page of the returns of a filing.',
        elements: ['returns', 'As the files have them.', ref('TaxFilingForm')],
        next: `/tax-filings/${ID}/returns?offSet=1&limit=1`,
        hasNumbers: true,
      },
      run: ({ caller, path, page, query }, { taxFilings }) =>
        taxFilings.returnPage(caller, path.filingId, query.state ? [query.state] : null, page),
      show: one => ({ ...contractRecord(pick(one, RETURN_FIELDS)), interest: exactNumber(one.interest) }),
    }),
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
  },
};

/** Amounts are JSON numbers with all their digits. */
function filingToRest(filing: TaxFilingView): object {
  const { interest, federalTaxWithheld } = filing;
  const amounts = { interest: exactNumber(interest), federalTaxWithheld: exactNumber(federalTaxWithheld) };
  return { ...contractRecord(pick(filing, FILING_FIELDS)), ...amounts };
}

function yearOf(text: string): number {
  if (!/^(19|2\d)\d\d$/.test(text)) throw new TaxYearNotFound();
  return Number(text);
}
