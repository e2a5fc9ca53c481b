import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { InvalidInput } from '../shared/errors.js';
import { canonicalJson } from '../shared/json.js';
import { CustomerRecord } from './customer.inputs.js';
import { contentOf, storedOf } from './customer.record.js';
import type { CustomerRepository } from './owner.repository.js';

/**
 * Customers. The file is the master: new ones are inserted, changed ones updated, equal ones left as they are. A
 * customer of another program is refused, since an id names one customer.
 */
export class CustomerImport implements ImportKind<CustomerRecord> {
  readonly input = CustomerRecord;
  private readonly updating = this.repository.updating();

  constructor(private readonly repository: CustomerRepository) {}

  identityOf({ customerId }: CustomerRecord): string {
    return customerId;
  }

  async write(transaction: Transaction, program: string, records: readonly CustomerRecord[]): Promise<Outcome[]> {
    const present = await this.repository.lock(
      transaction,
      records.map(({ customerId }) => customerId),
    );
    const outcomes = records.map((record): Outcome => {
      const onFile = present.get(record.customerId);
      if (!onFile) return 'new';
      if (onFile.program !== program) return new CustomerOfAnotherProgram();
      return canonicalJson(contentOf(onFile)) === canonicalJson(storedOf(record)) ? 'unchanged' : 'updated';
    });
    const draftsOf = (outcome: Outcome): Draft[] =>
      records.filter((_, index) => outcomes[index] === outcome).map(record => this.draft(program, record));
    const [inserted, updated] = [draftsOf('new'), draftsOf('updated')];
    if (inserted.length > 0) {
      const query = this.repository.insertionOfNew(inserted);
      if ((await transaction.run(query)).length < inserted.length) throw new Interfered();
    }
    if (updated.length > 0) {
      await transaction.run(this.updating(updated));
    }
    return outcomes;
  }

  private draft(program: string, record: CustomerRecord): Draft {
    const { columns, secrets } = storedOf(record);
    return this.repository.draft({ customerId: record.customerId, program, ...columns, secrets });
  }
}

class CustomerOfAnotherProgram extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/customerId',
        code: 'taken',
        detail: 'customerId belongs to a customer of another program. Use an id that no other program uses.',
      },
    ]);
  }
}
