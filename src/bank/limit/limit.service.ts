import type { AccountView } from '../account/account.entity.js';
import { mustNotBeClosed } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { batcher } from '../../platform/repository/batcher.js';
import type { Caller } from '../../shared/caller.js';
import { mustBeExpected, nextVersion, type VersionCondition } from '../../shared/version.js';
import type { TransferLimitsView } from './limit.entity.js';
import { CHANGE_LIMITS, READ_LIMITS } from './limit.operations.js';
import type { LimitRepository } from './limit.repository.js';
import {
  changedLimits,
  comparedChange,
  limitTexts,
  shownLimits,
  type LimitChangeSent,
  type LimitFacts,
  type Limits,
} from './limit.rules.js';

export { mustBeWithinCardLimit, mustBeWithinLimits, usedBy, type LimitFacts, type LimitUse } from './limit.rules.js';

interface LimitChange extends VersionCondition {
  readonly change: LimitChangeSent;
}

/** The draft of a change. */
interface LimitDraft {
  readonly accountId: string;
  readonly version: number;
  readonly own: Limits;
  /** Own limits before and after, as texts by their names. */
  readonly before: ReturnType<typeof limitTexts>;
  readonly after: ReturnType<typeof limitTexts>;
}

/** Sets and reads how much may leave accounts: what their programs say, and what operators set for single accounts. */
export class LimitService {
  private readonly read = batcher<AccountView, LimitFacts>(accounts =>
    this.repository.all(
      { query: (statement, values) => this.database.queryTogether(statement, values) },
      accounts.map(({ accountId }) => accountId),
    ),
  );

  constructor(
    private readonly database: Database,
    private readonly repository: LimitRepository,
    private readonly accounts: AccountService,
  ) {}

  /** The limits of an account that the caller sees, and what is left of them. */
  async of(caller: Caller, account: AccountView): Promise<TransferLimitsView> {
    caller.require(READ_LIMITS);
    return shownLimits(account.accountId, account.currency, await this.read(account));
  }

  /** Throws `AccountNotFound`. */
  async get(caller: Caller, accountId: string): Promise<TransferLimitsView> {
    caller.require(READ_LIMITS);
    return this.of(caller, await this.accounts.mustSee(caller, accountId));
  }

  private readonly changing = this.accounts.command<LimitChange, LimitFacts, TransferLimitsView, LimitDraft>(
    CHANGE_LIMITS,
    {
      recorded: ({ accountId, input }) => ({ accountId, ...comparedChange(input.change) }),
      isPatch: true,
      readFacts: (transaction, requests) =>
        this.repository.all(
          transaction,
          requests.map(({ accountId }) => accountId),
        ),
      permit: (account, facts, { input }) => {
        mustNotBeClosed(account);
        const { accountId, currency } = account;
        mustBeExpected(facts, input);
        const { version } = nextVersion(facts);
        const own = changedLimits(facts.own, input.change, currency);
        const [before, after] = [limitTexts(facts.own, currency), limitTexts(own, currency)];
        const isUnchanged = Object.entries(after).every(([name, text]) => before[name as keyof typeof before] === text);
        return {
          result: shownLimits(accountId, currency, isUnchanged ? facts : { ...facts, own, version }),
          draft: { accountId, version, own, before, after },
          isUnchanged,
        };
      },
      write: accepted => this.repository.writing(accepted.map(({ draft }) => draft)),
      event: ({ accountId, input, draft: { before, after } }) => ({
        object: `account/${accountId}`,
        data: { changed: Object.keys(comparedChange(input.change)), ...after, before },
      }),
      approval: {
        needs: ({ changingTransferLimits }) => changingTransferLimits,
        changes: ({ draft: { before, after } }) =>
          (Object.keys(after) as (keyof typeof after)[])
            .filter(name => before[name] !== after[name])
            .map(name => ({ field: `transferLimits/${name}`, before: before[name], after: after[name] })),
      },
    },
  );

  /** Merges a patch. Throws `AccountNotFound`, `PreconditionFailed`, `AccountClosed`, `InvalidInput`. */
  async change(
    caller: Caller,
    accountId: string,
    change: LimitChangeSent,
    expected: VersionCondition,
    dryRun: boolean,
  ): Promise<TransferLimitsView> {
    return await this.changing(caller, accountId, { change, ...expected }, dryRun);
  }

  /** Reads the facts that decide on transfers from locked accounts. */
  ofTransfers(transaction: StatementSender, accountIds: readonly string[]): Promise<LimitFacts[]> {
    return this.repository.ofTransfers(transaction, accountIds);
  }

  /** Reads the facts that decide on holds of cards of locked accounts. */
  ofCardHolds(transaction: StatementSender, accountIds: readonly string[]): Promise<LimitFacts[]> {
    return this.repository.ofCardHolds(transaction, accountIds);
  }
}
