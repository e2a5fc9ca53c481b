import { Refusal } from '../shared/errors.js';

export class AccountNotFound extends Refusal {
  readonly code = 'account_not_found';
  constructor() {
    super('The account does not exist, or this caller may not see it.');
  }
}
