import type { KeyRing } from '../../../platform/crypto/key-ring.js';
import type { Database } from '../../../platform/database/orm.js';
import type { StatementSender } from '../../../platform/database/transaction.js';
import type { ApprovalPolicy, CommandRequest, EventFacts } from '../../../platform/command/command.js';
import { BatchedRepository, type Draft } from '../../../platform/repository/batched-repository.js';
import { seenBy } from '../../person/person.masks.js';
import type { Owner } from '../../owner/owner.entity.js';
import type { CustomerRead, OwnerService } from '../../owner/owner.service.js';
import type { Caller } from '../../../shared/caller.js';
import type { AccountOwner, AccountView } from '../account.entity.js';
import { mustNotBeClosed } from '../account.errors.js';
import { MAX_OWNERS } from '../account.inputs.js';
import type { AccountCommand, AccountService } from '../account.service.js';
import { FormerOwner } from './former-owner.entity.js';
import type { OwnerResult } from './ownership.entity.js';
import { ADD_OWNERS, REMOVE_OWNERS } from '../account.operations.js';

/** A result as it is recorded: the account is that of the command. */
type RecordedOwnerResult = Omit<OwnerResult, 'accountId' | 'owner'> & {
  readonly owner: Omit<Owner, 'accountId'> | null;
};
interface Customers {
  /** Each once. */
  readonly customerIds: readonly string[];
}
interface OwnershipFacts {
  /** In their order. */
  readonly owners: readonly Pick<AccountOwner, 'customerId' | 'position'>[];
  /** The named customers who are those of the caller's program. */
  readonly customers: ReadonlyMap<string, CustomerRead>;
}

export class OwnershipService {
  private readonly present = this.accounts.repository.ownerships;
  private readonly former = new BatchedRepository(this.database, FormerOwner, this.keys);

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
    private readonly accounts: AccountService,
    private readonly owners: OwnerService,
  ) {}

  private readonly adding = this.accounts.command<Customers, OwnershipFacts, RecordedOwnerResult[], readonly Draft[]>(
    ADD_OWNERS,
    {
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (account, facts, { input }) => {
        mustNotBeClosed(account);
        const { results, added } = this.addition(facts, input.customerIds);
        const draft = added.map(one => this.present.draft({ accountId: account.accountId, ...one }));
        return { result: results, draft };
      },
      write: accepted => {
        const drafts = accepted.flatMap(({ draft }) => draft);
        return drafts.length > 0 ? [this.present.insertion(drafts)] : [];
      },
      event,
      approval,
    },
  );

  /**
   * Makes customers owners, one result each in the order asked. Throws `ProgramWideOnly`, `AccountNotFound`,
   * `AccountClosed`, `InvalidInput`.
   */
  async add(caller: Caller, accountId: string, customerIds: readonly string[], dryRun = false): Promise<OwnerResult[]> {
    return await ofCustomers(this.adding, caller, accountId, customerIds, dryRun);
  }

  private readonly removing = this.accounts.command<Customers, OwnershipFacts, RecordedOwnerResult[], readonly Draft[]>(
    REMOVE_OWNERS,
    {
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: ({ accountId }, facts, { input: { customerIds } }) => {
        const owning = new Map(facts.owners.map(({ customerId, position }) => [customerId, position]));
        const ownedUntil = new Date().toISOString();
        const draft = customerIds.flatMap(customerId => {
          const position = owning.get(customerId);
          return position === undefined ? [] : [this.former.draft({ accountId, ownedUntil, customerId, position })];
        });
        return { result: customerIds.map(customerId => removed(customerId, owning.has(customerId))), draft };
      },
      write: accepted => {
        const drafts = accepted.flatMap(({ draft }) => draft);
        const ended = drafts.map(({ account_id, customer_id }) => [account_id as string, customer_id as string]);
        return drafts.length > 0 ? [this.former.insertion(drafts), this.present.deletion(ended)] : [];
      },
      event,
      approval,
    },
  );

  /**
   * Ends the ownership of customers, one result each in the order asked. Throws `ProgramWideOnly`, `AccountNotFound`,
   * `InvalidInput`.
   */
  async remove(
    caller: Caller,
    accountId: string,
    customerIds: readonly string[],
    dryRun = false,
  ): Promise<OwnerResult[]> {
    return await ofCustomers(this.removing, caller, accountId, customerIds, dryRun);
  }

  /** The owners of an account that the caller sees, the primary one first. */
  list(caller: Caller, account: AccountView): Promise<Owner[]> {
    return this.owners.ofAccount(caller, account.accountId);
  }

  /** One owner of an account that the caller sees, or null. */
  async find(caller: Caller, account: AccountView, customerId: string): Promise<Owner | null> {
    return (await this.list(caller, account)).find(owner => owner.customerId === customerId) ?? null;
  }

  private async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<Customers>[],
  ): Promise<OwnershipFacts[]> {
    const customersAsked = requests.map(({ caller, input }) => ({ program: caller.program, ...input }));
    const [owners, customers] = await Promise.all([
      this.accounts.repository.ownersOf(
        transaction,
        requests.map(({ accountId }) => accountId),
      ),
      this.owners.repository.inPrograms(transaction, customersAsked),
    ]);
    return owners.map((ofAccount, index) => ({
      owners: ofAccount,
      customers: customers[index] as OwnershipFacts['customers'],
    }));
  }

  private addition(
    { owners, customers }: OwnershipFacts,
    customerIds: readonly string[],
  ): { results: RecordedOwnerResult[]; added: { customerId: string; position: number }[] } {
    const owning = new Set(owners.map(({ customerId }) => customerId));
    const added: { customerId: string; position: number }[] = [];
    const last = owners.at(-1)?.position ?? 0;
    const results = customerIds.map((customerId): RecordedOwnerResult => {
      const customer = customers.get(customerId);
      if (!customer) return failed(customerId, 'This program has no customer with this id.');
      if (owning.has(customerId)) return failed(customerId, 'The customer is already an owner of the account.');
      if (owning.size >= MAX_OWNERS) return failed(customerId, `An account has at most ${MAX_OWNERS} owners.`);
      owning.add(customerId);
      added.push({ customerId, position: last + added.length + 1 });
      const owner = this.owners.shown(customer, owning.size === 1);
      return { customerId, ownerStatus: 'ADDED', owner, reason: null };
    });
    return { results, added };
  }
}

/** Null for nobody. */
function listed(customerIds: readonly string[]): string | null {
  return customerIds.join(', ') || null;
}

/** A command that changes no owner needs no approval. */
const approval: ApprovalPolicy<Customers, AccountView, OwnershipFacts, RecordedOwnerResult[], readonly Draft[]> = {
  needs: ({ changingOwners }, { draft }) => changingOwners && draft.length > 0,
  changes: ({ fact, result }) => {
    const before = fact.owners.map(({ customerId }) => customerId);
    const having = (status: RecordedOwnerResult['ownerStatus']) =>
      result.flatMap(({ customerId, ownerStatus }) => (ownerStatus === status ? customerId : []));
    const leaving = having('REMOVED');
    const after = [...before.filter(customerId => !leaving.includes(customerId)), ...having('ADDED')];
    return [{ field: 'owners', before: listed(before), after: listed(after) }];
  },
};

type OwnerOutcome = Readonly<Pick<RecordedOwnerResult, 'customerId' | 'ownerStatus'>>;

/** Gives a command for customers as they were sent: checks how many there are, and reports a repeated one once. */
async function ofCustomers(
  command: AccountCommand<Customers, RecordedOwnerResult[]>,
  caller: Caller,
  accountId: string,
  customerIds: readonly string[],
  dryRun: boolean,
): Promise<OwnerResult[]> {
  const results = await command(caller, accountId, { customerIds: [...new Set(customerIds)] }, dryRun);
  return results.map(({ owner, ...result }) => ({
    ...result,
    accountId,
    owner: owner && { ...seenBy(caller, owner), accountId },
  }));
}

function event({
  accountId,
  result,
}: CommandRequest<Customers> & { readonly result: readonly OwnerOutcome[] }): EventFacts {
  const customers = result.map(({ customerId, ownerStatus }) => ({ customerId, ownerStatus }));
  return { object: `account/${accountId}`, data: { customers } };
}

function failed(customerId: string, reason: string): RecordedOwnerResult {
  return { customerId, ownerStatus: 'FAILED_TO_ADD', owner: null, reason };
}

function removed(customerId: string, wasOwner: boolean): RecordedOwnerResult {
  return { customerId, ownerStatus: wasOwner ? 'REMOVED' : 'NOT_FOUND', owner: null, reason: null };
}
