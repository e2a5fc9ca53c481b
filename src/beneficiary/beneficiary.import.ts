import { hash } from 'node:crypto';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { ImportKind, Outcome } from '../platform/import/batch.js';
import type { Transaction } from '../platform/database/transaction.js';
import { InvalidInput, Refusal } from '../shared/errors.js';
import { canonicalJson, type Json } from '../shared/json.js';
import { MAX_BENEFICIARIES, TooManyBeneficiaries } from './beneficiary.errors.js';
import { BeneficiaryRecord } from './beneficiary.import-records.js';
import { recordOf } from './beneficiary.record.js';
import { draftOf, insertion, type NewBeneficiary } from './beneficiary.insert.js';
import { beneficiaryColumns, secretsOf, type BeneficiaryRow } from './beneficiary.row.js';

// Whoever changes beneficiaries holds the lock of their account, so nothing moves between our look and our write.
const ACCOUNTS = {
  name: 'import_beneficiaries_accounts',
  text: `SELECT account_id FROM account WHERE program = $2 AND account_id IN (SELECT value FROM json_array_elements_text($1))
    ORDER BY account_id FOR NO KEY UPDATE`,
};

const LISTS = {
  name: 'import_beneficiaries_lists',
  text: `SELECT account_id, count(*)::int, max(position) FROM beneficiary
    WHERE account_id IN (SELECT value FROM json_array_elements_text($1)) GROUP BY account_id`,
};

const PRESENT = {
  name: 'import_beneficiaries_present',
  text: `SELECT ${beneficiaryColumns()} FROM json_to_recordset($1) r(account_id text, beneficiary_id uuid)
    JOIN beneficiary b ON b.account_id = r.account_id AND b.beneficiary_id = r.beneficiary_id`,
};

/** The beneficiaries of an account while others are added. */
interface List {
  count: number;
  lastPosition: number;
}

/**
 * Beneficiaries. What is not there is added at the end of its account's list; present with equal content is left as it is; present with
 * other content is refused, since somebody may have changed it through the API and an import never overwrites that. A record without
 * `beneficiaryId` is recognised by its account, name, type and relationship. Refused are unknown accounts,
 * those of another program, and more than `MAX_BENEFICIARIES` an account.
 */
export class BeneficiaryImport implements ImportKind<BeneficiaryRecord> {
  readonly input = BeneficiaryRecord;

  constructor(private readonly keys: KeyRing) {}

  identityOf(record: BeneficiaryRecord): string {
    return `${record.accountId} ${idOf(record)}`;
  }

  async write(transaction: Transaction, program: string, records: readonly BeneficiaryRecord[]): Promise<Outcome[]> {
    const lists = await listsOf(transaction, program, records);
    const present = await this.present(transaction, records);
    const inserted: NewBeneficiary[] = [];
    const outcomes = records.map((record): Outcome => {
      const list = lists.get(record.accountId);
      if (!list) return new UnknownAccount();
      const onFile = present.get(this.identityOf(record));
      if (onFile !== undefined) return onFile === contentOf(record) ? 'unchanged' : new ChangedSince();
      if (list.count >= MAX_BENEFICIARIES) return new TooManyBeneficiaries();
      list.count += 1;
      list.lastPosition += 1;
      inserted.push(this.rowOf(record, list.lastPosition));
      return 'new';
    });
    if (inserted.length > 0) {
      const { statement, values } = insertion(inserted);
      await transaction.query(statement, values);
    }
    return outcomes;
  }

  private async present(transaction: Transaction, records: readonly BeneficiaryRecord[]): Promise<Map<string, string>> {
    const keys = records.map(record => ({ account_id: record.accountId, beneficiary_id: idOf(record) }));
    const rows = await transaction.query<BeneficiaryRow>(PRESENT, [JSON.stringify(keys)]);
    return new Map(
      rows.map(
        ([accountId, beneficiaryId, , first, middle, last, taxId, taxIdType, type, relationship, share, sealed]) => {
          const secrets = secretsOf(this.keys, accountId, beneficiaryId, sealed);
          const columns = {
            ...{
              name: { first, middle, last },
              taxId,
              taxIdType,
              beneficiaryType: type,
              relationship,
              sharePercentage: share,
            },
          };
          return [`${accountId} ${beneficiaryId}`, canonicalJson({ columns, secrets } as unknown as Json)];
        },
      ),
    );
  }

  private rowOf(record: BeneficiaryRecord, position: number): NewBeneficiary {
    const { accountId } = record;
    return { ...draftOf(this.keys, { accountId, beneficiaryId: idOf(record) }, recordOf(record)), position };
  }
}

async function listsOf(
  transaction: Transaction,
  program: string,
  records: readonly BeneficiaryRecord[],
): Promise<Map<string, List>> {
  const ids = JSON.stringify([...new Set(records.map(({ accountId }) => accountId))]);
  const accounts = await transaction.query<[string]>(ACCOUNTS, [ids, program]);
  const lists = new Map(accounts.map(([accountId]): [string, List] => [accountId, { count: 0, lastPosition: 0 }]));
  for (const [accountId, count, lastPosition] of await transaction.query<[string, number, number]>(LISTS, [ids])) {
    if (lists.has(accountId)) lists.set(accountId, { count, lastPosition });
  }
  return lists;
}

/**
 * The id that the bank gave, or a UUIDv8 (RFC 9562, section 5.8) out of SHA-256 over what the record is recognised by. None of it is
 * sealed, so the id gives away nothing that the row does not show.
 */
function idOf({ accountId, beneficiaryId, name, beneficiaryType, relationship }: BeneficiaryRecord): string {
  if (beneficiaryId) return beneficiaryId;
  const { first, middle, last } = name;
  // One name is one text however its accents were typed, and an empty middle name is none.
  const names = [first, middle || '', last].map(part => part.normalize('NFC'));
  const bytes = hash('sha256', JSON.stringify([accountId, ...names, beneficiaryType, relationship]), 'buffer').subarray(
    0,
    16,
  );
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function contentOf(record: BeneficiaryRecord): string {
  return canonicalJson(recordOf(record) as unknown as Json);
}

class UnknownAccount extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/accountId',
        code: 'unknown_account',
        detail: 'This program has no account with this id. Import the account first.',
      },
    ]);
  }
}

class ChangedSince extends Refusal {
  readonly code = 'different_beneficiary';
  constructor() {
    super(
      'A beneficiary with this id exists and has different content. Change it over REST or GraphQL; an import does not overwrite beneficiaries.',
    );
  }
}
