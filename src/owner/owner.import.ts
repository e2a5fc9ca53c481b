import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import { InvalidInput } from '../shared/errors.js';
import { canonicalJson, type Json } from '../shared/json.js';
import { mask } from '../shared/mask.js';
import type { CustomerSecrets } from './owner.entity.js';
import { CustomerRecord } from './owner.import-records.js';
import { customerIdentity } from './owner.row.js';

// In the order of their ids, as everybody who locks several, so that two imports never wait for each other in a circle.
const PRESENT = {
  name: 'import_customers_present',
  text: `SELECT customer_id, program, name_first, name_middle, name_last, tax_id, tax_id_country, government_id, sealed FROM customer
    WHERE customer_id IN (SELECT value::uuid FROM json_array_elements_text($1)) ORDER BY customer_id FOR NO KEY UPDATE`,
};

const RECORDSET = `json_to_recordset($1) r(customer_id uuid, name_first text, name_middle text, name_last text, tax_id text,
  tax_id_country text, government_id text, sealed bytea)`;

const INSERT = {
  name: 'import_customers_insert',
  text: `INSERT INTO customer (customer_id, program, name_first, name_middle, name_last, tax_id, tax_id_country, government_id, sealed)
    SELECT customer_id, $2, name_first, name_middle, name_last, tax_id, tax_id_country, government_id, sealed FROM ${RECORDSET}
    ON CONFLICT (customer_id) DO NOTHING RETURNING customer_id`,
};

const UPDATE = {
  name: 'import_customers_update',
  text: `UPDATE customer c SET name_first = r.name_first, name_middle = r.name_middle, name_last = r.name_last, tax_id = r.tax_id,
      tax_id_country = r.tax_id_country, government_id = r.government_id, sealed = r.sealed
    FROM ${RECORDSET} WHERE c.customer_id = r.customer_id`,
};

type PresentRow = [
  customerId: string,
  program: string,
  first: string,
  middle: string | null,
  last: string,
  taxId: string | null,
  taxIdCountry: string | null,
  governmentId: string | null,
  sealed: Buffer,
];

interface Present {
  readonly program: string;
  /** Opens the seal. */
  content(): string;
}

/**
 * Customers. The file is the master: new ones are inserted, changed ones updated, equal ones left as they are. A customer of another
 * program is refused, since an id names one customer. Hyphens of a United States tax id are dropped, those of others belong to it.
 */
export class CustomerImport implements ImportKind<CustomerRecord> {
  readonly input = CustomerRecord;

  constructor(private readonly keys: KeyRing) {}

  identityOf({ customerId }: CustomerRecord): string {
    return customerId;
  }

  async write(transaction: Transaction, program: string, records: readonly CustomerRecord[]): Promise<Outcome[]> {
    const present = await this.present(transaction, records);
    const outcomes = records.map((record): Outcome => {
      const onFile = present.get(record.customerId);
      if (!onFile) return 'new';
      if (onFile.program !== program) return new CustomerOfAnotherProgram();
      return onFile.content() === contentOf(record) ? 'unchanged' : 'updated';
    });
    const inserted = records.filter((_, index) => outcomes[index] === 'new');
    const updated = records.filter((_, index) => outcomes[index] === 'updated');
    if (inserted.length > 0) {
      const rows = await transaction.query(INSERT, [this.rowsOf(inserted), program]);
      if (rows.length < inserted.length) throw new Interfered();
    }
    if (updated.length > 0) await transaction.query(UPDATE, [this.rowsOf(updated)]);
    return outcomes;
  }

  private async present(transaction: Transaction, records: readonly CustomerRecord[]): Promise<Map<string, Present>> {
    const ids = JSON.stringify(records.map(({ customerId }) => customerId));
    const rows = await transaction.query<PresentRow>(PRESENT, [ids]);
    return new Map(
      rows.map(([customerId, program, first, middle, last, taxId, taxIdCountry, governmentId, sealed]) => {
        const columns = { name: { first, middle, last }, taxId, taxIdCountry, governmentId };
        const secrets = (): CustomerSecrets => this.keys.open(customerIdentity(customerId), sealed);
        return [
          customerId,
          { program, content: () => canonicalJson({ columns, secrets: secrets() } as unknown as Json) },
        ];
      }),
    );
  }

  private rowsOf(records: readonly CustomerRecord[]): string {
    const rows = records.map(record => {
      const { columns, secrets } = storedOf(record);
      const { name, taxId, taxIdCountry, governmentId } = columns;
      return {
        ...{ customer_id: record.customerId, name_first: name.first, name_middle: name.middle, name_last: name.last },
        ...{ tax_id: taxId, tax_id_country: taxIdCountry, government_id: governmentId },
        sealed: `\\x${this.keys.seal(customerIdentity(record.customerId), secrets).toString('hex')}`,
      };
    });
    return JSON.stringify(rows.sort((a, b) => (a.customer_id < b.customer_id ? -1 : 1)));
  }
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

function contentOf(record: CustomerRecord): string {
  return canonicalJson(storedOf(record) as unknown as Json);
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
