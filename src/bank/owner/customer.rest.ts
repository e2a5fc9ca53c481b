import { ForeignMask } from '../person/person.errors.js';
import { answer } from '../../platform/openapi/operation.js';
import { FORMS, list, pagesBehind, record } from '../../platform/openapi/schema.js';
import { contractRecord } from '../../platform/http/json.js';
import { ref } from '../../platform/input/json-schema.js';
import type { Caller } from '../../shared/caller.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { CustomerNotFound, OtherCustomer } from './customer.errors.js';
import { CustomerChange, CustomerInput, CustomerQuery, type CustomerPatch } from './customer.inputs.js';
import { Customer, type CustomerView } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';
import { CONTACT, OWNER } from './owner.rest-record.js';
import { CREATE_CUSTOMER, READ_CUSTOMERS, UPDATE_CUSTOMER } from './customer.operations.js';
import type { CustomerService } from './customer.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';
import type { PathParameter, RestRequest } from '../../platform/rest/rest-words.js';

const ID = '0000d004-0000-4000-8000-000000000000';
const AFTER = 'MDAwMGQwMDQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAw';
export const CUSTOMER_ID: PathParameter = {
  description: 'The id of the customer, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new CustomerNotFound(),
};

const EXAMPLE = {
  customerId: ID,
  name: { first: 'Juniper', middle: '', last: 'Ashdown' },
  taxId: '*****1025',
  governmentId: '********1009',
  dateOfBirth: '1991-02-13',
  contact: {
    email: ['customer.1026@example.test'],
    telephones: [{ type: 'CELL', country: 'US', number: '+1 312 555 0156' }],
  },
  addresses: [{ line1: '508 Old Lanternworks Street', city: 'Cinderford Heights', state: 'IL', postalCode: '00422' }],
};
/** The example of a customer whose personal data was erased. */
export const ERASED_CUSTOMER = {
  customerId: ID,
  name: { first: '', middle: '', last: 'Erased' },
  contact: { email: [], telephones: [] },
  addresses: [],
  erasedAt: '2026-11-27T09:30:00.000Z',
};
const SENT = { ...EXAMPLE, taxId: '900-12-1025', taxIdCountry: 'US', governmentId: 'P87651009123' };

interface Services {
  readonly customers: CustomerService;
  readonly owners: OwnerService;
}
const rest = restOver<Services>();

/** The customers of a program, for its operators. */
export const customerRest: RestPart<Services> = {
  tag: { name: 'Customers', description: 'The people who own accounts of the program.' },
  records: [
    {
      of: Customer,
      limits: CustomerInput,
      omit: ['version'],
      optional: ['erasedAt'],
      differs: OWNER.differs,
      example: EXAMPLE,
    },
    CONTACT,
  ],
  schemas: {
    CustomerPage: record('A page of the customers of the program.', {
      customers: list(ref('Customer'), 'By their ids.', MAX_PAGE_SIZE),
      links: pagesBehind('customers'),
    }),
  },
  operations: {
    listCustomers: rest(READ_CUSTOMERS, 'GET /customers', {
      summary: 'List customers',
      description: 'The customers of the program, in the order of their ids.',
      query: {
        input: CustomerQuery,
        examples: { bankNumbers: 'KD-004711', after: AFTER, limit: 25 },
      },
      run: ({ caller, cursor, query }, { customers }) => customers.page(caller, cursor, query),
      slice: 'customers',
      answer: answer('A page of customers.', 'CustomerPage', {
        customers: [EXAMPLE],
        links: { next: { href: `/customers?after=${AFTER}` } },
      }),
      show: toRest,
    }),
    createCustomer: rest(CREATE_CUSTOMER, 'POST /customers', {
      summary: 'Create a customer',
      description:
        'The customer can then own accounts. Personal data is stored encrypted, and numbers are shown masked.',
      versioned: true,
      body: {
        description: 'The new customer.',
        input: CustomerInput,
        example: SENT,
      },
      run: ({ caller, body }, { customers }) => customers.create(caller, body),
      created: { at: ({ customerId }) => `/customers/${customerId}`, example: `/customers/${ID}` },
      answer: answer('The customer that was created.', 'Customer'),
      show: toRest,
    }),
    getCustomer: rest(READ_CUSTOMERS, 'GET /customers/{customerId}', {
      summary: 'Get a customer',
      description: 'One customer of the program. The `Location` of a new customer points here.',
      path: { customerId: CUSTOMER_ID },
      versioned: true,
      run: ({ caller, path }, { customers }) => customers.get(caller, path.customerId),
      answer: answer('The customer.', 'Customer'),
      show: toRest,
    }),
    updateCustomer: rest(UPDATE_CUSTOMER, 'PATCH /customers/{customerId}', {
      summary: 'Change a customer',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. A complete record that was read can be sent back: its masked numbers change nothing.',
      path: { customerId: CUSTOMER_ID },
      versioned: true,
      body: {
        description: 'The changes.',
        input: CustomerChange,
        example: { name: { middle: 'R' }, contact: { email: [] } },
        mergePatch: { dateOfBirth: null },
      },
      refusals: () => [new ForeignMask(), new OtherCustomer()],
      run: ({ caller, path: { customerId }, body, versions }, { customers }) =>
        customers.update(caller, { customerId, patch: patchOf(body, customerId), versions }),
      answer: answer('The customer after the change.', 'Customer'),
      show: toRest,
    }),
  },
};

/** A customer as REST shows one to a caller. */
export async function customerToRest(owners: OwnerService, caller: Caller, customer: CustomerView): Promise<object> {
  const { version: _, isOrganization: __, erasedAt, ...shown } = customer;
  const governmentId = await owners.governmentId(caller, customer);
  return contractRecord({ ...shown, governmentId, ...(erasedAt && { erasedAt }) });
}

function toRest(
  customer: CustomerView,
  { caller }: Pick<RestRequest, 'caller'>,
  { owners }: Services,
): Promise<object> {
  return customerToRest(owners, caller, customer);
}

/** The changes without what else a record has that is sent back. Throws `OtherCustomer` for another id than the path's. */
function patchOf(change: CustomerChange, ofPath: string): CustomerPatch {
  const { customerId, updatedAt: _, ...patch } = change;
  if (customerId && customerId !== ofPath) throw new OtherCustomer();
  return patch;
}
