import { CONTACT, OWNER } from '../../owner/owner.rest-record.js';
import type { OwnerService } from '../../owner/owner.service.js';
import { contractRecord } from '../../../platform/http/json.js';
import { ref } from '../../../platform/input/json-schema.js';
import { answer } from '../../../platform/openapi/operation.js';
import { list, oneOf, record, value } from '../../../platform/openapi/schema.js';
import { restOver, type RestPart } from '../../../platform/rest/rest.js';
import type { RestRequest } from '../../../platform/rest/rest-words.js';
import { ACCOUNT_ID, MAX_OWNERS } from '../account.rest.js';
import { ADD_OWNERS, REMOVE_OWNERS } from '../account.operations.js';
import type { OwnerResult, OwnerStatus } from './ownership.entity.js';
import { HoldersInput, MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';
import type { OwnershipService } from './ownership.service.js';

const KNOWN = '0000d004-0000-4000-8000-000000000000';
const UNKNOWN = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';

const ADDED = {
  customerId: KNOWN,
  name: { first: '美咲', last: '佐東' },
  taxId: '*****1008',
  governmentId: '********1009',
};

const statusSchema = (...statuses: string[]) => oneOf(statuses, 'The result for this customer.');
const outcome = (description: string, ...statuses: string[]) =>
  record(description, {
    customerId: value('UUID', 'The id of the customer in the request.'),
    ownerStatus: statusSchema(...statuses),
  });
const outcomes = (items: object) =>
  record('The result for each customer.', {
    holders: list(
      { ...items },
      'One result for each customer, in the order of the request. A customer that is named twice has one result.',
      MAX_CUSTOMERS_A_CALL,
    ),
  });

const STATUS: Readonly<Record<OwnerStatus, string>> = {
  ADDED: 'Added',
  FAILED_TO_ADD: 'Failed to Add',
  REMOVED: 'Removed',
  NOT_FOUND: 'Not found',
};

interface Services {
  readonly ownership: OwnershipService;
  readonly owners: OwnerService;
}
const rest = restOver<Services>();

const HOLDERS = {
  input: HoldersInput,
  example: { holders: [{ customerId: KNOWN }, { customerId: UNKNOWN }] },
};

/** Contract 4.6 and 4.7. */
export const ownershipRest: RestPart<Services> = {
  tag: { name: 'Owners', description: 'The owners of an account.' },
  records: [
    {
      ...OWNER,
      name: 'AddedOwner',
      description: 'A customer who is an owner now.',
      differs: { ...OWNER.differs, ownerStatus: statusSchema('Added') },
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
    addOwners: rest(ADD_OWNERS, 'POST /accounts/{accountId}/owners/add', {
      summary: 'Add owners',
      description: `Makes up to ${MAX_CUSTOMERS_A_CALL} customers owners of the account, which has at most ${MAX_OWNERS}. Customers who cannot be added are reported, and the others are added.`,
      path: { accountId: ACCOUNT_ID },
      body: { description: 'The customers to add.', ...HOLDERS },
      run: ({ caller, path, body }, { ownership }) => ownership.add(caller, path.accountId, customerIdsOf(body)),
      answer: answer('The result for each customer.', 'AddedOwners', {
        holders: [ADDED, { customerId: UNKNOWN, ownerStatus: 'Failed to Add' }],
      }),
      show: toRest,
    }),
    removeOwners: rest(REMOVE_OWNERS, 'POST /accounts/{accountId}/owners/remove', {
      summary: 'Remove owners',
      description: `Ends the ownership of up to ${MAX_CUSTOMERS_A_CALL} customers. The last owner can be removed, too.`,
      path: { accountId: ACCOUNT_ID },
      body: { description: 'The customers to remove.', ...HOLDERS },
      run: ({ caller, path, body }, { ownership }) => ownership.remove(caller, path.accountId, customerIdsOf(body)),
      answer: answer('The result for each customer.', 'RemovedOwners', {
        holders: [
          { customerId: KNOWN, ownerStatus: 'Removed' },
          { customerId: UNKNOWN, ownerStatus: 'Not found' },
        ],
      }),
      show: toRest,
    }),
  },
};

function customerIdsOf({ holders }: HoldersInput): string[] {
  return holders.map(({ customerId }) => customerId);
}

async function toRest(
  results: readonly OwnerResult[],
  { caller }: Pick<RestRequest, 'caller'>,
  { owners }: Services,
): Promise<object> {
  const holders = results.map(async ({ customerId, ownerStatus: status, owner }) => {
    const ownerStatus = STATUS[status];
    if (!owner) return { customerId, ownerStatus };
    const { name, taxId, taxIdCountry, contact } = owner;
    const governmentId = await owners.governmentId(caller, owner);
    return contractRecord({ customerId, name, taxId, taxIdCountry, governmentId, contact, ownerStatus });
  });
  return { holders: await Promise.all(holders) };
}
