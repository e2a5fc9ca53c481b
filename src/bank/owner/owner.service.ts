import { seenBy } from '../person/person.masks.js';
import type { Caller } from '../../shared/caller.js';
import type { Owner } from './owner.entity.js';
import type { CustomerRead, CustomerRepository } from './owner.repository.js';
import type { PayeeRepository, ProgramTaxId } from './payee.repository.js';

export { contactWords } from './contact-forms.js';
export type { CustomerRead } from './owner.repository.js';

export class OwnerService {
  constructor(
    readonly repository: CustomerRepository,
    readonly payees: PayeeRepository,
  ) {}

  /** The owners of an account, the primary one first. Whether the caller may see the account is settled before. */
  async ofAccount(caller: Caller, accountId: string): Promise<Owner[]> {
    const customers = await this.repository.ofAccount(accountId);
    return customers.map((customer, index) =>
      seenBy(caller, Object.assign(customer, { accountId, isPrimary: index === 0 })),
    );
  }

  /** A customer's government id: whole for a caller with `pii.read`, masked for any other. */
  async governmentId(caller: Caller, shown: Pick<Owner, 'customerId' | 'governmentId'>): Promise<string | null> {
    if (shown.governmentId === null || !caller.may('pii.read')) return shown.governmentId;
    const customer = await this.repository.one(shown.customerId);
    // The batch has keys of many callers, so the program is checked on the row.
    return customer?.program === caller.program ? customer.secrets.governmentId : null;
  }

  /**
   * The customers of programs who have one of these tax ids, by their ids, each with the program and the tax id as one
   * text: a payee may have several records.
   */
  withTaxIds(of: readonly ProgramTaxId[]): Promise<Map<string, string>> {
    return this.payees.withTaxIds(of);
  }

  /** A customer as an owner in a command's result: plain, masked. Throws `SealBroken`. */
  shown(
    { customerId, name, isOrganization, taxId, taxIdCountry, governmentId, contact }: CustomerRead,
    isPrimary: boolean,
  ): Omit<Owner, 'accountId'> {
    return { customerId, name, isOrganization, taxId, taxIdCountry, governmentId, contact, isPrimary };
  }
}
