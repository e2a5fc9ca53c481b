import {
  CUSTOMER_ID,
  ERASED_CUSTOMER,
  ReasonInput,
  answer,
  customerToRest,
  type OwnerService,
  restOver,
  type RestPart,
} from 'tillgate/noun';
import { ERASE_CUSTOMER } from './erasure.operations.js';
import type { ErasureService } from './erasure.service.js';

interface Services {
  readonly erasures: ErasureService;
  readonly owners: OwnerService;
}
const rest = restOver<Services>();

/** The end of personal data. */
export const erasureRest: RestPart<Services> = {
  tag: { name: 'Erasure', description: 'The end of what is on record about a person.' },
  operations: {
    eraseCustomer: rest(ERASE_CUSTOMER, 'POST /customers/{customerId}/erase', {
      summary: 'Erase personal data',
      description:
        'Erases the personal data of a customer for good: the record, notes about the customer, and the numbers and PINs of cards. The customer owns no open account, and no closed one whose retention runs, and holds no usable card. The history and the documents of closed accounts stay, and name the customer by the id.',
      path: { customerId: CUSTOMER_ID },
      dryRun: true,
      versioned: true,
      body: {
        description: 'Why it is erased.',
        input: ReasonInput,
        example: { reason: 'Request 2026-118 of the customer' },
      },
      run: ({ caller, path: { customerId }, body: { reason }, versions, dryRun }, { erasures }) =>
        erasures.erase(caller, { customerId, reason, versions }, dryRun),
      answer: answer('What is left of the customer.', 'Customer', ERASED_CUSTOMER),
      show: (customer, { caller }, { owners }) => customerToRest(owners, caller, customer),
    }),
  },
};
