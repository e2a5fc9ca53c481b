import {
  FORMS,
  always,
  answer,
  ref,
  contractRecord,
  exactNumber,
  list,
  record,
  fieldNamesOf,
  callerOf,
  exchangeOf,
  expressOver,
  pick,
  readDocument,
  restOver,
  sendStream,
  unitsOfFile,
  type RestPart,
  type PathParameter,
} from 'tillgate/noun';
import { TaxFiling, TaxFilingError, TaxFilingForm, TaxTransmission, type TaxFilingView } from './tax-filing.entity.js';
import { MAX_FILES, type TaxFilingService } from './tax-filing.service.js';
import { taxYearOperations, taxYearRecords, type TaxYearServices } from './tax-year.rest.js';
import { TaxFilingNotFound, UnfitAnswer } from './tax.errors.js';
import { MAX_ANSWER_BYTES } from './filing/acknowledgement.js';
import { TaxFilingFilter, StartTaxFilingInput, TaxFilingOutcomeInput, TaxReturnQuery } from './tax.inputs.js';
import {
  ACKNOWLEDGE_TAX_FILING,
  DOWNLOAD_TAX_FILE,
  MARK_TAX_FILING,
  READ_TAX_FILINGS,
  START_TAX_FILING,
} from './tax.operations.js';

const ID = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
const FILING_ID: PathParameter = {
  description: 'The id of the filing, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new TaxFilingNotFound(),
};
const PART: PathParameter = {
  description: 'The number of the file in the filing, from 1.',
  schema: { type: 'string', pattern: String.raw`^[1-9]\d{0,3}$` },
  example: '1',
  unknown: () => new TaxFilingNotFound(),
};
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

const FILE = {
  part: 1,
  transmissionId: `${ID}:IRIS:ABC12::A`,
  receiptId: '',
  state: 'EXPORTED',
  forms: 9,
  fileName: '1099-int-2026-original-7c0d5b1e-1.xml',
  downloadPath: `/tax-filings/${ID}/files/1`,
  errors: [],
};
const ORDER = {
  taxYear: 2026,
  transmitter: {
    tcc: 'ABC12',
    softwareId: '26A0000001',
    taxId: '98-7654321',
    name: 'Harbor Filing Service',
    address: { line1: '3 Quay Street', city: 'Port Ambergill', state: 'OR', postalCode: '97000' },
    contact: { name: 'Pat Quill', email: 'tax@bank.example', telephone: '+1 503 555 0199' },
  },
};

// The beginnings of files, since whole ones have a page of elements or columns.
const ACKNOWLEDGEMENT = `<?xml version="1.0"?><IRSubmissionAck><UniqueTransmissionId>${FILE.transmissionId}</UniqueTransmissionId><ReceiptId>2027-1234</ReceiptId><TransmissionStatusCd>Accepted</TransmissionStatusCd></IRSubmissionAck>`;
const TRANSMISSION = `<?xml version="1.0" encoding="UTF-8"?><IRTransmission><IRTransmissionManifest><UniqueTransmissionId>${FILE.transmissionId}</UniqueTransmissionId></IRTransmissionManifest></IRTransmission>`;
const PORTAL_FILE = 'Recipient Taxpayer ID Number,Box 1 Interest income\r\n000-00-0000,1234.56\r\n';

const FILE_NAME = always(
  'The name of the file.',
  { pattern: '^attachment; filename="[a-z0-9.-]+"$' },
  `attachment; filename="${FILE.fileName}"`,
);
const FILE_FIELDS = fieldNamesOf(TaxTransmission);
const FILING_FIELDS = fieldNamesOf(TaxFiling);
const RETURN_FIELDS = fieldNamesOf(TaxFilingForm);

interface Services extends TaxYearServices {
  readonly taxFilings: TaxFilingService;
}
const rest = restOver<Services>();
const express = expressOver<Services>();

/** The tax years of a program as a payer of interest. */
export const taxRest: RestPart<Services> = {
  tag: {
    name: 'Tax filings',
    description: 'What was filed with the IRS for the program, and what it must do as a payer of interest.',
  },
  records: [
    { of: TaxFiling, example: FILING },
    {
      of: TaxTransmission,
      differs: {
        transmissionId: { maxLength: 100 },
        receiptId: { maxLength: 100 },
        fileName: { maxLength: 100 },
        downloadPath: { maxLength: 100 },
        errors: { maxItems: MAX_ERRORS },
      },
      example: FILE,
    },
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
    ...taxYearRecords,
  ],
  schemas: {
    TaxFilingStart: record('The filings that were begun.', {
      taxFilings: list(ref('TaxFiling'), 'The drafts.', 2),
    }),
    TaxFileList: record('The files of a filing.', {
      files: list(ref('TaxTransmission'), 'In their order.', MAX_FILES),
    }),
  },
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
    startTaxFiling: rest(START_TAX_FILING, 'POST /tax-filings', {
      summary: 'File the returns of a tax year',
      description:
        'Files the returns that were not filed before, and corrections of those that the IRS accepted; or what replaces files that it rejected. The filings take the place of those that were not sent. The answer has the drafts, whose files are being written; one with nothing to file is deleted.',
      body: {
        description: 'The returns, and the way in which they get to the IRS.',
        input: StartTaxFilingInput,
        example: ORDER,
      },
      run: async ({ caller, body }, { taxFilings }) => ({ taxFilings: await taxFilings.start(caller, body) }),
      created: {
        at: ({ taxFilings: [first] }) => `/tax-filings/${first?.filingId ?? ''}`,
        example: `/tax-filings/${ID}`,
      },
      answer: answer('The drafts.', 'TaxFilingStart', { taxFilings: [{ ...FILING, state: 'DRAFT' }] }),
      show: ({ taxFilings }) => ({ taxFilings: taxFilings.map(filingToRest) }),
    }),
    acknowledgeTaxFiling: express(ACKNOWLEDGE_TAX_FILING, 'POST /tax-answers', {
      summary: 'Hand over an answer of the IRS',
      description:
        'Keeps what the IRS answered to a file: its receipt, the state of the returns, and the errors of each. Values of returns that the IRS repeats are not kept.',
      body: {
        description: `The acknowledgement or the receipt in XML, up to ${MAX_ANSWER_BYTES / 1024 / 1024} MiB.`,
        content: { 'application/xml': { example: ACKNOWLEDGEMENT } },
      },
      answers: { 200: answer('The filing whose file was answered.', 'TaxFiling', FILING) },
      refusals: () => [new UnfitAnswer('Is not well-formed XML, so it is not an acknowledgement.', '')],
      handle: async (req, res, { taxFilings }) => {
        const document = await readDocument(req, ['application/xml', 'text/xml'], MAX_ANSWER_BYTES);
        // The document is the whole body, so its pointer is the empty one (RFC 6901, section 5).
        res.json(filingToRest(await taxFilings.acknowledge(callerOf(req), document, '')));
      },
    }),
    markTaxFiling: rest(MARK_TAX_FILING, 'POST /tax-filings/{filingId}/outcome', {
      summary: 'Tell what the portal of the IRS said',
      description: 'Keeps what the IRIS Taxpayer Portal says on its pages of all files of a filing.',
      path: { filingId: FILING_ID },
      body: {
        description: 'The outcome.',
        input: TaxFilingOutcomeInput,
        example: { outcome: 'ACCEPTED', receiptId: '2027-1234' },
      },
      run: ({ caller, path, body }, { taxFilings }) =>
        taxFilings.mark(caller, path.filingId, body.outcome, body.receiptId ?? null),
      answer: answer('The filing.', 'TaxFiling'),
      show: filingToRest,
    }),
    listTaxFiles: rest(READ_TAX_FILINGS, 'GET /tax-filings/{filingId}/files', {
      summary: 'List the files of a filing',
      description: 'The files of a filing, in their order.',
      path: { filingId: FILING_ID },
      run: async ({ caller, path }, { taxFilings }) => ({
        files: await taxFilings.transmissions(caller, await taxFilings.get(caller, path.filingId)),
      }),
      answer: answer('The files.', 'TaxFileList', { files: [FILE] }),
      show: ({ files }) => ({ files: files.map(file => contractRecord(pick(file, FILE_FIELDS))) }),
    }),
    downloadTaxFile: express(DOWNLOAD_TAX_FILE, 'GET /tax-filings/{filingId}/files/{part}', {
      summary: 'Download a file for the IRS',
      description:
        'The file as the IRS takes it: XML for IRIS, or CSV for its portal. It has whole tax ids, so an event says that it was fetched.',
      path: { filingId: FILING_ID, part: PART },
      answers: {
        200: {
          description: 'The file.',
          headers: { 'Content-Disposition': FILE_NAME },
          content: {
            'application/xml': { schema: {}, example: TRANSMISSION },
            'text/csv': { schema: {}, example: PORTAL_FILE },
          },
        },
      },
      handle: async (req, res, { taxFilings }) => {
        const { filingId, part } = req.params;
        const file = await taxFilings.file(callerOf(req), filingId, Number(part));
        await exchangeOf(req).charge(unitsOfFile(file.forms));
        await sendStream(req, res, file, file.content);
      },
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
    ...taxYearOperations,
  },
};

/** Amounts are JSON numbers with all their digits. */
function filingToRest(filing: TaxFilingView): object {
  const { interest, federalTaxWithheld } = filing;
  const amounts = { interest: exactNumber(interest), federalTaxWithheld: exactNumber(federalTaxWithheld) };
  return { ...contractRecord(pick(filing, FILING_FIELDS)), ...amounts };
}
