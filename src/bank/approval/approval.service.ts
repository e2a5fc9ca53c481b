import type { AccountCommand, AccountService } from '../account/account.service.js';
import { ApprovalExpired } from '../../platform/command/command.errors.js';
import type { Denial } from '../../platform/command/denial.js';
import type { IdempotencyRecords } from '../../platform/command/idempotency-record.js';
import type { ProgramCommand, ProgramCommands } from '../../platform/command/program-commands.js';
import { gatewayCaller } from '../../platform/command/recording.js';
import { windowAt } from '../../platform/repository/listing.js';
import type { ApprovalChange } from '../../shared/approval.js';
import type { Caller } from '../../shared/caller.js';
import { UUID_TEXT } from '../../shared/ids.js';
import { sliceOf, type CursorRequest, type Listing } from '../../shared/page.js';
import { deciding, type Order, type Verdict } from './approval.decision.js';
import type { ApprovalStatus, ApprovalView } from './approval.entity.js';
import { ApprovalDecided, ApprovalNotFound, OwnApproval, PersonUnknown } from './approval.errors.js';
import type { ApprovalBook } from './approval.gate.js';
import { shown } from './approval.repository.js';
import { APPROVE, EXPIRE, READ_APPROVALS, REJECT } from './approval.operations.js';

/** The operations on an approval, by the verdict. */
const VERDICTS = { approve: APPROVE, reject: REJECT, expire: EXPIRE };
/** The caller by which approvals end that were not decided in time. */
const UPKEEP = 'approvals';

type CommandsByVerdict<Command> = Readonly<Record<Verdict, Command>>;

/** Reads what waits until another person approves it, and takes the decisions about it. */
export class ApprovalService {
  constructor(
    private readonly book: ApprovalBook,
    private readonly records: IdempotencyRecords,
    private readonly accounts: AccountService,
    private readonly programs: ProgramCommands,
    private readonly deny: (denial: Denial) => void,
  ) {}

  // A request about an account is decided behind the lock of the account, and the rest behind that of the program, as
  // the commands themselves.
  private readonly onAccounts: CommandsByVerdict<AccountCommand<Order, ApprovalView>> = {
    approve: this.onAccount('approve'),
    reject: this.onAccount('reject'),
    expire: this.onAccount('expire'),
  };
  private readonly onPrograms: CommandsByVerdict<ProgramCommand<Order, ApprovalView>> = {
    approve: this.onProgram('approve'),
    reject: this.onProgram('reject'),
    expire: this.onProgram('expire'),
  };

  private onAccount(verdict: Verdict): AccountCommand<Order, ApprovalView> {
    return this.accounts.command(VERDICTS[verdict], deciding(verdict, this.book, this.records));
  }

  private onProgram(verdict: Verdict): ProgramCommand<Order, ApprovalView> {
    return this.programs.command(VERDICTS[verdict], deciding(verdict, this.book, this.records));
  }

  /** The approvals of the caller's program, of some statuses or of all, the newest first. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, statuses: readonly ApprovalStatus[] | null): Listing<ApprovalView> {
    caller.require(READ_APPROVALS);
    const { repository } = this.book;
    const window = windowAt({ form: UUID_TEXT }, request);
    return {
      page: async () =>
        sliceOf(await repository.between(caller.program, statuses, window), window, ({ approvalId }) => approvalId),
      total: () => repository.total(caller.program, statuses),
    };
  }

  /** One approval of the caller's program, or null. */
  async find(caller: Caller, approvalId: string): Promise<ApprovalView | null> {
    caller.require(READ_APPROVALS);
    const found = await this.book.repository.find(caller.program, approvalId);
    return found && shown(found);
  }

  /**
   * Returns what a request that waits would change, for those who may approve it: of decided ones nothing is kept.
   * Throws `InsufficientScope`.
   */
  async changes(caller: Caller, approvalId: string): Promise<readonly ApprovalChange[]> {
    this.onPrograms.reject.allow(caller);
    // Read with those of other approvals of a list.
    const found = await this.book.repository.one(approvalId);
    return found?.program === caller.program ? this.book.changesOf(found) : [];
  }

  /** Throws `ApprovalNotFound`. */
  async get(caller: Caller, approvalId: string): Promise<ApprovalView> {
    const found = await this.find(caller, approvalId);
    if (!found) throw new ApprovalNotFound();
    return found;
  }

  /**
   * Carries out what waits, as the caller who asked for it. Throws `ApprovalNotFound`, `OwnApproval`,
   * `PersonUnknown`, `ApprovalDecided`, `ApprovalExpired`. If what waits is no longer possible, the approval says so.
   */
  async approve(caller: Caller, approvalId: string): Promise<ApprovalView> {
    try {
      return await this.decide('approve', caller, { approvalId });
    } catch (error) {
      if (error instanceof OwnApproval || error instanceof PersonUnknown) {
        this.deny({ caller, action: 'approval.approve', accountId: null, code: error.code });
      }
      throw error;
    }
  }

  /**
   * Rejects a command that waits. The person who asked for it may do so, too. Throws as `approve`, except for
   * `OwnApproval` and `PersonUnknown`.
   */
  async reject(caller: Caller, approvalId: string, reason: string): Promise<ApprovalView> {
    return await this.decide('reject', caller, { approvalId, reason });
  }

  /** Ends the approvals whose time is over. Gives how many. */
  async expireLate(): Promise<number> {
    let ended = 0;
    for (const { program, approvalId } of await this.book.repository.late()) {
      const gateway = gatewayCaller(program, UPKEEP, { scopes: EXPIRE.scopes });
      ended += await this.decide('expire', gateway, { approvalId }).then(
        () => 1,
        // Another process was faster.
        (error: unknown) => {
          if (error instanceof ApprovalDecided || error instanceof ApprovalExpired) return 0;
          throw error;
        },
      );
    }
    return ended;
  }

  private async decide(verdict: Verdict, caller: Caller, order: Omit<Order, 'found'>): Promise<ApprovalView> {
    this.onPrograms[verdict].allow(caller);
    const found = await this.book.repository.find(caller.program, order.approvalId);
    const full = { ...order, found };
    return await (found?.accountId
      ? this.onAccounts[verdict](caller, found.accountId, full)
      : this.onPrograms[verdict](caller, full));
  }
}
