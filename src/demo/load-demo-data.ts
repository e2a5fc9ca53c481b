import type { Database } from '../platform/database/orm.js';
import type { ImportKind } from '../platform/import/import-kind.js';
import { writeInOrder } from '../platform/import/batch.js';
import { inTransaction, type Transaction } from '../platform/database/transaction.js';
import { readRecord } from '../platform/input/read-input.js';
import type { Logger } from '../platform/logging/logger.js';
import { DEMO_BANKS, type DemoBank } from './demo-bank.js';
import { demoRecords, type DemoRecords } from './demo-records.js';

const CUSTOMER_EXISTS = {
  name: 'demo_customer_exists',
  text: 'SELECT EXISTS (SELECT FROM customer WHERE program = $1)',
};
/** Advisory locks are numbers; this one is taken by nobody else. */
const LOCK = { name: 'demo_lock', text: 'SELECT pg_advisory_xact_lock(1684368751)' };

/**
 * Loads the demo data of each demo program that has no customers yet, through the code that imports files. A program is loaded whole or
 * not at all, and by one process only however many start at once.
 */
export async function loadDemoData(
  database: Database,
  kindOf: (name: keyof DemoRecords) => Promise<ImportKind>,
  log: Logger,
): Promise<void> {
  for (const bank of DEMO_BANKS) {
    const [row] = await database.query<[boolean]>(CUSTOMER_EXISTS, [bank.program]);
    if (row?.[0]) continue;
    try {
      const loaded = await inTransaction(database, transaction => loadBank(transaction, bank, kindOf));
      if (loaded) log.info({ program: bank.program }, 'demo data loaded');
    } catch (error) {
      if (!(error instanceof IdsTaken)) throw error;
      log.warn({ program: bank.program }, 'demo data is not loaded: other programs have some of its ids');
    }
  }
}

async function loadBank(
  transaction: Transaction,
  bank: DemoBank,
  kindOf: (name: keyof DemoRecords) => Promise<ImportKind>,
): Promise<boolean> {
  await transaction.query(LOCK, []);
  const [row] = await transaction.query<[boolean]>(CUSTOMER_EXISTS, [bank.program]);
  if (row?.[0]) return false;
  for (const [name, records] of Object.entries(demoRecords(bank)) as [keyof DemoRecords, readonly object[]][]) {
    const kind = await kindOf(name);
    const items = records.map(record => readRecord(kind.input, record));
    const outcomes = await writeInOrder(transaction, kind, bank.program, items);
    if (outcomes.some(outcome => outcome !== 'new')) throw new IdsTaken();
  }
  return true;
}

class IdsTaken extends Error {
  override readonly name = 'IdsTaken';
}
