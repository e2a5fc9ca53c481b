import type { EntityManager } from '@mikro-orm/core';
import {
  Caller,
  Customer,
  Program,
  inTransaction,
  readRecord,
  writeRecords,
  type Database,
  type ImportKind,
  type Importer,
  type Logger,
  type SqlTransaction,
} from 'tillgate/noun';
import { DEMO_BANKS, type DemoBank } from './demo-bank.js';
import { DEMO_PROGRAMS } from './demo-programs.js';
import { demoCards, type DemoCard } from './demo-cards.js';
import { demoRecords, type DemoRecords } from './demo-records.js';

/** Advisory locks are numbers, and no entities; this one is taken by nobody else. */
const LOCK = { name: 'demo_lock', text: 'SELECT pg_advisory_xact_lock(1684368751)' };
const CLIENT = 'demo-data';

/** Documents of a program that are to be issued. */
export interface DemoRun {
  readonly kind: 'close' | '1099';
  /** `2026-06`, or `2025`. */
  readonly period: string;
  readonly program: string;
}

export interface DemoOrder {
  readonly database: Database;
  readonly log: Logger;
  readonly now: Date;
  readonly importOf: (name: keyof DemoRecords | 'programs') => Promise<ImportKind>;
  readonly importer: (program: string) => Importer;
  readonly createCard: (caller: Caller, card: DemoCard) => Promise<unknown>;
  /** Orders documents, which gateways that serve issue as soon as the transaction is committed. */
  readonly order: (transaction: SqlTransaction, run: DemoRun) => Promise<unknown>;
}

/**
 * Loads the demo data of each demo program that has no customers yet, through the code that imports files. A program is
 * loaded whole or not at all, with the order of its documents, and by one process only however many start at once; its
 * cards follow as commands.
 */
export async function loadDemoData(order: DemoOrder): Promise<void> {
  const { database, log } = order;
  for (const bank of DEMO_BANKS) {
    const { program } = bank;
    await loadProgram(bank, order);
    if (await hasCustomers(database.primary(), program)) continue;
    try {
      if (!(await inTransaction(database, transaction => loadBank(transaction, bank, order)))) continue;
      await createCards(bank, order);
      log.info({ program }, 'demo data loaded');
    } catch (error) {
      if (!(error instanceof IdsTaken)) throw error;
      log.warn({ program }, 'demo data is not loaded: other programs have some of its ids');
    }
  }
}

/** Also for demo data that was loaded before programs had records. What an operator has set stays. */
async function loadProgram({ program }: DemoBank, { database, importOf, importer }: DemoOrder): Promise<void> {
  const isKnown = async (em: EntityManager): Promise<boolean> => (await em.count(Program, { programId: program })) > 0;
  if (await isKnown(database.primary())) return;
  const kind = await importOf('programs');
  const record = readRecord(kind.input, { programId: program, ...DEMO_PROGRAMS[program] });
  await inTransaction(database, async transaction => {
    await transaction.query(LOCK, []);
    if (!(await isKnown(database.em(transaction)))) await writeRecords(transaction, kind, importer(program), [record]);
  });
}

async function hasCustomers(em: EntityManager, program: string): Promise<boolean> {
  return (await em.findOne(Customer, { program }, { fields: ['customerId'] })) !== null;
}

async function loadBank(transaction: SqlTransaction, bank: DemoBank, order: DemoOrder): Promise<boolean> {
  const { program } = bank;
  await transaction.query(LOCK, []);
  if (await hasCustomers(order.database.em(transaction), program)) return false;
  const all = Object.entries(demoRecords(bank, dayOf(order.now))) as [keyof DemoRecords, readonly object[]][];
  for (const [name, records] of all) {
    const kind = await order.importOf(name);
    const items = records.map(record => readRecord(kind.input, record));
    const outcomes = await writeRecords(transaction, kind, order.importer(program), items);
    if (outcomes.some(outcome => outcome !== 'new')) throw new IdsTaken();
  }
  for (const run of demoRuns(program, order.now)) await order.order(transaction, run);
  return true;
}

async function createCards(bank: DemoBank, { createCard, now }: DemoOrder): Promise<void> {
  const caller = new Caller(
    {
      program: bank.program,
      clientId: CLIENT,
      subject: CLIENT,
      customerId: null,
      scopes: new Set(['cards.write'] as const),
    },
    CLIENT,
  );
  await Promise.all(demoCards(bank, dayOf(now)).map(card => createCard(caller, card)));
}

/**
 * The statements of the months that are over since January of last year, the oldest first, and the forms of last year.
 */
export function demoRuns(program: string, now: Date): DemoRun[] {
  const lastYear = now.getUTCFullYear() - 1;
  const months = Array.from({ length: 12 + now.getUTCMonth() }, (_, index) => Date.UTC(lastYear, index, 1));
  return [
    ...months.map(month => ({ kind: 'close' as const, period: dayOf(new Date(month)).slice(0, 7), program })),
    { kind: '1099', period: String(lastYear), program },
  ];
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

class IdsTaken extends Error {
  override readonly name = 'IdsTaken';
}
