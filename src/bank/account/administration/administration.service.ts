import type { EventFacts, AcceptedCommand } from '../../../platform/command/command.js';
import type { StatementSender, SqlQuery } from '../../../platform/database/transaction.js';
import { patchedMetadata } from '../../../platform/input/metadata.js';
import type { Draft } from '../../../platform/repository/batched-repository.js';
import type { Caller } from '../../../shared/caller.js';
import { InvalidInput } from '../../../shared/errors.js';
import { isEqual } from '../../../shared/metadata.js';
import { mustBeExpected, nextVersion, type VersionCondition } from '../../../shared/version.js';
import type { AccountStatus, AccountView } from '../account.entity.js';
import {
  AccountHasHolds,
  AccountNotEmpty,
  AccountNotRestricted,
  mustBeOpen,
  mustNotBeClosed,
} from '../account.errors.js';
import { accountOf, limitMinorOf, limitText, recordedOf, type RecordedAccount } from '../account.record.js';
import type { AccountCommand, AccountService } from '../account.service.js';
import { approvalChanges, updatedFacts } from './administration.events.js';
import type { AccountPatch } from './administration.inputs.js';
import { CLOSE_ACCOUNT, RESTRICT_ACCOUNT, UNRESTRICT_ACCOUNT, UPDATE_ACCOUNT } from '../account.operations.js';
import type { DeclaredOperation } from '../../../shared/operation.js';

/** Changes of an account as clients send them; the limit is a decimal text, or a JSON number over REST. */
export type AccountChangeSent = Omit<AccountPatch, 'overdraftLimit'> & {
  readonly overdraftLimit?: string | number | null;
};

/** The steps of an account's life, by the names of the service. */
export type AccountStep = 'restrict' | 'unrestrict' | 'close';

interface StepInput extends VersionCondition {
  readonly reason: string | null;
}
interface Change extends VersionCondition {
  readonly change: AccountChangeSent;
}

/** A card that is used, or may be used later. */
export interface UsableCard {
  readonly cardId: string;
  readonly status: string;
}

/** The cards of accounts, for commands on accounts, which do not know their cards. */
export interface CardsOfAccounts<Card extends UsableCard> {
  /** The cards of each account that are not lost, stolen or closed. */
  usable(transaction: StatementSender, accountIds: readonly string[]): Promise<readonly (readonly Card[])[]>;
  /** Closes cards, each with its event. */
  closing(by: Caller, accountId: string, cards: readonly Card[]): readonly SqlQuery[];
}

/** Changes accounts that exist, for operators. */
export class AdministrationService<Card extends UsableCard = UsableCard> {
  constructor(
    private readonly accounts: AccountService,
    private readonly cards: CardsOfAccounts<Card>,
  ) {}

  private readonly rewriting = this.accounts.repository.updating([
    'accountType',
    'timeZone',
    'interestBearing',
    'overdraftLimitMinor',
    'metadata',
    'updatedAt',
  ]);
  private readonly updating = this.accounts.command<Change, undefined, RecordedAccount, AccountDraft>(UPDATE_ACCOUNT, {
    recorded: ({
      accountId,
      input: {
        change: { overdraftLimit, ...others },
      },
    }) => ({
      accountId,
      ...others,
      ...(overdraftLimit !== undefined && { overdraftLimit: limitText(overdraftLimit) }),
    }),
    isPatch: true,
    permit: (account, _, { input }) => {
      mustBeExpected(account, input);
      mustNotBeClosed(account);
      const {
        timeZone = account.timeZone,
        accountType = account.accountType,
        interestBearing = account.interestBearing,
      } = input.change;
      const overdraftLimitMinor = limitAfter(account, input.change.overdraftLimit);
      const metadata = patchedMetadata(account.metadata, input.change.metadata);
      const changes = { accountType, timeZone, interestBearing, overdraftLimitMinor };
      const isUnchanged =
        isEqual(metadata, account.metadata) &&
        (Object.keys(changes) as (keyof typeof changes)[]).every(name => changes[name] === account[name]);
      const changed = afterChanges(account, { ...changes, metadata });
      return isUnchanged ? { ...changed, result: recordedOf(account), isUnchanged } : changed;
    },
    write: accepted => {
      const moved = accepted.filter(({ draft }) => isMoved(draft)).map(({ accountId }) => accountId);
      return [
        ...(moved.length > 0 ? [this.accounts.repository.keepingDays(moved)] : []),
        ...drafted(this.rewriting)(accepted),
      ];
    },
    event: ({ input, result, draft: { before } }) => updatedFacts(result, Object.keys(input.change), before),
    // Limits go by the days of the account.
    approval: {
      concerns: ({ change }) => change.timeZone !== undefined,
      needs: ({ changingTransferLimits }, { draft }) => changingTransferLimits && isMoved(draft),
      changes: ({ result }, before) => approvalChanges(result, before),
    },
  });

  /** Merges a patch. Throws `AccountNotFound`, `PreconditionFailed`, `AccountClosed`, `InvalidInput`. */
  async update(
    caller: Caller,
    accountId: string,
    change: AccountChangeSent,
    expected: VersionCondition = {},
    dryRun = false,
  ): Promise<AccountView> {
    this.updating.allow(caller, accountId);
    const [ofZone = []] = await this.accounts.repository.timeZoneProblems([change.timeZone]);
    if (ofZone.length > 0) throw new InvalidInput('rule_broken', ofZone);
    return accountOf(await this.updating(caller, accountId, { change, ...expected }, dryRun));
  }

  private readonly switching = this.accounts.repository.updating([
    'status',
    'updatedAt',
    'closedAt',
    'restrictedAt',
    'restrictionReason',
  ]);
  private readonly steps: Readonly<Record<AccountStep, AccountCommand<StepInput, RecordedAccount>>> = {
    restrict: this.turn(RESTRICT_ACCOUNT, 'RESTRICTED', mustBeOpen),
    unrestrict: this.turn(UNRESTRICT_ACCOUNT, 'OPEN', account => {
      mustNotBeClosed(account);
      if (account.status !== 'RESTRICTED') throw new AccountNotRestricted();
    }),
    close: this.closure(),
  };

  /**
   * A step of an account's life. Only `unrestrict` may have no reason. Throws `AccountNotFound`, `PreconditionFailed`,
   * `AccountClosed`; `AccountRestricted` where `restrict` is done already,
   * `AccountNotRestricted` where there is nothing to lift; and of `close` `AccountNotEmpty`, `AccountHasHolds`.
   */
  async take(
    caller: Caller,
    step: AccountStep,
    accountId: string,
    reason: string | null,
    expected: VersionCondition = {},
    dryRun = false,
  ): Promise<AccountView> {
    return accountOf(await this.steps[step](caller, accountId, { reason, ...expected }, dryRun));
  }

  private turn(
    operation: DeclaredOperation,
    status: AccountStatus,
    check: (account: AccountView) => void,
  ): AccountCommand<StepInput, RecordedAccount> {
    return this.accounts.command<StepInput, undefined, RecordedAccount, AccountDraft>(operation, {
      permit: (account, _, { input }) => {
        mustBeExpected(account, input);
        check(account);
        return afterStep(account, status, input);
      },
      write: drafted(this.switching),
      event: ({ accountId, input, result }) => turned(accountId, result.status, input, {}),
    });
  }

  private closure(): AccountCommand<StepInput, RecordedAccount> {
    return this.accounts.command<StepInput, readonly Card[], RecordedAccount, AccountDraft>(CLOSE_ACCOUNT, {
      readFacts: (transaction, requests) =>
        this.cards.usable(
          transaction,
          requests.map(({ accountId }) => accountId),
        ),
      permit: (account, _, { input }) => {
        mustBeExpected(account, input);
        mustNotBeClosed(account);
        if (account.balanceMinor !== 0n) throw new AccountNotEmpty();
        if (account.heldMinor !== 0n) throw new AccountHasHolds();
        return afterStep(account, 'CLOSED', input);
      },
      write: accepted => [
        this.switching(accepted.map(({ draft }) => draft.row)),
        ...accepted.flatMap(({ caller, accountId, fact }) => this.cards.closing(caller, accountId, fact)),
      ],
      event: ({ accountId, input, result, fact }) =>
        turned(accountId, result.status, input, { cardIds: fact.map(({ cardId }) => cardId) }),
      approval: {
        needs: ({ closingAccounts }) => closingAccounts,
        changes: ({ result, fact }, account) => [
          { field: 'status', before: account.status, after: result.status },
          ...fact.map(({ cardId, status }) => ({ field: `cards/${cardId}/status`, before: status, after: 'CLOSED' })),
        ],
      },
    });
  }
}

function limitAfter(
  { overdraftLimitMinor, currency }: AccountView,
  limit: AccountChangeSent['overdraftLimit'],
): bigint {
  if (limit === undefined) return overdraftLimitMinor;
  const minor = limitMinorOf(limitText(limit), currency);
  if (typeof minor !== 'bigint') throw new InvalidInput('rule_broken', [minor]);
  return minor;
}

type AccountChanges = Partial<
  Pick<
    AccountView,
    | 'accountType'
    | 'timeZone'
    | 'interestBearing'
    | 'overdraftLimitMinor'
    | 'metadata'
    | 'status'
    | 'closedAt'
    | 'restrictedAt'
    | 'restrictionReason'
  >
>;

/** The row that is written of an account, and the account before. */
interface AccountDraft {
  readonly row: Draft;
  readonly before: AccountView;
}

/** True if the account gets other days. */
function isMoved({ row, before }: AccountDraft): boolean {
  return row['time_zone'] !== before.timeZone;
}

/** The account with changes, as the command gives it and as it is written. */
function afterChanges(
  account: AccountView,
  changes: AccountChanges,
  next = nextVersion(account),
): { readonly result: RecordedAccount; readonly draft: AccountDraft } {
  const result = recordedOf({ ...account, ...changes, ...next });
  const row = {
    account_id: result.accountId,
    account_type: result.accountType,
    time_zone: result.timeZone,
    interest_bearing: result.interestBearing,
    overdraft_limit_minor: result.overdraftLimitMinor,
    metadata: result.metadata,
    status: result.status,
    updated_at: result.updatedAt,
    closed_at: result.closedAt,
    restricted_at: result.restrictedAt,
    restriction_reason: result.restrictionReason,
  };
  return { result, draft: { row, before: account } };
}

/** The account after a step of its life. The reason is shown as long as a restriction lasts. */
function afterStep(
  account: AccountView,
  status: AccountStatus,
  { reason }: StepInput,
): ReturnType<typeof afterChanges> {
  const next = nextVersion(account);
  const isRestricted = status === 'RESTRICTED';
  const changes = {
    status,
    closedAt: status === 'CLOSED' ? next.updatedAt : null,
    restrictedAt: isRestricted ? next.updatedAt : null,
    restrictionReason: isRestricted ? reason : null,
  };
  return afterChanges(account, changes, next);
}

function drafted<Input>(writing: (drafts: readonly Draft[]) => SqlQuery) {
  return (accepted: readonly AcceptedCommand<Input, undefined, RecordedAccount, AccountDraft>[]): SqlQuery[] => [
    writing(accepted.map(({ draft }) => draft.row)),
  ];
}

/** The reason is on record, and is no fact that a type of events declares: readers of the feed never get it. */
function turned(accountId: string, status: AccountStatus, { reason }: StepInput, more: object): EventFacts {
  return { object: `account/${accountId}`, data: { status, ...more, ...(reason !== null && { reason }) } };
}
