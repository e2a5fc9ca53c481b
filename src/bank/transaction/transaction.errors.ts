import { Refusal, type FieldProblem } from '../../shared/errors.js';

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

/** A reversal or a simulated refund would give back more than is left of its transaction. */
export class BeyondTransaction extends Refusal {
  readonly code = 'beyond_transaction';
  override readonly errors: readonly FieldProblem[];
  constructor(problem: FieldProblem) {
    super(
      'This would give back more than is left of the transaction: postings in the other direction that refer to it count. Read the history, and post what is left.',
    );
    this.errors = [problem];
  }
}

export class TransactionNotFound extends Refusal {
  readonly code = 'transaction_not_found';
  constructor() {
    super('The account has no such transaction.');
  }
}

export class TransactionNotPosted extends Refusal {
  readonly code = 'transaction_not_posted';
  constructor() {
    super('The transaction moved no money, so there is nothing to reverse. Reverse a posted credit or debit.');
  }
}

export class TransactionIsReversal extends Refusal {
  readonly code = 'transaction_is_reversal';
  constructor() {
    super('The transaction is a reversal itself. If it was wrong, post the original transaction again under a new id.');
  }
}

/** Money that went from one account to another goes back from that one to this. */
export class TransactionOfTransfer extends Refusal {
  readonly code = 'transaction_of_transfer';
  constructor() {
    super(
      'The transaction is one of the two of a transfer, which are only taken back together. Reverse the transfer that its `reference` names.',
    );
  }
}

export class AlreadyReversed extends Refusal {
  readonly code = 'already_reversed';
  constructor() {
    super('The transaction was reversed before, and can be reversed only once.');
  }
}

/** A report would have more entries than one answer may have. */
export class TooManyTransactions extends Refusal {
  readonly code = 'too_many_transactions';
  constructor(max: number) {
    super(
      `The days have more than ${max} transactions, which is the most that one file may have. Request fewer days at once.`,
    );
  }
}
