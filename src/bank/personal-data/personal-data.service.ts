import type { AccountService } from '../account/account.service.js';
import { BeneficiaryNotFound } from '../beneficiary/beneficiary.errors.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { CommandRequest } from '../../platform/command/command.js';
import type { Caller } from '../../shared/caller.js';
import type { RevealedPersonalData } from './personal-data.entity.js';
import { NotOnePerson, OwnerNotFound } from './personal-data.errors.js';
import type { RevealRecord } from './personal-data.inputs.js';
import { REVEAL_PERSONAL_DATA } from './personal-data.operations.js';

/** An owner or a beneficiary of an account: one of both. */
interface Person {
  readonly customerId: string | null;
  readonly beneficiaryId: string | null;
}
interface RevealRequest extends Person {
  readonly reason: string;
}

/** Personal data as it is, for operators who say why they must see it. */
export class PersonalDataService {
  constructor(
    private readonly accounts: AccountService,
    private readonly owners: OwnerService,
    private readonly beneficiaries: BeneficiaryService,
  ) {}

  private readonly revealing = this.accounts.command<RevealRequest, boolean, Person, null>(REVEAL_PERSONAL_DATA, {
    // The data is read anew, and may have changed: to show it is never a replay.
    repeats: true,
    readFacts: async (transaction, requests) => {
      const [owning, benefiting] = await Promise.all([
        this.accounts.repository.ownerships.each(transaction, keysOf(requests, 'customerId')),
        this.beneficiaries.repository.each(transaction, keysOf(requests, 'beneficiaryId')),
      ]);
      return requests.map((_, index) => Boolean(owning[index] ?? benefiting[index]));
    },
    permit: (_account, isKnown, { input: { customerId, beneficiaryId } }) => {
      if (!isKnown) throw notFound({ customerId, beneficiaryId });
      // No personal data is kept under the key.
      return { result: { customerId, beneficiaryId }, draft: null };
    },
    write: () => [],
    event: ({ input: { customerId, beneficiaryId, reason } }) => ({
      object: customerId === null ? `beneficiary/${beneficiaryId}` : `customer/${customerId}`,
      data: { ...(customerId === null ? { beneficiaryId } : { customerId }), reason },
    }),
  });

  /**
   * Throws `InsufficientScope` or `ProgramWideOnly`, and puts the attempt on record, before the input is read. The
   * account is null where the input says which one.
   */
  allow(caller: Caller, accountId: string | null): void {
    this.revealing.allow(caller, accountId);
  }

  /**
   * The personal data of a present owner or beneficiary, once its event is recorded. Throws `AccountNotFound`,
   * `OwnerNotFound`, `BeneficiaryNotFound`, and `InvalidInput` unless one person is named.
   */
  async reveal(
    caller: Caller,
    accountId: string,
    { customerId = null, beneficiaryId = null, reason }: RevealRecord,
  ): Promise<RevealedPersonalData> {
    this.allow(caller, accountId);
    if ((customerId === null) === (beneficiaryId === null)) throw new NotOnePerson();
    const person = await this.revealing(caller, accountId, { customerId, beneficiaryId, reason });
    const found = await this.read(accountId, person);
    // The person may be gone since the event was committed.
    if (!found) throw notFound(person);
    return found;
  }

  private async read(accountId: string, { customerId, beneficiaryId }: Person): Promise<RevealedPersonalData | null> {
    return customerId === null
      ? this.beneficiary(accountId, beneficiaryId as string)
      : this.owner(accountId, customerId);
  }

  private async owner(accountId: string, customerId: string): Promise<RevealedPersonalData | null> {
    const owners = await this.owners.repository.ofAccount(accountId);
    const owner = owners.find(one => one.customerId === customerId);
    if (!owner) return null;
    const { taxId, governmentId, dateOfBirth, contact, addresses } = owner.secrets;
    const { email: emails, telephones: phones } = contact;
    return { name: owner.name, dateOfBirth, taxId, governmentId, addresses, emails, phones };
  }

  private async beneficiary(accountId: string, beneficiaryId: string): Promise<RevealedPersonalData | null> {
    const found = await this.beneficiaries.repository.one(accountId, beneficiaryId);
    if (!found) return null;
    const { taxId, dateOfBirth, addresses, emails, phones } = found.secrets;
    return {
      name: found.name,
      dateOfBirth,
      taxId,
      governmentId: null,
      addresses,
      phones,
      emails: emails.map(({ email }) => email),
    };
  }
}

function keysOf(requests: readonly CommandRequest<RevealRequest>[], id: keyof Person): (string | null)[][] {
  return requests.map(({ accountId, input }) => [accountId, input[id]]);
}

function notFound({ customerId }: Person): OwnerNotFound | BeneficiaryNotFound {
  return customerId === null ? new BeneficiaryNotFound() : new OwnerNotFound();
}
