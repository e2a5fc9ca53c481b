import type { KeyRing } from '../platform/crypto/key-ring.js';
import { keyed } from '../platform/database/keyed.js';
import type { Database } from '../platform/database/orm.js';
import type { Asking } from '../platform/database/transaction.js';
import { BatchedRepository } from '../platform/repository/batched-repository.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import { sealIdentity } from '../platform/repository/declarations.js';
import { UUID_TEXT } from '../shared/ids.js';
import { Customer, type CustomerSecrets, type CustomerView } from './owner.entity.js';

/** A customer as it is read. What is sealed is opened when it is looked at. */
export type CustomerRead = CustomerView & Readonly<Pick<Customer, 'program'>> & { readonly secrets: CustomerSecrets };

/** Customers of a program, by their ids. */
export interface CustomersAsked {
  readonly program: string;
  readonly customerIds: readonly string[];
}

export class CustomerRepository extends BatchedRepository<Customer, CustomerRead> {
  // The owners of all accounts that requests of a moment show come in one statement.
  private readonly owners = keyed(
    'owners_of_accounts',
    { account_id: 'text' },
    ({ k, each }) => `SELECT ${this.columns('c')}, ${k.n}::int FROM ${each}account_owner o
      JOIN customer c ON c.customer_id = o.customer_id WHERE o.account_id = ${k.account_id} ORDER BY ${k.n}, o.position`,
  );

  // In the order of their ids, as all that lock several, so that two imports never wait for each other in a circle.
  private readonly locking = {
    name: 'customers_lock',
    text: `SELECT ${this.columns('c')} FROM customer c WHERE c.customer_id = ANY($1::uuid[]) ORDER BY c.customer_id FOR NO KEY UPDATE`,
  };

  /** The owners of an account, the primary one first. */
  readonly ofAccount = batcher<string, CustomerRead[]>(async accountIds => {
    const rows = await this.database.queryTogether<WithOrdinal<unknown[]>>(this.owners, [accountIds]);
    return byOrdinal(rows, accountIds.length, row => this.read(row));
  });

  constructor(
    database: Database,
    private readonly keys: KeyRing,
  ) {
    super(database, Customer, keys);
  }

  /** The customers of each program that are among the ids, by id. */
  async inPrograms(transaction: Asking, asked: readonly CustomersAsked[]): Promise<Map<string, CustomerRead>[]> {
    const keys = asked.flatMap(({ customerIds }) => customerIds.map(id => [UUID_TEXT.test(id) ? id : null]));
    const found = await this.each(transaction, keys);
    let from = 0;
    return asked.map(({ program, customerIds }) => {
      const customers = found.slice(from, (from += customerIds.length));
      return new Map(customers.flatMap(one => (one?.program === program ? [[one.customerId, one] as const] : [])));
    });
  }

  /** Locks customers of whatever program. Gives those that exist, by id. */
  async lock(transaction: Asking, customerIds: readonly string[]): Promise<Map<string, CustomerRead>> {
    const rows = await transaction.query(this.locking, [customerIds]);
    return new Map(rows.map(row => this.read(row)).map(customer => [customer.customerId, customer]));
  }

  /** What is sealed of a customer. Throws `SealBroken`. */
  secretsOf(customerId: string, sealed: Buffer): CustomerSecrets {
    return this.keys.open(sealIdentity('customer', [customerId]), sealed);
  }
}
