import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import type { Caller } from '../shared/caller.js';
import { Customer, type CustomerSecrets, type Owner } from './owner.entity.js';
import { CUSTOMER_COLUMNS, OwnerView, customerIdentity, type CustomerRow } from './owner.row.js';

const OWNERS_OF_ACCOUNTS = {
  name: 'owners_of_accounts',
  text: `SELECT ${CUSTOMER_COLUMNS}, k.n::int FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
    JOIN account_owner o ON o.account_id = k.account_id JOIN customer c ON c.customer_id = o.customer_id ORDER BY k.n, o.position`,
};

const CUSTOMERS = {
  name: 'customers',
  text: `SELECT ${CUSTOMER_COLUMNS}, k.n::int FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY k(customer_id, program, n)
    JOIN customer c ON c.customer_id = k.customer_id AND c.program = k.program`,
};

export class OwnerService {
  /** The owners of an account, the primary one first. Whether the caller may see the account is settled before. */
  readonly ofAccount = batcher<string, Owner[]>(async accountIds => {
    const rows = await this.database.queryTogether<WithOrdinal<CustomerRow>>(OWNERS_OF_ACCOUNTS, [accountIds]);
    const dealt = byOrdinal(rows, accountIds.length, row => row);
    return dealt.map(own => own.map((row, place) => new OwnerView(row, place === 0, this.keys)));
  });

  private readonly customer = batcher<{ customerId: string; program: string }, OwnerView | null>(async keys => {
    const values = [keys.map(key => key.customerId), keys.map(key => key.program)];
    const rows = await this.database.queryTogether<WithOrdinal<CustomerRow>>(CUSTOMERS, values);
    return oneByOrdinal(rows, keys.length, row => new OwnerView(row, false, this.keys));
  });

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
  ) {}

  /** The owner's government id: whole for a caller with `pii.read`, masked for any other. */
  async governmentId(caller: Caller, owner: Owner): Promise<string | null> {
    if (owner.governmentId === null || !caller.may('pii.read')) return owner.governmentId;
    const view = await this.customer({ customerId: owner.customerId, program: caller.program });
    return view?.secrets.governmentId ?? null;
  }

  /** The customers of the program among `customerIds`, by id. */
  async inProgram(em: EntityManager, program: string, customerIds: readonly string[]): Promise<Map<string, Customer>> {
    const customers = await em.find(Customer, { program, customerId: { $in: [...customerIds] } });
    return new Map(customers.map(customer => [customer.customerId, customer]));
  }

  /** What is sealed of a customer. Throws `SealBroken`. */
  secretsOf(customerId: string, sealed: Buffer): CustomerSecrets {
    return this.keys.open<CustomerSecrets>(customerIdentity(customerId), sealed);
  }

  /** A customer as an owner in a command's result: plain, masked. */
  shown({ customerId, name, taxId, taxIdCountry, governmentId, sealed }: Customer, isPrimary: boolean): Owner {
    const { first, middle, last } = name;
    const { contact } = this.secretsOf(customerId, sealed);
    return { customerId, name: { first, middle, last }, taxId, taxIdCountry, governmentId, contact, isPrimary };
  }
}
