import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { AccountRecord } from './account.import-records.js';
import type { AccountRead, AccountRepository } from './account.repository.js';

const CUSTOMERS = {
  name: 'import_accounts_customers',
  text: `SELECT customer_id FROM customer WHERE program = $2 AND customer_id IN (SELECT value::uuid FROM json_array_elements_text($1))`,
};

const INSERT_OWNERS = {
  name: 'import_accounts_insert_owners',
  text: `INSERT INTO account_owner (account_id, customer_id, position)
    SELECT r.account_id, o.value::uuid, o.position FROM json_to_recordset($1) r(account_id text, owners json)
      CROSS JOIN json_array_elements_text(r.owners) WITH ORDINALITY o(value, position)`,
};

/**
 * Accounts. A new one is inserted as OPEN with its owners, the first of them primary. Of one that is there, the type
 * and whether it bears interest follow the file; another currency, time zone or opening day is refused, since amounts
 * and days on record depend on them. Owners are set by the first import only: after that they change through
 * `addOwners` and `removeOwners`, and importing a file again never undoes them. Refused are accounts of another
 * program, and owners that are no customers of this one.
 */
export class AccountImport implements ImportKind<AccountRecord> {
  readonly input = AccountRecord;
  private readonly updating = this.repository.updating(['accountType', 'interestBearing']);

  constructor(private readonly repository: AccountRepository) {}

  identityOf({ accountId }: AccountRecord): string {
    return accountId;
  }

  async write(transaction: Transaction, program: string, records: readonly AccountRecord[]): Promise<Outcome[]> {
    const accountIds = records.map(({ accountId }) => accountId);
    const present = await this.repository.lockAll(transaction, accountIds, null);
    const customers = await customersAmong(transaction, program, records);
    const outcomes = records.map((record): Outcome => {
      const onFile = present.get(record.accountId);
      const problems = [
        ...(onFile ? contradictions(onFile, program, record) : []),
        ...unknownOwners(record, customers),
      ];
      if (problems.length > 0) return new InvalidInput('rule_broken', problems);
      if (!onFile) return 'new';
      const { accountType, interestBearing } = onFile;
      return accountType === record.accountType && interestBearing === record.interestBearing ? 'unchanged' : 'updated';
    });
    const inserted = records.filter((_, index) => outcomes[index] === 'new');
    const updated = records.filter((_, index) => outcomes[index] === 'updated');
    if (inserted.length > 0) await this.insert(transaction, program, inserted);
    if (updated.length > 0) {
      await transaction.run(this.updating(updated.map(record => this.draft(program, record))));
    }
    return outcomes;
  }

  private async insert(transaction: Transaction, program: string, records: readonly AccountRecord[]): Promise<void> {
    const query = this.repository.insertionOfNew(records.map(record => this.draft(program, record)));
    if ((await transaction.run(query)).length < records.length) throw new Interfered();
    const owners = records.map(record => ({ account_id: record.accountId, owners: record.owners }));
    await transaction.query(INSERT_OWNERS, [JSON.stringify(owners)]);
  }

  private draft(program: string, record: AccountRecord): Draft {
    return this.repository.draft({ ...record, program, status: 'OPEN', balanceMinor: 0n, lastSeq: 0 });
  }
}

async function customersAmong(
  transaction: Transaction,
  program: string,
  records: readonly AccountRecord[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(records.flatMap(({ owners }) => owners));
  const rows = await transaction.query<[string]>(CUSTOMERS, [JSON.stringify([...ids]), program]);
  return new Set(rows.map(([customerId]) => customerId));
}

function contradictions(
  { program: ofProgram, currency, timeZone, openedOn }: AccountRead,
  program: string,
  record: AccountRecord,
): FieldProblem[] {
  if (ofProgram !== program) {
    return [
      {
        pointer: '/accountId',
        code: 'taken',
        detail: 'accountId belongs to an account of another program. Use an id that no other program uses.',
      },
    ];
  }
  const fixed = Object.entries({ currency, timeZone, openedOn }) as ['currency' | 'timeZone' | 'openedOn', string][];
  return fixed
    .filter(([field, onFile]) => record[field] !== onFile)
    .map(([field]) => ({
      pointer: `/${field}`,
      code: 'fixed',
      detail: 'This value cannot change, and the account has another one. Send the value on record.',
    }));
}

function unknownOwners({ owners }: AccountRecord, customers: ReadonlySet<string>): FieldProblem[] {
  return owners.flatMap((customerId, index) =>
    customers.has(customerId)
      ? []
      : [
          {
            pointer: `/owners/${index}`,
            code: 'unknown_customer',
            detail: 'This program has no customer with this id. Import the customer first.',
          },
        ],
  );
}
