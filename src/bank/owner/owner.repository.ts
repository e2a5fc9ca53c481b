import { raw, type FilterQuery } from '@mikro-orm/core';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { batcher } from '../../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { metadataCondition, wantedPairs } from '../../platform/repository/metadata-column.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { Window } from '../../shared/page.js';
import type { CustomerFilter } from './customer.inputs.js';
import { BANK_NUMBER, Customer, nameKey, type CustomerSecrets, type CustomerView } from './owner.entity.js';

/** A customer as it is read. What is sealed is opened when it is looked at. */
export type CustomerRead = CustomerView & Readonly<Pick<Customer, 'program'>> & { readonly secrets: CustomerSecrets };

/** Customers of a program, by their ids. */
export interface CustomersLookup {
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

  /** Locks customers of whatever program. Gives those that exist, by id. */
  readonly lock = this.locking();

  /** As `lock`, and waits for transactions that make them owners. */
  readonly lockToErase = this.locking('UPDATE');

  /** Gives customers by their ids, none of whom is erased before the transaction ends. */
  private readonly rely = this.locking('KEY SHARE');

  /** The owners of an account, the primary one first. */
  readonly ofAccount = batcher<string, CustomerRead[]>(async accountIds =>
    this.ownersIn(await this.database.queryTogether(this.owners, [accountIds]), accountIds),
  );

  constructor(database: Database, keys: KeyRing) {
    super(database, Customer, keys);
  }

  /** The owners of each account, the primary one first, as the primary of the database has them. */
  async ofAccounts(accountIds: readonly string[]): Promise<CustomerRead[][]> {
    return this.ownersIn(await this.database.query(this.owners, [accountIds]), accountIds);
  }

  /** Owners that were read with `columns`, each row with the number of its account behind them. */
  ownersIn(rows: readonly unknown[][], accountIds: readonly string[]): CustomerRead[][] {
    return byOrdinal(rows as WithOrdinal<unknown[]>[], accountIds.length, row => this.read(row));
  }

  /** A part of the customers of a program, in the order in which `sliceOf` takes them. */
  async between(program: string, filter: CustomerFilter, window: Window<string>): Promise<CustomerRead[]> {
    const placeOf = (customerId: string | null) => (customerId === null ? null : { customerId });
    const part = { ...window, after: placeOf(window.after), before: placeOf(window.before) };
    const options = { orderBy: { customerId: 'asc' }, ...cursorOptions(part) } as const;
    const found = await this.database.em().find(Customer, where(program, filter), options);
    return inReadingOrder(found, window).map(customer => this.found(customer));
  }

  total(program: string, filter: CustomerFilter): Promise<number> {
    return this.database.em().count(Customer, where(program, filter));
  }

  /** The customers of each program that are among the ids and on record, by id. */
  async inPrograms(
    transaction: StatementSender,
    lookups: readonly CustomersLookup[],
  ): Promise<Map<string, CustomerRead>[]> {
    const ids = lookups.flatMap(({ customerIds }) => customerIds.filter(id => UUID_TEXT.test(id)));
    const found = await this.rely(transaction, ids);
    return lookups.map(({ program, customerIds }) => {
      const named = customerIds.map(id => found.get(id)).filter(one => one !== undefined);
      const customers = named.filter(one => one.program === program && one.erasedAt === null);
      return new Map(customers.map(one => [one.customerId, one]));
    });
  }
}

function where(program: string, { customerIds, bankNumbers, metadata }: CustomerFilter): FilterQuery<Customer> {
  const pairs = wantedPairs(metadata);
  return {
    program,
    ...(customerIds && { customerId: { $in: customerIds } }),
    // By an array, since the planner, which does not know the pairs, would walk through the ids of all customers.
    ...(pairs !== null && {
      [raw('customer_id')]: raw(
        `ANY (ARRAY(SELECT m.customer_id FROM customer m WHERE ${metadataCondition('program', '?', '?')}))`,
        [program, pairs],
      ),
    }),
    ...(bankNumbers && { [raw(BANK_NUMBER)]: { $in: bankNumbers.map(number => raw(nameKey('?'), [number])) } }),
  };
}
