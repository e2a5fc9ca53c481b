import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import type { AccountType } from './account.entity.js';
import { AccountRecord } from './account.import-records.js';

// The lock is the one that commands wait for, so an import and a command on one account happen one after the other.
const PRESENT = {
  name: 'import_accounts_present',
  text: `SELECT account_id, program, account_type, currency, time_zone, opened_on, interest_bearing FROM account
    WHERE account_id IN (SELECT value FROM json_array_elements_text($1)) ORDER BY account_id FOR NO KEY UPDATE`,
};

const CUSTOMERS = {
  name: 'import_accounts_customers',
  text: `SELECT customer_id FROM customer WHERE program = $2 AND customer_id IN (SELECT value::uuid FROM json_array_elements_text($1))`,
};

const INSERT = {
  name: 'import_accounts_insert',
  text: `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
    SELECT account_id, $2, account_type, currency, time_zone, 'OPEN', opened_on, interest_bearing FROM json_to_recordset($1)
      r(account_id text, account_type text, currency text, time_zone text, opened_on date, interest_bearing boolean)
    ON CONFLICT (account_id) DO NOTHING RETURNING account_id`,
};

const INSERT_OWNERS = {
  name: 'import_accounts_insert_owners',
  text: `INSERT INTO account_owner (account_id, customer_id, position)
    SELECT r.account_id, o.value::uuid, o.position FROM json_to_recordset($1) r(account_id text, owners json)
      CROSS JOIN json_array_elements_text(r.owners) WITH ORDINALITY o(value, position)`,
};

const UPDATE = {
  name: 'import_accounts_update',
  text: `UPDATE account a SET account_type = r.account_type, interest_bearing = r.interest_bearing
    FROM json_to_recordset($1) r(account_id text, account_type text, interest_bearing boolean) WHERE a.account_id = r.account_id`,
};

type PresentRow = [
  accountId: string,
  program: string,
  accountType: AccountType,
  currency: string,
  timeZone: string,
  openedOn: string,
  interestBearing: boolean,
];

/**
 * Accounts. A new one is inserted as OPEN with its owners, the first of them primary. Of one that is there, the type and whether it bears
 * interest follow the file; another currency, time zone or opening day is refused, since amounts and days on record depend on them.
 * Owners are set by the first import only: after that they change through `addOwners` and `removeOwners`, and importing
 * a file again never undoes them. Refused are accounts of another program, and owners that are no customers of this one.
 */
export class AccountImport implements ImportKind<AccountRecord> {
  readonly input = AccountRecord;

  identityOf({ accountId }: AccountRecord): string {
    return accountId;
  }

  async write(transaction: Transaction, program: string, records: readonly AccountRecord[]): Promise<Outcome[]> {
    const ids = JSON.stringify(records.map(({ accountId }) => accountId));
    const present = new Map((await transaction.query<PresentRow>(PRESENT, [ids])).map(row => [row[0], row]));
    const customers = await customersAmong(transaction, program, records);
    const outcomes = records.map((record): Outcome => {
      const row = present.get(record.accountId);
      const problems = [...(row ? contradictions(row, program, record) : []), ...unknownOwners(record, customers)];
      if (problems.length > 0) return new InvalidInput('rule_broken', problems);
      if (!row) return 'new';
      const [, , accountType, , , , interestBearing] = row;
      return accountType === record.accountType && interestBearing === record.interestBearing ? 'unchanged' : 'updated';
    });
    const inserted = records.filter((_, index) => outcomes[index] === 'new');
    const updated = records.filter((_, index) => outcomes[index] === 'updated');
    if (inserted.length > 0) await insert(transaction, program, inserted);
    if (updated.length > 0) await transaction.query(UPDATE, [rowsOf(updated)]);
    return outcomes;
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

async function insert(transaction: Transaction, program: string, records: readonly AccountRecord[]): Promise<void> {
  const rows = rowsOf(records);
  const inserted = await transaction.query(INSERT, [rows, program]);
  if (inserted.length < records.length) throw new Interfered();
  await transaction.query(INSERT_OWNERS, [rows]);
}

// In the order of their ids, so that two imports of the same accounts never wait for each other in a circle.
function rowsOf(records: readonly AccountRecord[]): string {
  const rows = records.map(({ accountId, accountType, currency, timeZone, openedOn, interestBearing, owners }) => ({
    ...{ account_id: accountId, account_type: accountType, currency, time_zone: timeZone, opened_on: openedOn },
    ...{ interest_bearing: interestBearing, owners },
  }));
  return JSON.stringify(rows.sort((a, b) => (a.account_id < b.account_id ? -1 : 1)));
}

function contradictions(
  [, ofProgram, , currency, timeZone, openedOn]: PresentRow,
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
