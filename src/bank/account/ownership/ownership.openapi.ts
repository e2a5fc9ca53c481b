import { CONTACT, OWNER } from '../../owner/owner.openapi.js';
import { ref } from '../../../platform/input/json-schema.js';
import { answer, type Operation, type Part } from '../../../platform/openapi/operation.js';
import { list, oneOf, record, value } from '../../../platform/openapi/schema.js';
import { ACCOUNT_ID, MAX_OWNERS } from '../account.openapi.js';
import { HoldersInput, MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';
import { ADD_OWNERS, REMOVE_OWNERS } from '../account.operations.js';

const KNOWN = '0000d004-0000-4000-8000-000000000000';
const UNKNOWN = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';

const ADDED = {
  customerId: KNOWN,
  name: { first: '美咲', last: '佐東' },
  taxId: '*****1008',
  governmentId: '********1009',
};

const ownerStatus = (...statuses: string[]) => oneOf(statuses, 'The result for this customer.');
const outcome = (description: string, ...statuses: string[]) =>
  record(description, {
    customerId: value('UUID', 'The id of the customer in the request.'),
    ownerStatus: ownerStatus(...statuses),
  });
const outcomes = (items: object) =>
  record('The result for each customer.', {
    holders: list(
      { ...items },
      'One result for each customer, in the order of the request. A customer that is named twice has one result.',
      MAX_CUSTOMERS_A_CALL,
    ),
  });

const shared = (bodyDescription: string): Pick<Operation, 'parameters' | 'body'> => ({
  parameters: [ACCOUNT_ID],
  body: {
    description: bodyDescription,
    input: HoldersInput,
    content: { 'application/json': { example: { holders: [{ customerId: KNOWN }, { customerId: UNKNOWN }] } } },
    wrong: [{ holders: [{ customerId: 'nobody' }] }, { holders: [] }],
  },
});

/** Contract 4.6 and 4.7. */
export const ownershipApi: Part = {
  tag: { name: 'Owners', description: 'The owners of an account.' },
  records: [
    {
      ...OWNER,
      name: 'AddedOwner',
      description: 'A customer who is an owner now.',
      differs: { ...OWNER.differs, ownerStatus: ownerStatus('Added') },
    },
    CONTACT,
  ],
  schemas: {
    NotAddedOwner: outcome(
      'A customer who could not be added, because the customer is unknown, is already an owner, or would exceed the maximum number of owners.',
      'Failed to Add',
    ),
    AddedOwners: outcomes({ anyOf: [ref('AddedOwner'), ref('NotAddedOwner')] }),
    RemovedOwners: outcomes(outcome('A customer, and whether the customer was an owner.', 'Removed', 'Not found')),
  },
  operations: {
    addOwners: {
      route: 'POST /accounts/{accountId}/owners/add',
      summary: 'Add owners',
      description: `Makes up to ${MAX_CUSTOMERS_A_CALL} customers owners of the account, which has at most ${MAX_OWNERS}. Customers who cannot be added are reported, and the others are added.`,
      of: ADD_OWNERS,
      ...shared('The customers to add.'),
      answers: {
        200: answer('The result for each customer.', 'AddedOwners', {
          holders: [ADDED, { customerId: UNKNOWN, ownerStatus: 'Failed to Add' }],
        }),
      },
    },
    removeOwners: {
      route: 'POST /accounts/{accountId}/owners/remove',
      summary: 'Remove owners',
      description: `Ends the ownership of up to ${MAX_CUSTOMERS_A_CALL} customers. The last owner can be removed, too.`,
      of: REMOVE_OWNERS,
      ...shared('The customers to remove.'),
      answers: {
        200: answer('The result for each customer.', 'RemovedOwners', {
          holders: [
            { customerId: KNOWN, ownerStatus: 'Removed' },
            { customerId: UNKNOWN, ownerStatus: 'Not found' },
          ],
        }),
      },
    },
  },
};
