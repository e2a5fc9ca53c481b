import { Refusal, type FieldProblem } from '../shared/errors.js';

export class AccountClosed extends Refusal {
  readonly code = 'account_closed';
  constructor() {
    super('The account is closed, and nothing can be posted to it. Post to an open account.');
  }
}

export class TransactionMismatch extends Refusal {
  readonly code = 'transaction_mismatch';
  override readonly errors: readonly FieldProblem[];
  constructor(problem: FieldProblem) {
    super(
      'A transaction with this id exists and has different content. Use a new transactionId; a posted transaction never changes.',
    );
    this.errors = [problem];
  }
}
