import { Refusal, type FieldProblem, type RefusalKind } from '../../shared/errors.js';
import type { ProblemCode } from '../../shared/problems.js';

export class IdempotencyKeyReused extends Refusal {
  readonly code = 'idempotency_key_reused';
  constructor() {
    super('This idempotency key was used for a different request. Nothing was done. Use a new key for a new request.');
  }
}

export class IdempotencyInProgress extends Refusal {
  readonly code = 'idempotency_in_progress';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super('The first request with this idempotency key is still running. Send the same request again in a second.');
  }
}

/** A refusal as it is kept under an idempotency key. */
export interface RefusalRecord {
  readonly kind: RefusalKind;
  readonly code: ProblemCode;
  readonly message: string;
  readonly errors?: readonly FieldProblem[];
}

/** A refusal that a command decided the first time, said again word by word. */
export class RecordedRefusal extends Refusal {
  readonly code: ProblemCode;
  override readonly errors?: readonly FieldProblem[];
  constructor({ code, message, errors }: RefusalRecord) {
    super(message);
    this.code = code;
    this.errors = errors;
  }
}
