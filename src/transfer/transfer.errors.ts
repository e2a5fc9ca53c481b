import { Refusal } from '../shared/errors.js';

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
