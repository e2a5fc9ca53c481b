import type { ApprovalGate } from '../../platform/command/approval.js';
import type { CommandRequest, LockTarget, SubjectLocker, Work } from '../../platform/command/command.js';
import { CommandRunner } from '../../platform/command/command-runner.js';
import type { CommandWatch } from '../../platform/command/counted.js';
import { allowing, type Denial } from '../../platform/command/denial.js';
import type { IdempotencyRecords } from '../../platform/command/idempotency-record.js';
import { UNLOCKED } from '../../platform/command/program-commands.js';
import type { Database } from '../../platform/database/orm.js';
import { windowAt } from '../../platform/repository/listing.js';
import type { Caller, Permission } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import { BANK_ID } from '../../shared/ids.js';
import type { Plain } from '../../shared/json.js';
import type { DeclaredOperation } from '../../shared/operation.js';
import type { CursorRequest, Listing } from '../../shared/page.js';
import type { AccountDenials } from './account.denials.js';
import type { AccountRestriction, AccountView } from './account.entity.js';
import { AccountNotFound } from './account.errors.js';
import { AccountList } from './account.list.js';
import { READ_ACCOUNTS, READ_RESTRICTION } from './account.operations.js';
import type { AccountFilter } from './account.inputs.js';
import type { AccountRepository } from './account.repository.js';
import type { AccountViewer } from './account.visibility.js';

export { NamesAccount } from './account.inputs.js';
export { OptionalReasonInput, Reason, ReasonInput } from './administration/administration.inputs.js';
export { PRESENT, keptDayOf, limitDayOf, clocksOf, localTime } from './account.present.js';
export type { AccountViewer } from './account.visibility.js';

/** A command on an account. Its event is named after it, whatever the API that it came through. */
export interface AccountCommand<Input, Result> {
  /**
   * Throws what `CommandRunner.kind` says, and `AccountNotFound`. What its caller may not do is put on record. A dry
   * run decides, and writes nothing.
   */
  (caller: Caller, accountId: string, input: Input, dryRun?: boolean): Promise<Result>;
  /**
   * Throws `InsufficientScope` or `ProgramWideOnly`, and puts the attempt on record, unless the caller may give the
   * command: for methods that look at the input before they give it. `accountId` is null where the input says which
   * account.
   */
  readonly allow: (caller: Caller, accountId: string | null) => void;
}

/** Refusals for want of a right. Other refusals hold for every caller. */
const DENIALS: ReadonlySet<string> = new Set([
  'insufficient_scope',
  'program_wide_only',
  'not_for_agents',
  'agents_only_read',
  'account_not_found',
]);

export class AccountService {
  /** Locks accounts for commands, as far as their callers see them. */
  readonly locking: SubjectLocker<AccountView>;
  private readonly runner: CommandRunner<AccountView>;
  private readonly creations: CommandRunner<string>;
  private readonly lists: AccountList;

  constructor(
    database: Database,
    readonly repository: AccountRepository,
    records: IdempotencyRecords,
    private readonly denials: AccountDenials,
    watch: CommandWatch,
    approvals: ApprovalGate,
  ) {
    this.locking = {
      owns: target => repository.owns(viewerOfTarget({ ...target, isOther: false })),
      lock: (transaction, targets, waits) => repository.lock(transaction, targets.map(viewerOfTarget), waits),
      notFound: ({ accountId }) => new AccountNotFound(accountId),
    };
    this.lists = new AccountList(database, repository);
    this.runner = new CommandRunner(database, records, this.locking, watch, approvals);
    // There is nothing yet that could be locked. Of two commands that make the same account, the primary key lets one
    // through; the other runs again and finds the account.
    this.creations = new CommandRunner(database, records, UNLOCKED, watch, approvals);
  }

  /** One account, or null when there is none that the caller may see. */
  async find(caller: Caller, accountId: string): Promise<AccountView | null> {
    caller.require(READ_ACCOUNTS);
    return this.see(caller, accountId);
  }

  /** The account if the caller sees it. Throws `AccountNotFound` otherwise. */
  async get(caller: Caller, accountId: string): Promise<AccountView> {
    caller.require(READ_ACCOUNTS);
    return this.mustSee(caller, accountId);
  }

  /** The restriction of an account that the caller sees, or null. */
  restriction(caller: Caller, { restrictedAt, restrictionReason }: AccountView): AccountRestriction | null {
    caller.require(READ_RESTRICTION);
    return restrictedAt === null ? null : { restrictedAt, reason: restrictionReason ?? '' };
  }

  /** The account, for reads of what belongs to it, which need a scope of their own. Throws `AccountNotFound`. */
  async mustSee(caller: Caller, accountId: string): Promise<AccountView> {
    const account = await this.see(caller, accountId);
    if (!account) throw new AccountNotFound();
    return account;
  }

  /**
   * Returns what belongs to an account that the caller sees, or null. Throws `InsufficientScope` before it looks for
   * the account, so that the refusal does not tell whether there is one.
   */
  async within<Found>(
    caller: Caller,
    permission: Permission,
    accountId: string,
    find: (account: AccountView) => Promise<Found | null>,
  ): Promise<Found | null> {
    caller.require(permission);
    const account = await this.see(caller, accountId);
    return account && find(account);
  }

  /** Finds what belongs to an account by the ids of both, as `within` does. */
  finding<Found>(
    permission: Permission,
    find: (caller: Caller, account: AccountView, id: string) => Promise<Found | null>,
  ): (caller: Caller, accountId?: string, id?: string) => Promise<Found | null> {
    return (caller, accountId = '', id = '') =>
      this.within(caller, permission, accountId, account => find(caller, account, id));
  }

  /** Puts on record what a command refused of one thing of several, where that was denied. */
  refused(denial: Denial): void {
    if (DENIALS.has(denial.code)) this.denials.add(denial);
  }

  /** The accounts the caller may see, by id. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, filter: AccountFilter | null): Listing<AccountView> {
    caller.require(READ_ACCOUNTS);
    const window = windowAt({ form: BANK_ID }, request);
    return {
      page: () => this.lists.slice(caller, filter ?? {}, window),
      total: () => this.lists.count(caller, filter ?? {}),
    };
  }

  /**
   * A kind of command on accounts, whose events have the name of its operation, such as `beneficiary.add`: see `Work`.
   */
  command<Input, Fact, Result, Draft>(
    operation: DeclaredOperation,
    work: Work<Input, AccountView, Fact, Plain<Result>, Draft>,
  ): AccountCommand<Input, Result> {
    return this.kind(this.runner, operation, work);
  }

  /** A kind of command that makes an account. Its subject is the program that the account is to belong to. */
  creation<Input, Fact, Result, Draft>(
    operation: DeclaredOperation,
    work: Work<Input, string, Fact, Plain<Result>, Draft>,
  ): AccountCommand<Input, Result> {
    return this.kind(this.creations, operation, work);
  }

  private kind<Input, Subject, Fact, Result, Draft>(
    runner: CommandRunner<Subject>,
    operation: DeclaredOperation,
    work: Work<Input, Subject, Fact, Plain<Result>, Draft>,
  ): AccountCommand<Input, Result> {
    const run = runner.kind<Input, Fact, Result, Draft>(operation, {
      ...work,
      readFacts: (transaction, requests) =>
        work.readFacts?.(transaction, requests.map(comparable)) ?? Promise.resolve([]),
    });
    const command = async (caller: Caller, accountId: string, input: Input, dryRun?: boolean): Promise<Result> => {
      try {
        return await run(caller, accountId, input, dryRun);
      } catch (error) {
        if (error instanceof Refusal && DENIALS.has(error.code)) {
          const others = error instanceof AccountNotFound ? (work.others?.(input) ?? []) : [];
          for (const named of new Set([accountId, ...others])) {
            this.denials.add({ caller, action: operation.name, accountId: named, code: error.code });
          }
        }
        throw error;
      }
    };
    return Object.assign(command, { allow: allowing(operation, denial => this.denials.add(denial)) });
  }

  private async see(caller: Caller, accountId: string): Promise<AccountView | null> {
    if (!BANK_ID.test(accountId)) return null;
    return this.repository.see({ accountId, program: caller.program, customerId: caller.customerId });
  }
}

function viewerOfTarget(target: LockTarget): AccountViewer {
  const { accountId, caller, isOther = false, isHidden = false } = comparable(target);
  return {
    accountId: isHidden ? '' : accountId,
    program: caller.program,
    customerId: isOther ? null : caller.customerId,
  };
}

// A text that cannot be the id of an account is compared with none: PostgreSQL may not take it as text.
function comparable<Named extends Pick<CommandRequest<unknown>, 'accountId'>>(request: Named): Named {
  return BANK_ID.test(request.accountId) ? request : { ...request, accountId: '' };
}
