import { InvalidInput, Refusal } from '../../shared/errors.js';

export class CustomerNotFound extends Refusal {
  readonly code = 'customer_not_found';
  constructor() {
    super('The program has no such customer.');
  }
}

/** The refusal of an id that a customer of the caller's program has. See `ForeignId` for one of another program. */
export class CustomerExists extends Refusal {
  readonly code = 'customer_exists';
  constructor() {
    super('The customerId is taken. Use another customerId, or leave it out.');
  }
}

/** Nothing may be written about a person who is no longer on record. */
export class CustomerErased extends Refusal {
  readonly code = 'customer_erased';
  constructor() {
    super('The personal data of the customer was erased. Create another customer.');
  }
}

export class OtherCustomer extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/customerId',
        code: 'other_customer',
        detail:
          'customerId differs from the customer id in the path. Send the id of the path, or leave customerId out.',
      },
    ]);
  }
}
