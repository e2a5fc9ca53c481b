import {
  CUSTOMER_ID,
  DRY_RUN_PARAMETER as DRY_RUN,
  ERASED_CUSTOMER,
  IF_MATCH,
  ReasonInput,
  TAGGED,
  answer,
  type Part,
} from 'tillgate/noun';
import { ERASE_CUSTOMER } from './erasure.operations.js';

/** The end of personal data. */
export const erasureApi: Part = {
  tag: { name: 'Erasure', description: 'The end of what is on record about a person.' },
  operations: {
    eraseCustomer: {
      route: 'POST /customers/{customerId}/erase',
      summary: 'Erase personal data',
      description:
        'Erases the personal data of a customer for good: the record, notes about the customer, and the numbers and PINs of cards. The customer owns no open account, and no closed one whose retention runs, and holds no usable card. The history and the documents of closed accounts stay, and name the customer by the id.',
      of: ERASE_CUSTOMER,
      parameters: [CUSTOMER_ID, DRY_RUN, IF_MATCH],
      body: {
        description: 'Why it is erased.',
        input: ReasonInput,
        content: { 'application/json': { example: { reason: 'Request 2026-118 of the customer' } } },
        wrong: [{ reason: '' }, { reason: 7 }],
      },
      answers: { 200: answer('What is left of the customer.', 'Customer', ERASED_CUSTOMER, TAGGED) },
    },
  },
};
