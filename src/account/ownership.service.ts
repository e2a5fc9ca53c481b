import type { EntityManager } from '@mikro-orm/postgresql';
import type { Owner } from '../owner/owner.entity.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput } from '../shared/errors.js';
import { AccountOwner, type AccountView } from './account.entity.js';
import { MAX_OWNERS } from './account.inputs.js';
import type { AccountService } from './account.service.js';
import { FormerOwner } from './former-owner.entity.js';
import type { OwnerResult } from './ownership.entity.js';
import { MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';

export class OwnershipService {
  constructor(
    private readonly accounts: AccountService,
    private readonly owners: OwnerService,
  ) {}

  /** The owners of an account that the caller sees, the primary one first. */
  list(account: AccountView): Promise<Owner[]> {
    return this.owners.ofAccount(account.accountId);
  }

  /** Makes customers owners, one result each in the order asked. Throws `ProgramWideOnly`, `AccountNotFound`, `InvalidInput`. */
  add(caller: Caller, accountId: string, customerIds: readonly string[]): Promise<OwnerResult[]> {
    return this.change(caller, 'owner.add', accountId, customerIds, async (em, ids) => {
      const present = await em.find(AccountOwner, { accountId }, { orderBy: { position: 'asc' } });
      const owning = new Set(present.map(({ customerId }) => customerId));
      const customers = await this.owners.inProgram(em, caller.program, ids);
      let position = present.at(-1)?.position ?? 0;
      return ids.map(customerId => {
        const customer = customers.get(customerId);
        if (!customer) return failed(customerId, 'This program has no customer with this id.');
        if (owning.has(customerId)) return failed(customerId, 'The customer is already an owner of the account.');
        if (owning.size >= MAX_OWNERS) return failed(customerId, `An account has at most ${MAX_OWNERS} owners.`);
        owning.add(customerId);
        em.create(AccountOwner, { accountId, customerId, position: ++position }, { persist: true });
        return {
          customerId,
          ownerStatus: 'ADDED',
          owner: this.owners.shown(customer, owning.size === 1),
          reason: null,
        };
      });
    });
  }

  /** Ends the ownership of customers, one result each in the order asked. Throws `ProgramWideOnly`, `AccountNotFound`, `InvalidInput`. */
  remove(caller: Caller, accountId: string, customerIds: readonly string[]): Promise<OwnerResult[]> {
    return this.change(caller, 'owner.remove', accountId, customerIds, async (em, ids) => {
      const present = await em.find(AccountOwner, { accountId, customerId: { $in: [...ids] } });
      const owning = new Set(present.map(({ customerId }) => customerId));
      const ownedUntil = new Date();
      for (const owner of present) {
        const { customerId, position } = owner;
        em.create(FormerOwner, { accountId, ownedUntil, customerId, position }, { persist: true });
        em.remove(owner);
      }
      return ids.map(customerId => ({
        customerId,
        ownerStatus: owning.has(customerId) ? 'REMOVED' : 'NOT_FOUND',
        owner: null,
        reason: null,
      }));
    });
  }

  private async change(
    caller: Caller,
    name: string,
    accountId: string,
    customerIds: readonly string[],
    work: (em: EntityManager, customerIds: readonly string[]) => Promise<OwnerResult[]>,
  ): Promise<OwnerResult[]> {
    this.accounts.allow(caller, name, 'owners.write', accountId);
    if (customerIds.length < 1 || customerIds.length > MAX_CUSTOMERS_A_CALL) throw new WrongNumberOfCustomers();
    // A repeated customer is reported once.
    const ids = [...new Set(customerIds)];
    const event = (results: OwnerResult[]) => ({
      object: `account/${accountId}`,
      data: { customers: results.map(({ customerId, ownerStatus }) => ({ customerId, ownerStatus })) },
    });
    return this.accounts.change(
      caller,
      { name, scope: 'owners.write', accountId, input: { accountId, customerIds: ids }, event },
      em => work(em, ids),
    );
  }
}

class WrongNumberOfCustomers extends InvalidInput {
  constructor() {
    super('rule_broken', [
      { pointer: '/customerIds', code: 'size', detail: `Must have 1 to ${MAX_CUSTOMERS_A_CALL} elements.` },
    ]);
  }
}

function failed(customerId: string, reason: string): OwnerResult {
  return { customerId, ownerStatus: 'FAILED_TO_ADD', owner: null, reason };
}
