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
  description: 'The id of the beneficiary, in upper or lower case.',
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
  beneficiaryId: uuid('The id that the gateway assigned.'),
  name: ref('PersonName', 'The name of the beneficiary.'),
  taxId: orEmpty(masked('Masked: only the last four characters are readable.')),
  beneficiaryType: oneOf(Object.values(BeneficiaryType), 'Whether the beneficiary is a primary or a contingent one.'),
  relationship: oneOf(Object.values(Relationship), 'The relationship of the beneficiary to the owner of the account.'),
  sharePercentage: {
    ...{ type: 'integer', minimum: 0, maximum: 100 },
    description: 'The share of the account in percent. The shares of an account do not have to sum to 100.',
  },
};

const schemas: Described['schemas'] = {
  BeneficiaryListItem: record('A beneficiary in a list.', listed),
  Beneficiary: record(
    'Someone who receives a share of the account when its owner dies (pay on death). A beneficiary is not a payee.',
    {
      ...listed,
      taxIdType: orEmpty(oneOf(Object.values(TaxIdType), 'The kind of the tax id.')),
      dateOfBirth: orEmpty(day('Date of birth.')),
      addresses: list(ref('Address'), 'Postal addresses.', sizeOf(BeneficiaryInput, 'addresses')),
      emails: list(ref('Email'), 'E-mail addresses.', sizeOf(BeneficiaryInput, 'emails')),
      phones: list(ref('Phone'), 'Telephone numbers.', sizeOf(BeneficiaryInput, 'phones')),
    },
  ),
  BeneficiaryPage: record('A page of the beneficiaries of an account.', {
    accountBeneficiaries: list(
      ref('BeneficiaryListItem'),
      'The beneficiaries of the page, in the order they were added.',
      PAGE_SIZE,
    ),
    page: record(
      'The position of the page in the list.',
      {
        nextOffset: offsetText('The offset of the next page; absent on the last page.'),
        prevOffset: offsetText('The offset of the previous page; absent on the first page.'),
        totalElements: TOTAL_ELEMENTS,
      },
      ['nextOffset', 'prevOffset'],
    ),
    links: record(
      'Links to other pages.',
      {
        next: record('A link to the next page; absent on the last page.', {
          href: HREF,
          action: oneOf(['GET'], 'The HTTP method of the link.'),
          rel: oneOf(['next'], 'The relation of the link to this page.'),
          types: list(oneOf(['application/json'], 'A content type.'), 'The content types of the page.', {
            maxItems: 1,
          }),
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
        description: 'A page of the list.',
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
        description: 'The beneficiary that was added.',
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
      'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. A complete record that was read can be sent back: its masked tax id changes nothing.',
    parameters: [ACCOUNT_ID, BENEFICIARY_ID],
    body: {
      description: 'The changes.',
      input: BeneficiaryChange,
      content: {
        'application/json': { example: { sharePercentage: 40, name: { middle: 'R' } } },
        'application/merge-patch+json': { example: { dateOfBirth: null } },
      },
    },
    answers: { 200: { description: 'The beneficiary after the change.', content: beneficiary } },
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
    description: 'Deletes a beneficiary and returns the deleted record.',
    parameters: [ACCOUNT_ID, BENEFICIARY_ID],
    answers: { 200: { description: 'The deleted beneficiary.', content: beneficiary } },
    refusals: () => [unknownParameter(), new AccountNotFound(), new BeneficiaryNotFound()],
  },
];

/** Contract 4.1 to 4.5. */
export const beneficiaryApi: Described = {
  tags: [
    {
      name: 'Beneficiaries',
      description:
        'The people and organisations that receive a share of an account when its owner dies (pay on death). They are not payees.',
    },
  ],
  operations,
  schemas,
};
