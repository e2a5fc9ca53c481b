import { ForeignMask } from '../person/person.errors.js';
import { IF_MATCH, IF_NONE_MATCH, NOT_MODIFIED, TAGGED, location } from '../../platform/openapi/headers.js';
import { answer, parameter, type Parameter, type Part } from '../../platform/openapi/operation.js';
import { FORMS, list, pagesBehind, record } from '../../platform/openapi/schema.js';
import { contractRecord } from '../../platform/http/json.js';
import { ref } from '../../platform/input/json-schema.js';
import type { Caller } from '../../shared/caller.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { PreconditionFailed } from '../../shared/errors.js';
import { CustomerNotFound, OtherCustomer } from './customer.errors.js';
import { CustomerChange, CustomerInput, CustomerQuery } from './customer.inputs.js';
import { Customer, type CustomerView } from './owner.entity.js';
import type { OwnerService } from './owner.service.js';
import { CONTACT, OWNER } from './owner.openapi.js';
import { CREATE_CUSTOMER, READ_CUSTOMERS, UPDATE_CUSTOMER } from './customer.operations.js';

const ONE = '/customers/{customerId}';
const ID = '0000d004-0000-4000-8000-000000000000';
const AFTER = 'MDAwMGQwMDQtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAw';
export const CUSTOMER_ID: Parameter = {
  ...parameter('path', 'customerId', 'The id of the customer, in upper or lower case.', FORMS.UUID, ID),
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
/** What is left of a customer whose personal data was erased. */
export const ERASED_CUSTOMER = {
  customerId: ID,
  name: { first: '', middle: '', last: 'Erased' },
  contact: { email: [], telephones: [] },
  addresses: [],
  erasedAt: '2026-11-27T09:30:00.000Z',
};
const SENT = { ...EXAMPLE, taxId: '900-12-1025', taxIdCountry: 'US', governmentId: 'P87651009123' };

/** The customers of a program, for its operators. */
export const customerApi: Part = {
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
    listCustomers: {
      route: 'GET /customers',
      summary: 'List customers',
      description: 'The customers of the program, in the order of their ids.',
      of: READ_CUSTOMERS,
      query: { input: CustomerQuery, examples: { after: AFTER, limit: 25 }, wrong: { limit: 0 } },
      answers: {
        200: answer('A page of customers.', 'CustomerPage', {
          customers: [EXAMPLE],
          links: { next: { href: `/customers?after=${AFTER}` } },
        }),
      },
    },
    createCustomer: {
      route: 'POST /customers',
      summary: 'Create a customer',
      description:
        'The customer can then own accounts. Personal data is stored encrypted, and numbers are shown masked.',
      of: CREATE_CUSTOMER,
      body: {
        description: 'The new customer.',
        input: CustomerInput,
        content: { 'application/json': { example: SENT } },
        wrong: [{ taxId: 7, colour: 'red' }, { dateOfBirth: '1066-10-14' }],
      },
      answers: {
        201: answer('The customer that was created.', 'Customer', undefined, {
          ...location(`/customers/${ID}`),
          ...TAGGED,
        }),
      },
    },
    getCustomer: {
      route: `GET ${ONE}`,
      summary: 'Get a customer',
      description: 'One customer of the program. The `Location` of a new customer points here.',
      of: READ_CUSTOMERS,
      parameters: [CUSTOMER_ID, IF_NONE_MATCH, IF_MATCH],
      answers: { 200: answer('The customer.', 'Customer', undefined, TAGGED), 304: NOT_MODIFIED },
      refusals: () => [new PreconditionFailed()],
    },
    updateCustomer: {
      route: `PATCH ${ONE}`,
      summary: 'Change a customer',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. A complete record that was read can be sent back: its masked numbers change nothing.',
      of: UPDATE_CUSTOMER,
      parameters: [CUSTOMER_ID, IF_MATCH],
      body: {
        description: 'The changes.',
        input: CustomerChange,
        content: {
          'application/json': { example: { name: { middle: 'R' }, contact: { email: [] } } },
          'application/merge-patch+json': { example: { dateOfBirth: null } },
        },
        wrong: [{ contact: 'by post' }],
      },
      answers: { 200: answer('The customer after the change.', 'Customer', undefined, TAGGED) },
      refusals: () => [new ForeignMask(), new OtherCustomer()],
    },
  },
};

/** A customer as REST shows one to a caller. */
export async function customerToRest(owners: OwnerService, caller: Caller, customer: CustomerView): Promise<object> {
  const { version: _, erasedAt, ...shown } = customer;
  const governmentId = await owners.governmentId(caller, customer);
  return contractRecord({ ...shown, governmentId, ...(erasedAt && { erasedAt }) });
}
