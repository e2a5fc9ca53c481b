import { ACCOUNT_ID } from '../account/account.openapi.js';
import { AccountNotFound } from '../account/account.errors.js';
import { orEmpty, ref, type JsonSchema } from '../platform/input/json-schema.js';
import { readRecord } from '../platform/input/read-input.js';
import { location } from '../platform/openapi/headers.js';
import type { Described, Operation, Parameter } from '../platform/openapi/operation.js';
import { HREF, PAGE_SIZE, PAGING, TOTAL_ELEMENTS, offsetText, unknownParameter } from '../platform/openapi/paging.js';
import { refusalOf } from '../platform/openapi/refusals.js';
import { day, list, masked, oneOf, record, sizeOf, uuid } from '../platform/openapi/schema.js';
import { BeneficiaryType, Relationship, TaxIdType } from './beneficiary.entity.js';
import {
  BeneficiaryNotFound,
  ForeignMask,
  MAX_BENEFICIARIES,
  OtherBeneficiary,
  TooManyBeneficiaries,
} from './beneficiary.errors.js';
import { BeneficiaryChange, BeneficiaryInput } from './beneficiary.inputs.js';

const LIST = '/accounts/{accountId}/beneficiaries';
const ONE = '/accounts/{accountId}/beneficiaries/{beneficiaryId}';

const BENEFICIARY_ID: Parameter = {
  name: 'beneficiaryId',
  in: 'path',
  description: 'The beneficiary, in any case of letters.',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  example: 'e1b429a2-df64-8f14-8412-4059b8002e92',
};

const ITEM = {
  beneficiaryId: 'e1b429a2-df64-8f14-8412-4059b8002e92',
  name: { first: 'Juniper', middle: '', last: 'Ashdown' },
  taxId: '*****1025',
  beneficiaryType: 'PRIMARY',
  relationship: 'CHILD',
  sharePercentage: 50,
};
const REACHED = {
  dateOfBirth: '1991-02-13',
  addresses: [
    {
      line1: '508 Old Lanternworks Street',
      line2: '',
      line3: '',
      city: 'Cinderford Heights',
      state: 'IL',
      postalCode: '00422',
      country: 'US',
      type: 'HOME',
    },
  ],
  emails: [{ type: 'PERSONAL', email: 'beneficiary.1026@example.test' }],
  phones: [{ type: 'CELL', country: 'US', number: '+1 312 555 0156' }],
};
const WHOLE = { ...ITEM, taxIdType: 'SSN', ...REACHED };
const { beneficiaryId: _, ...SENT } = { ...WHOLE, taxId: '900-12-1025' };

const listed: Readonly<Record<string, JsonSchema>> = {
  beneficiaryId: uuid('Given by the service.'),
  name: ref('PersonName', 'How the beneficiary is called.'),
  taxId: orEmpty(masked('Masked: only the last four characters are readable.')),
  beneficiaryType: oneOf(Object.values(BeneficiaryType), 'In which order the beneficiary receives.'),
  relationship: oneOf(Object.values(Relationship), "What the beneficiary is to the account's owner."),
  sharePercentage: {
    ...{ type: 'integer', minimum: 0, maximum: 100 },
    description: 'Percent of the account. The shares of an account need not sum to 100.',
  },
};

const schemas: Described['schemas'] = {
  BeneficiaryListItem: record('A beneficiary as lists show it.', listed),
  Beneficiary: record('Someone who receives a share of the account when its owner dies (pay on death). Not a payee.', {
    ...listed,
    taxIdType: orEmpty(oneOf(Object.values(TaxIdType), 'What kind of tax id it is.')),
    dateOfBirth: orEmpty(day('Date of birth.')),
    addresses: list(ref('Address'), 'Postal addresses.', sizeOf(BeneficiaryInput, 'addresses')),
    emails: list(ref('Email'), 'E-mail addresses.', sizeOf(BeneficiaryInput, 'emails')),
    phones: list(ref('Phone'), 'Telephone numbers.', sizeOf(BeneficiaryInput, 'phones')),
  }),
  BeneficiaryPage: record('A page of the beneficiaries of an account.', {
    accountBeneficiaries: list(ref('BeneficiaryListItem'), 'In the order they were added.', PAGE_SIZE),
    page: record(
      'Where the page is in the list.',
      {
        nextOffset: offsetText('Where the next page begins; absent on the last one.'),
        prevOffset: offsetText('Where the page before begins; absent on the first one.'),
        totalElements: TOTAL_ELEMENTS,
      },
      ['nextOffset', 'prevOffset'],
    ),
    links: record(
      'Where to go on.',
      {
        next: record('The next page; absent on the last one.', {
          href: HREF,
          action: oneOf(['GET'], 'The method to ask with.'),
          rel: oneOf(['next'], 'What the link is to this page.'),
          types: list(oneOf(['application/json'], 'A content type.'), 'As what the page is there.', { maxItems: 1 }),
        }),
      },
      ['next'],
    ),
  }),
};

const beneficiary = { 'application/json': { schema: ref('Beneficiary'), example: WHOLE } };
const write = { tag: 'Beneficiaries', scope: 'beneficiaries.write' } as const;
const read = { tag: 'Beneficiaries', scope: 'beneficiaries.read' } as const;

const operations: readonly Operation[] = [
  {
    ...{ ...read, id: 'listBeneficiaries', method: 'get', path: LIST, summary: 'List beneficiaries' },
    description: 'The beneficiaries of an account, in the order they were added, page by page.',
    parameters: [ACCOUNT_ID, ...PAGING],
    answers: {
      200: {
        description: 'A page of them.',
        content: {
          'application/json': {
            schema: ref('BeneficiaryPage'),
            example: {
              accountBeneficiaries: [ITEM],
              page: { nextOffset: '1', totalElements: 3 },
              links: {
                next: {
                  href: '/accounts/demo-1001/beneficiaries?offSet=1&limit=1',
                  action: 'GET',
                  rel: 'next',
                  types: ['application/json'],
                },
              },
            },
          },
        },
      },
    },
    refusals: () => [unknownParameter(...PAGING.map(({ name }) => name)), new AccountNotFound()],
  },
  {
    ...{ ...write, id: 'addBeneficiary', method: 'post', path: LIST, summary: 'Add a beneficiary' },
    description: `Adds a beneficiary at the end of the list. An account has at most ${MAX_BENEFICIARIES}.`,
    parameters: [ACCOUNT_ID],
    body: {
      description: 'The new beneficiary.',
      input: BeneficiaryInput,
      content: { 'application/json': { example: SENT } },
    },
    answers: {
      201: {
        description: 'The beneficiary, as it was added.',
        headers: { Location: location(`/accounts/demo-1001/beneficiaries/${WHOLE.beneficiaryId}`) },
        content: beneficiary,
      },
    },
    refusals: () => [
      refusalOf(() => readRecord(BeneficiaryInput, { ...SENT, sharePercentage: 'half', colour: 'red' })),
      new AccountNotFound(),
      new TooManyBeneficiaries(),
      refusalOf(() => readRecord(BeneficiaryInput, { ...SENT, sharePercentage: 101 })),
    ],
  },
  {
    ...{ ...read, id: 'getBeneficiary', method: 'get', path: ONE, summary: 'Get a beneficiary' },
    description: 'One beneficiary with all its fields.',
    parameters: [ACCOUNT_ID, BENEFICIARY_ID],
    answers: { 200: { description: 'The beneficiary.', content: beneficiary } },
    refusals: () => [unknownParameter(), new AccountNotFound(), new BeneficiaryNotFound()],
  },
  {
    ...{ ...write, id: 'updateBeneficiary', method: 'patch', path: ONE, summary: 'Change a beneficiary' },
    description:
      'A JSON merge patch (RFC 7396): what is absent stays, null or an empty text clears what is optional, lists are replaced. The record may be sent back as it was shown: its masked tax id means no change.',
    parameters: [ACCOUNT_ID, BENEFICIARY_ID],
    body: {
      description: 'What to change.',
      input: BeneficiaryChange,
      content: {
        'application/json': { example: { sharePercentage: 40, name: { middle: 'R' } } },
        'application/merge-patch+json': { example: { dateOfBirth: null } },
      },
    },
    answers: { 200: { description: 'The beneficiary, as it is now.', content: beneficiary } },
    refusals: () => [
      refusalOf(() => readRecord(BeneficiaryChange, { sharePercentage: 'half' })),
      new AccountNotFound(),
      new BeneficiaryNotFound(),
      new ForeignMask(),
      new OtherBeneficiary(),
    ],
  },
  {
    ...{ ...write, id: 'deleteBeneficiary', method: 'delete', path: ONE, summary: 'Delete a beneficiary' },
    description: 'Answers with the record that was deleted.',
    parameters: [ACCOUNT_ID, BENEFICIARY_ID],
    answers: { 200: { description: 'The beneficiary, as it was.', content: beneficiary } },
    refusals: () => [unknownParameter(), new AccountNotFound(), new BeneficiaryNotFound()],
  },
];

/** Contract 4.1 to 4.5. */
export const beneficiaryApi: Described = {
  tags: [
    {
      name: 'Beneficiaries',
      description: 'Who receives a share of an account when its owner dies (pay on death). Not payees.',
    },
  ],
  operations,
  schemas,
};
