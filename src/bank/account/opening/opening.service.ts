import type { CustomerRead, OwnerService } from '../../owner/owner.service.js';
import type { CommandRequest } from '../../../platform/command/command.js';
import type { ForeignIds } from '../../../platform/command/foreign-ids.js';
import { newId } from '../../../platform/command/new-id.js';
import type { Database } from '../../../platform/database/orm.js';
import type { StatementSender } from '../../../platform/database/transaction.js';
import type { Caller } from '../../../shared/caller.js';
import { InvalidInput } from '../../../shared/errors.js';
import { metadataAfter } from '../../../shared/metadata.js';
import type { AccountView } from '../account.entity.js';
import { AccountExists } from '../account.errors.js';
import { mustBeUsable, newAccountOf, openingDraft, unknownOwners, type OpeningDraft } from './account.opening.js';
import { todayIn } from '../account.present.js';
import { accountOf, limitText, recordedOf, type RecordedAccount } from '../account.record.js';
import type { AccountService } from '../account.service.js';
import { openedFacts } from '../administration/administration.events.js';
import type { AccountDetails } from '../administration/administration.inputs.js';
import { OPEN_ACCOUNT } from '../account.operations.js';

/** A new account as clients send it; its limit is a decimal text, or a JSON number over REST. */
export type AccountSent = AccountDetails & {
  readonly openedOn?: string | null;
  readonly overdraftLimit?: string | number | null;
};

const OPENING = 'account.open';

interface OpeningFacts {
  /** The program that has an account with this id; null where there is none. */
  readonly takenBy: string | null;
  /** The program that had one until it ended; null where there was none. */
  readonly endedIn: string | null;
  readonly customers: ReadonlyMap<string, CustomerRead>;
  /** The day where the account is. */
  readonly today: string;
}

/** Opens accounts, by the rules of their import. */
export class OpeningService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly owners: OwnerService,
    private readonly foreignIds: ForeignIds,
  ) {}

  private readonly opening = this.accounts.creation<AccountSent, OpeningFacts, RecordedAccount, OpeningDraft>(
    OPEN_ACCOUNT,
    {
      recorded: ({ input }) => ({
        ...input,
        accountId: input.accountId ?? null,
        metadata: metadataAfter({}, input.metadata),
        openedOn: input.openedOn ?? null,
        overdraftLimit: limitText(input.overdraftLimit ?? null),
      }),
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (program, { takenBy, endedIn, customers, today }, { accountId, input }) => {
        const account = newAccountOf({ ...input, accountId, openedOn: input.openedOn ?? today });
        if ('pointer' in account) throw new InvalidInput('rule_broken', [account]);
        mustBeUsable(program, takenBy, endedIn);
        if (takenBy !== null) throw new AccountExists();
        const problems = unknownOwners(input.owners, customers);
        if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
        return {
          result: recordedOf(account),
          draft: openingDraft(this.accounts.repository, program, account, input.owners),
        };
      },
      // In the order of their ids, so that two transactions which open the same accounts never wait for each other in a
      // circle.
      write: accepted => {
        const drafts = accepted.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
        return [
          this.accounts.repository.insertion(drafts.map(({ draft }) => draft.account)),
          this.accounts.repository.ownerships.insertion(drafts.flatMap(({ draft }) => draft.owners)),
        ];
      },
      event: ({ input, result }) => openedFacts(result, input.owners),
    },
  );

  /**
   * Opens an account, under an id of ours where the input has none. Throws `AccountExists`, `AccountEnded`,
   * `TooManyForeignIds`, `InvalidInput`.
   */
  async open(caller: Caller, input: AccountSent, dryRun = false): Promise<AccountView> {
    this.opening.allow(caller, null);
    const [ofZone = []] = await this.accounts.repository.timeZoneProblems([input.timeZone]);
    if (ofZone.length > 0) throw new InvalidInput('rule_broken', ofZone);
    const accountId = input.accountId ?? newId(caller, this.database.cluster);
    const open = () => this.opening(caller, accountId, input, dryRun);
    return accountOf(await this.foreignIds.guard(caller, { action: OPENING, accountId }, open));
  }

  private async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<AccountSent>[],
  ): Promise<OpeningFacts[]> {
    const customersAsked = requests.map(({ caller, input }) => ({
      program: caller.program,
      customerIds: input.owners,
    }));
    const accountIds = requests.map(({ accountId }) => accountId);
    const [accounts, ended, customers, todays] = await Promise.all([
      this.accounts.repository.each(
        transaction,
        accountIds.map(id => [id]),
      ),
      this.accounts.repository.endedIn(transaction, accountIds),
      this.owners.repository.inPrograms(transaction, customersAsked),
      todayIn(
        transaction,
        requests.map(({ caller: { program }, input: { timeZone } }) => ({ program, timeZone })),
      ),
    ]);
    return accounts.map((account, index) => ({
      takenBy: account?.program ?? null,
      endedIn: ended[index] ?? null,
      customers: customers[index] as OpeningFacts['customers'],
      today: todays[index] as string,
    }));
  }
}
