import { orEmpty, ref } from '../platform/input/json-schema.js';
import { readRecord } from '../platform/input/read-input.js';
import type { Described, Operation } from '../platform/openapi/operation.js';
import { refusalOf } from '../platform/openapi/refusals.js';
import { countryCode, formOf, list, masked, oneOf, record, sizeOf, text, uuid } from '../platform/openapi/schema.js';
import { MAX_GOVERNMENT_ID_CHARACTERS } from '../owner/owner.entity.js';
import { EmailInput, MAX_CONTACTS } from '../person/person.inputs.js';
import { AccountNotFound } from './account.errors.js';
import { MAX_OWNERS } from './account.inputs.js';
import { ACCOUNT_ID } from './account.openapi.js';
import { HoldersInput, MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';

const CONTACTS = { maxItems: MAX_CONTACTS };
const KNOWN = '0000d004-0000-4000-8000-000000000000';
const UNKNOWN = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
const HOLDERS = { holders: [{ customerId: KNOWN }, { customerId: UNKNOWN }] };

const ADDED = {
  customerId: KNOWN,
  name: { first: '美咲', middle: '', last: '佐東' },
  taxId: '*****1008',
  taxIdCountry: 'US',
  governmentId: '********1009',
  contact: {
    email: ['misaki.sato@example.test'],
    telephones: [{ type: 'HOME', country: 'US', number: '+1 312 555 0175' }],
  },
  ownerStatus: 'Added',
};

function outcome(description: string, statuses: readonly string[]) {
  return record(description, {
    customerId: uuid('The id of the customer in the request.'),
    ownerStatus: oneOf(statuses, 'The result for this customer.'),
  });
}

const schemas: Described['schemas'] = {
  AddedOwner: record('A customer who is an owner now.', {
    customerId: uuid('The id of the customer in the request.'),
    name: ref('PersonName', 'The name of the owner.'),
    taxId: orEmpty(masked('Masked: only the last four characters are readable.')),
    taxIdCountry: orEmpty(countryCode('The country that issued the tax id (ISO 3166-1, two letters).')),
    governmentId: orEmpty(
      text('The number of an identity document, masked unless the token has the scope `pii.read`.', {
        maxLength: MAX_GOVERNMENT_ID_CHARACTERS,
      }),
    ),
    contact: record('E-mail addresses and telephone numbers of the owner.', {
      email: list(text('An e-mail address.', formOf(EmailInput, 'email')), 'E-mail addresses.', CONTACTS),
      telephones: list(ref('Phone'), 'Telephone numbers.', CONTACTS),
    }),
    ownerStatus: oneOf(['Added'], 'The result for this customer.'),
  }),
  NotAddedOwner: outcome(
    'A customer who could not be added, because the customer is unknown, is already an owner, or would exceed the maximum number of owners.',
    ['Failed to Add'],
  ),
  AddedOwners: record('The result for each customer.', {
    holders: list(
      { anyOf: [ref('AddedOwner'), ref('NotAddedOwner')] },
      'One result for each customer, in the order of the request. A customer that is named twice has one result.',
      sizeOf(HoldersInput, 'holders'),
    ),
  }),
  RemovedOwners: record('The result for each customer.', {
    holders: list(
      outcome('A customer, and whether the customer was an owner.', ['Removed', 'Not found']),
      'One result for each customer, in the order of the request. A customer that is named twice has one result.',
      sizeOf(HoldersInput, 'holders'),
    ),
  }),
};

const shared = {
  tag: 'Owners',
  scope: 'owners.write',
  method: 'post',
  parameters: [ACCOUNT_ID],
  refusals: () => [
    refusalOf(() => readRecord(HoldersInput, { holders: [{ customerId: 'nobody' }] })),
    new AccountNotFound(),
    refusalOf(() => readRecord(HoldersInput, { holders: [] })),
  ],
} as const;

const body = (description: string) => ({
  ...{ description, input: HoldersInput },
  content: { 'application/json': { example: HOLDERS } },
});

const operations: readonly Operation[] = [
  {
    ...{ ...shared, id: 'addOwners', path: '/accounts/{accountId}/owners/add', summary: 'Add owners' },
    description: `Makes up to ${MAX_CUSTOMERS_A_CALL} customers owners of the account, which has at most ${MAX_OWNERS}. Customers who cannot be added are reported, and the others are added.`,
    body: body('The customers to add.'),
    answers: {
      200: {
        description: 'The result for each customer.',
        content: {
          'application/json': {
            schema: ref('AddedOwners'),
            example: { holders: [ADDED, { customerId: UNKNOWN, ownerStatus: 'Failed to Add' }] },
          },
        },
      },
    },
  },
  {
    ...{ ...shared, id: 'removeOwners', path: '/accounts/{accountId}/owners/remove', summary: 'Remove owners' },
    description: `Ends the ownership of up to ${MAX_CUSTOMERS_A_CALL} customers. The last owner can be removed, too.`,
    body: body('The customers to remove.'),
    answers: {
      200: {
        description: 'The result for each customer.',
        content: {
          'application/json': {
            schema: ref('RemovedOwners'),
            example: {
              holders: [
                { customerId: KNOWN, ownerStatus: 'Removed' },
                { customerId: UNKNOWN, ownerStatus: 'Not found' },
              ],
            },
          },
        },
      },
    },
  },
];

/** Contract 4.6 and 4.7. */
export const ownershipApi: Described = {
  tags: [{ name: 'Owners', description: 'The owners of an account.' }],
  operations,
  schemas,
};
