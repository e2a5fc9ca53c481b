import {
  APPROVAL_DAYS,
  type ApprovalGate,
  type ApprovalTerms,
  type WaitingCommand,
} from '../../platform/command/approval.js';
import type { CommandKind } from '../../platform/command/command.js';
import type { PendingCommand } from '../../platform/command/decision.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import type { ApprovalChange } from '../../shared/approval.js';
import { Caller, PROGRAM_WIDE } from '../../shared/caller.js';
import type { ApprovalRead, ApprovalRequest } from './approval.entity.js';
import type { ApprovalRepository } from './approval.repository.js';

/** Keeps the commands that wait, and makes them ready to be done. */
export class ApprovalBook implements ApprovalGate {
  readonly days: number;
  private readonly kinds = new Map<string, CommandKind<never>>();

  /** An approval must not outlive the record under its key: a retry would begin the command once more. */
  constructor(
    readonly repository: ApprovalRepository,
    keyDays: number,
  ) {
    this.days = Math.min(APPROVAL_DAYS, keyDays);
  }

  admit(kind: CommandKind<never>): void {
    const isForCustomers = kind.work.approval?.isForCustomers ?? false;
    if (!isForCustomers && !kind.scopes.some(scope => PROGRAM_WIDE.has(scope))) {
      throw new Error(`${kind.name} may wait, so it must be for program-wide callers`);
    }
    this.kinds.set(kind.name, kind);
  }

  terms(transaction: StatementSender, callers: readonly Caller[]): Promise<readonly ApprovalTerms[]> {
    return this.repository.terms(transaction, callers);
  }

  keeping(waiting: readonly WaitingCommand[]): SqlQuery[] {
    const { repository } = this;
    const drafts = waiting.map(({ approval, program, keyHash, customerId, keptBack, ...request }) =>
      repository.draft({
        ...approval,
        program,
        keyHash,
        customerId,
        keptBackMinor: keptBack?.amountMinor ?? 0n,
        request: { ...request, customerId },
      }),
    );
    const held = waiting.flatMap(({ approval: { accountId }, keptBack }) =>
      accountId !== null && keptBack ? [{ accountId, heldMinor: keptBack.heldMinor }] : [],
    );
    return [repository.insertion(drafts), ...repository.holding(held)];
  }

  /** Returns what an approver reads of a command that waits: what it would change, and what belongs to it now. */
  async changesOf(approval: ApprovalRead): Promise<readonly ApprovalChange[]> {
    const { request, status } = approval;
    if (!request) return [];
    const command = status === 'WAITING' ? this.commandOf<never>(approval) : null;
    const details = (await command?.kind.work.approval?.describe?.(command)) ?? [];
    return [...(request.changes ?? []), ...details];
  }

  /**
   * The command that an approval is for, as its caller gave it. What the caller was allowed is not asked again: the
   * gateway knows no rights but those of tokens, and the token was good when the command was sent.
   */
  commandOf<Subject>(approval: ApprovalRead): PendingCommand<Subject> {
    const { program, clientId, subject, actor, requestId, accountId, command, keyHash } = approval;
    const kind = this.kinds.get(command) as CommandKind<Subject> | undefined;
    if (!kind) throw new Error(`an approval waits for ${command}, which is no kind of command that may wait`);
    const { input, recorded, customerId = null } = approval.request as ApprovalRequest;
    const scopes = new Set(kind.scopes);
    const identity = { program, clientId, subject, ...(actor !== null && { actor }), customerId, scopes };
    const caller = new Caller(identity, requestId);
    return { caller, accountId: accountId ?? '', input, kind, keyHash, sharedKey: null, recorded, dryRun: false };
  }
}
