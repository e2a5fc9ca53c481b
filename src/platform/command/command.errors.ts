import type { WaitingApproval } from '../../shared/approval.js';
import { ApprovalRequired, Refusal, type FieldProblem, type RefusalKind } from '../../shared/errors.js';

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

export class IdempotencyKeyRequired extends Refusal {
  readonly code = 'idempotency_key_required';
  constructor() {
    super(
      'This request must wait for an approval, and its result is kept under its idempotency key. Nothing was done. Send it again with an idempotency key.',
    );
  }
}

/** An agent wants to change something of a program whose record lets agents read alone. */
export class AgentsOnlyRead extends Refusal {
  readonly code = 'agents_only_read';
  constructor() {
    super(
      'The request comes from an agent, and agents only read in this program. Let a person make it, or set approvals.agentProposals in the record of the program.',
    );
  }
}

/** An agent proposes something without the reason that its approver has to read. */
export class AgentReasonRequired extends Refusal {
  readonly code = 'agent_reason_required';
  constructor() {
    super(
      'The request comes from an agent, and a person approves it by its reason. State that in the header Agent-Reason.',
    );
  }
}

export class TooManyApprovals extends Refusal {
  readonly code = 'too_many_approvals';
  constructor(of: 'customer' | 'client' | 'program') {
    super(`Too many requests of this ${of} wait for an approval. Let some of them be approved or rejected first.`);
  }
}

/** A refusal as it is kept under an idempotency key. */
export interface RefusalRecord {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldProblem[];
  /** The approval of a command that waits. */
  readonly approval?: WaitingApproval;
}

/** A refusal as it is recorded under a key. */
export function recordOfRefusal({ kind, code, message, errors }: Refusal): RefusalRecord {
  return { kind, code, message, ...(errors && { errors }) };
}

/** A refusal as it was kept. */
export function refusalOfRecord(record: RefusalRecord): Refusal {
  return record.approval ? new ApprovalRequired(record.approval) : new RecordedRefusal(record);
}

/** A refusal that a command decided the first time, said again word by word. */
class RecordedRefusal extends Refusal {
  readonly code: string;
  override readonly errors?: readonly FieldProblem[];
  constructor(private readonly record: RefusalRecord) {
    super(record.message);
    this.code = record.code;
    this.errors = record.errors;
  }

  override get kind(): RefusalKind {
    return this.record.kind;
  }
}

/** The refusal that the retry of a command gets whose approval was rejected. */
export class ApprovalRejected extends Refusal {
  readonly code = 'approval_rejected';
  constructor() {
    super('Somebody rejected this request, so it is not carried out. The `reason` of its approval says why.');
  }
}

/** The approval of a command has expired: the answer to its retry, and to a decision that comes too late. */
export class ApprovalExpired extends Refusal {
  readonly code = 'approval_expired';
  constructor() {
    super('Nobody approved the request in time, so it is not carried out. Send it again with a new idempotency key.');
  }
}
