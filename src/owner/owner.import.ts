import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { InvalidInput } from '../shared/errors.js';
import { canonicalJson } from '../shared/json.js';
import { mask } from '../shared/mask.js';
import type { CustomerSecrets } from './owner.entity.js';
import { CustomerRecord } from './owner.import-records.js';
import type { CustomerRead, CustomerRepository } from './owner.repository.js';

/**
 * Customers. The file is the master: new ones are inserted, changed ones updated, equal ones left as they are. A
 * customer of another program is refused, since an id names one customer. Hyphens of a United States tax id are
 * dropped, those of others belong to it.
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

function contentOf({ name, taxId, taxIdCountry, governmentId, secrets }: CustomerRead) {
  return { columns: { name, taxId, taxIdCountry, governmentId }, secrets };
}

/** What is stored of a record: the columns anyone may read, and the secrets to be sealed. */
function storedOf(record: CustomerRecord) {
  const { name, taxIdCountry = null, governmentId = null, dateOfBirth = null, contact, addresses } = record;
  const taxId = (taxIdCountry === 'US' ? record.taxId?.replaceAll('-', '') : record.taxId) ?? null;
  const secrets: CustomerSecrets = {
    ...{ taxId, governmentId, dateOfBirth },
    contact: {
      email: contact?.email ?? [],
      telephones: (contact?.telephones ?? []).map(({ type, country = null, number }) => ({ type, country, number })),
    },
    addresses: (addresses ?? []).map(
      ({ line1, line2 = null, line3 = null, city, state = null, postalCode = null, country, type }) => ({
        ...{ line1, line2, line3, city, state, postalCode, country, type },
      }),
    ),
  };
  const columns = {
    name: { first: name.first, middle: name.middle ?? null, last: name.last },
    taxId: taxId && mask(taxId),
    taxIdCountry,
    governmentId: governmentId && mask(governmentId),
  };
  return { columns, secrets };
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
