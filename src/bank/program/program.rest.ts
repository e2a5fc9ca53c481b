import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { propertiesOf } from '../../platform/openapi/record-schema.js';
import { MASKED, list, record, text, value } from '../../platform/openapi/schema.js';
import { CurrencyThreshold, OperatorGroup, ProgramApprovals } from './program-rules.entity.js';
import { ErrorResolutionContact, Letterhead, Program, ProgramPayer, type ProgramView } from './program.entity.js';
import { ProgramTransfers } from './program-transfers.entity.js';
import { ProgramNotFound } from './program.errors.js';
import { MAX_PATH_CHARACTERS, MAX_PNG_CHARACTERS } from './program.logo.js';
import { ErrorResolutionInput, LetterheadInput, PayerInput, ProgramRecord } from './program.inputs.js';
import { READ_PROGRAM } from './program.operations.js';
import {
  ProgramApprovalsInput,
  CurrencyThresholdInput,
  MAX_CURRENCIES,
  OperatorGroupInput,
  ProgramTransfersInput,
} from './program-rules.inputs.js';
import { contractRecord } from '../../platform/http/json.js';
import type { ProgramService } from './program.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

/** Fields that are absent where nothing is on record. */
const PARTS = {
  letterhead: { ...ref('Letterhead'), description: 'The letterhead of statements.' },
  payer: { ...ref('ProgramPayer'), description: 'The payer of the interest of the accounts.' },
  errorResolution: { ...ref('ErrorResolutionContact'), description: 'The contact for customers who find errors.' },
  transfers: { ...ref('ProgramTransfers'), description: 'What the program allows of transfers.' },
  approvals: { ...ref('ProgramApprovals'), description: 'Which requests wait until another person approves them.' },
  logo: { ...ref('ProgramLogo'), description: 'The picture at the head of documents.' },
  retentionYears: {
    ...value('Int', 'How many years after its closing an account is deleted; absent for never.'),
    minimum: 1,
    maximum: 100,
  },
};

const AMOUNT_TEXT = { pattern: String.raw`^\d{1,13}(\.\d{1,4})?$` };
const NAME = 'Harborlight Bank';
const ADDRESS_LINES = ['1 Old Lanternworks Street', 'Port Ambergill, OR 00115'];
const TELEPHONE = '+1 503 555 0100';
const HEAD = { name: NAME, addressLines: ADDRESS_LINES, telephone: TELEPHONE };
const EXAMPLE = {
  programId: 'demo',
  name: 'Harborlight',
  letterhead: HEAD,
  payer: {
    ...HEAD,
    taxId: '******1001',
  },
  errorResolution: {
    telephone: '+1 503 555 0111',
    email: 'care@harborlight.example',
    addressLines: ADDRESS_LINES,
  },
  clients: ['demo'],
  checkFunds: false,
  exactSearch: false,
  statementsWithoutActivity: 'WITH_BALANCE',
  operatorGroups: [{ name: 'Bank Operations', roles: ['operator'] }],
  retentionYears: 7,
  createdAt: '2026-03-31T18:05:00.000Z',
  updatedAt: '2026-03-31T18:05:00.000Z',
};

interface Services {
  readonly programs: ProgramService;
}
const rest = restOver<Services>();

/** The caller's program as the issuer of documents. */
export const programRest: RestPart<Services> = {
  tag: { name: 'Programs', description: 'A tenant of the gateway, and what documents say about who issues them.' },
  records: [
    { of: Letterhead, limits: LetterheadInput },
    { of: ProgramPayer, limits: PayerInput, differs: { taxId: MASKED } },
    { of: ErrorResolutionContact, limits: ErrorResolutionInput },
    { of: ProgramApprovals, limits: ProgramApprovalsInput },
    { of: OperatorGroup, limits: OperatorGroupInput },
    { of: CurrencyThreshold, limits: CurrencyThresholdInput, differs: { amount: { type: 'string', ...AMOUNT_TEXT } } },
    {
      of: ProgramTransfers,
      limits: ProgramTransfersInput,
      differs: { limits: list(ref('ProgramLimits'), 'The limits of accounts, one for each currency.', MAX_CURRENCIES) },
    },
  ],
  schemas: {
    ProgramLogo: record(
      'A picture at the head of documents: either `png`, or `svgPath` with `viewBox`.',
      {
        png: text('A PNG in base64.', { maxLength: MAX_PNG_CHARACTERS }),
        svgPath: text('The path data of outlines (SVG 2, 9.3).', { maxLength: MAX_PATH_CHARACTERS }),
        viewBox: list({ type: 'number' }, 'What is shown of the outlines: left, top, width and height.', 4),
        color: text('The colour of the outlines, such as `#1f4e5f`; that of the text where absent.', {
          pattern: '^#[0-9a-fA-F]{6}$',
        }),
      },
      ['png', 'svgPath', 'viewBox', 'color'],
    ),
    ProgramLimits: record(
      'What may leave each account of one currency. A limit that does not exist is absent.',
      {
        currency: value('Currency', 'The currency of the accounts.'),
        perTransfer: text('The largest transfer.', AMOUNT_TEXT),
        perDay: text('The maximum amount of all transfers of a day.', AMOUNT_TEXT),
        per30Days: text('The most that transfers of a day and the 29 days before it may be together.', AMOUNT_TEXT),
        transfersPerDay: value('Int', 'The maximum number of transfers of a day.'),
        cardHoldsPerDay: text('The most that holds of cards of a day may keep back and take together.', AMOUNT_TEXT),
      },
      ['perTransfer', 'perDay', 'per30Days', 'transfersPerDay', 'cardHoldsPerDay'],
    ),
    Program: record(
      'A tenant of the gateway: its name, and what documents say about who issues them. A part that is not on record is absent.',
      { ...propertiesOf({ of: Program, limits: ProgramRecord, omit: ['version', ...Object.keys(PARTS)] }), ...PARTS },
      Object.keys(PARTS),
    ),
  },
  operations: {
    getProgram: rest(READ_PROGRAM, 'GET /program', {
      summary: 'Get the program',
      description:
        "The caller's own program as the issuer of documents. Its record is made by `POST /imports/programs`, or on the command line by `tillgate programs set`.",
      versioned: true,
      refusals: () => [new ProgramNotFound()],
      run: ({ caller }, { programs }) => programs.get(caller),
      answer: answer('The program.', 'Program', EXAMPLE),
      show: toRest,
    }),
  },
};

/** Objects that are not on record are absent: an empty text in their place would be of another type. */
function toRest(view: ProgramView): object {
  const { version: _, logo, transfers, ...program } = view;
  return contractRecord({
    ...present(program),
    ...(transfers && { transfers: { ...transfers, limits: transfers.limits.map(present) } }),
    ...(logo && { logo: present(logo) }),
  });
}

function present(stored: object): object {
  return Object.fromEntries(Object.entries(stored).filter(([, member]) => member !== null));
}
