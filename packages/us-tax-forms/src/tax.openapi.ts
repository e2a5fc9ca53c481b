import {
  FORMS,
  answer,
  parameter,
  ref,
  type Parameter,
  type Part,
  type RestOperation as Operation,
} from 'tillgate/noun';
import { TaxFiling, TaxFilingError, TaxFilingForm } from './tax-filing.entity.js';
import { TAX_STEPS, TaxPayee, TaxReturnCount, TaxStep, TaxYear } from './tax-year.entity.js';
import { TaxFilingNotFound, TaxYearNotFound } from './tax.errors.js';
import { TaxFilingFilter, TaxPayeeFilter, TaxReturnFilter } from './tax.inputs.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const ID = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
const FILING_ID: Parameter = {
  ...parameter('path', 'filingId', 'The id of the filing, in upper or lower case.', FORMS.UUID, ID),
  unknown: () => new TaxFilingNotFound(),
};
const TAX_YEAR: Parameter = {
  ...parameter('path', 'taxYear', 'The tax year.', { type: 'string', pattern: String.raw`^(19|2\d)\d\d$` }, '2026'),
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

/** The tax years of a program as a payer of interest. */
export const taxApi: Part = {
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
    {
      of: TaxStep,
      differs: { text: { maxLength: 500 } },
      example: { code: 'FILE', text: TAX_STEPS.FILE, dueOn: '2027-03-31', isDone: false, count: 0 },
    },
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
    listTaxFilings: {
      route: 'GET /tax-filings',
      summary: 'List what was filed with the IRS',
      description: 'The filings of Forms 1099-INT of the program, the newest first, page by page.',
      of: READ_TAX_FILINGS,
      query: { input: TaxFilingFilter, examples: { taxYear: '2026' }, wrong: { taxYear: 'last' } },
      page: {
        name: 'TaxFilingPage',
        description: 'A page of the filings.',
        elements: ['taxFilings', 'The newest first.', ref('TaxFiling')],
        next: '/tax-filings?offSet=1&limit=1',
        hasNumbers: true,
      },
    },
    getTaxFiling: {
      route: 'GET /tax-filings/{filingId}',
      summary: 'Get a filing with the IRS',
      description: 'One filing.',
      of: READ_TAX_FILINGS,
      parameters: [FILING_ID],
      answers: { 200: answer('The filing.', 'TaxFiling') },
    },
    listTaxReturns: {
      route: 'GET /tax-filings/{filingId}/returns',
      summary: 'List the returns of a filing',
      description: 'The returns as the files have them, page by page, with the errors that the IRS found.',
      of: READ_TAX_FILINGS,
      parameters: [FILING_ID],
      query: { input: TaxReturnFilter, examples: { state: 'ACCEPTED' }, wrong: { state: 'LOST' } },
      page: {
        name: 'TaxReturnPage',
        description: 'A page of the returns of a filing.',
        elements: ['returns', 'As the files have them.', ref('TaxFilingForm')],
        next: `/tax-filings/${ID}/returns?offSet=1&limit=1`,
        hasNumbers: true,
      },
    },
    getTaxYear: {
      route: 'GET /tax-years/{taxYear}',
      summary: 'Get a tax year',
      description:
        'What the program must do as a payer of interest, with the days, and how many returns are in which state.',
      of: READ_TAX_FILINGS,
      parameters: [TAX_YEAR],
      answers: { 200: answer('The tax year.', 'TaxYear') },
    },
    listTaxPayees: {
      route: 'GET /tax-years/{taxYear}/payees',
      summary: 'List customers of a tax year',
      description:
        'The customers of a tax year by the lists of what the program must do as a payer of interest, page by page.',
      of: READ_TAX_FILINGS,
      parameters: [TAX_YEAR],
      query: { input: TaxPayeeFilter, examples: { list: 'POST' }, wrong: { list: 'ALL' } },
      page: {
        name: 'TaxPayeePage',
        description: 'A page of customers.',
        elements: ['payees', 'By their ids.', ref('TaxPayee')],
        next: '/tax-years/2026/payees?offSet=1&limit=1&list=POST',
        hasNumbers: true,
      },
    },
  } satisfies Readonly<Record<string, Operation>>,
};
