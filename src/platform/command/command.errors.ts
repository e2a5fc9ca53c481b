import { Refusal, type FieldProblem, type RefusalKind } from '../../shared/errors.js';

export class IdempotencyKeyReused extends Refusal {
  readonly kind = 'rule_broken';
  readonly code = 'idempotency_key_reused';
  constructor() {
    super('This idempotency key was used for another request. Nothing was done: use a new key for a new request.');
  }
}

export class IdempotencyInProgress extends Refusal {
  readonly kind = 'conflict';
  readonly code = 'idempotency_in_progress';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super('The first request with this idempotency key is still running. Send the same request again in a second.');
  }
}

/** A refusal as it is kept under an idempotency key. */
export interface RefusalRecord {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldProblem[];
}

/** A refusal that a command decided the first time, said again word by word. */
export class RecordedRefusal extends Refusal {
  readonly kind: RefusalKind;
  readonly code: string;
  override readonly errors?: readonly FieldProblem[];
  constructor({ kind, code, message, errors }: RefusalRecord) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.errors = errors;
  }
}
