import { Refusal } from '../../shared/errors.js';

export class TransferNotFound extends Refusal {
  readonly code = 'transfer_not_found';
  constructor() {
    super('The transfer does not exist, or this caller sees neither of its accounts.');
  }
}

export class TransferMismatch extends Refusal {
  readonly code = 'transfer_mismatch';
  constructor() {
    super('A transfer with this id exists and has different content. Use a new transferId; a transfer never changes.');
  }
}

export class SameAccount extends Refusal {
  readonly code = 'same_account';
  constructor() {
    super('The money would go to the account that it comes from. Name two different accounts.');
  }
}

export class CurrencyMismatch extends Refusal {
  readonly code = 'currency_mismatch';
  constructor() {
    super('The two accounts have different currencies, and money is not exchanged. Choose accounts of one currency.');
  }
}

export class TransferWaits extends Refusal {
  readonly code = 'transfer_waits';
  constructor() {
    super(
      'A transfer of this amount waits for an approval, which one of several in a request cannot. Send it by itself, with an idempotency key.',
    );
  }
}

/** It says no more: neither which accounts exist, nor what is wrong with the name. */
export class PayeeMismatch extends Refusal {
  readonly code = 'payee_mismatch';
  constructor() {
    super('The name does not match. Send the last name of an owner of the account in payeeLastName.');
  }
}
