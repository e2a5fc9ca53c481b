import { Refusal, type FieldProblem } from '../shared/errors.js';

export class AccountClosed extends Refusal {
  readonly code = 'account_closed';
  constructor() {
    super('The account is closed: nothing is posted to it any more.');
  }
}

export class TransactionMismatch extends Refusal {
  readonly code = 'transaction_mismatch';
  override readonly errors: readonly FieldProblem[];
  constructor(pointer: string) {
    super(
      'A transaction with this id is on the ledger with other content. What is posted never changes: give a new id.',
    );
    this.errors = [{ pointer, code: 'different_transaction', detail: 'Is on the ledger with other content.' }];
  }
}
