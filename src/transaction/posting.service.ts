import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import type { Json } from '../shared/json.js';
import { decimalOf } from '../shared/money.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import { AccountClosed, TransactionMismatch } from './transaction.errors.js';
import { MAX_POSTINGS_A_CALL, type TransactionInput } from './transaction.inputs.js';
import {
  LedgerHead,
  offerOf,
  type Appended,
  type LedgerEntry,
  type LocalTimes,
  type OfferedEntry,
} from './transaction.ledger.js';
import { WRITTEN_COLUMNS, localTimesIn, writtenOf } from './transaction.row.js';

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  constructor(private readonly accounts: AccountService) {}

  /**
   * Posts 1 to 500 transactions to an account in the order given, all or none. One that is on the ledger already,
   * with the same content, is given back as it stands. Throws `AccountNotFound`, `AccountClosed`,
   * `TransactionMismatch`, `InvalidInput`.
   */
  async post(caller: Caller, accountId: string, transactions: readonly TransactionInput[]): Promise<TransactionView[]> {
    this.accounts.allow(caller, 'transaction.post', 'operations', accountId);
    if (transactions.length < 1 || transactions.length > MAX_POSTINGS_A_CALL) {
      throw new InvalidInput('rule_broken', [
        { pointer: '/transactions', code: 'size', detail: `Must have 1 to ${MAX_POSTINGS_A_CALL} elements.` },
      ]);
    }
    let [added, lastSeq] = [0, 0];
    const command = {
      name: 'transaction.post',
      scope: 'operations' as const,
      accountId,
      input: { accountId, transactions: transactions as unknown as Json },
      event: () => ({ object: `account/${accountId}`, data: { transactions: added, lastSeq } }),
    };
    return this.accounts.change(caller, command, async (em, account) => {
      if (account.status === 'CLOSED') throw new AccountClosed();
      const offers = await offersOf(em, transactions, account);
      const present = await em.find(Transaction, {
        accountId,
        transactionId: { $in: transactions.map(({ transactionId }) => transactionId) },
      });
      const head = new LedgerHead(account.currency, account.lastSeq, account.balanceMinor, present.map(entryOf));
      const entries = offers.map((offer, index) => append(head, offer, `/transactions/${index}`));
      const fresh = entries.filter(({ isNew }) => isNew).map(({ entry }) => entry);
      [added, lastSeq] = [fresh.length, head.lastSeq];
      if (fresh.length > 0) await write(em, caller.program, accountId, head, fresh);
      return entries.map(({ entry }) => shown(entry, account));
    });
  }
}

const LOCAL_TIMES = `SELECT ${localTimesIn('z.zone')} FROM (SELECT ?::text AS zone) z,
  json_to_recordset(?::json) e(transaction_timestamp timestamptz, posted_timestamp timestamptz)`;

/** What is offered, with local times and amounts in minor units. Throws `InvalidInput`, which names every bad field. */
async function offersOf(
  em: EntityManager,
  transactions: readonly TransactionInput[],
  { timeZone, currency }: AccountView,
): Promise<OfferedEntry[]> {
  const instants = transactions.map(({ transactionTimestamp, postedTimestamp = null }) => ({
    transaction_timestamp: transactionTimestamp,
    posted_timestamp: postedTimestamp,
  }));
  const times = await em.execute<LocalTimes[]>(LOCAL_TIMES, [timeZone, JSON.stringify(instants)]);
  const problems: FieldProblem[] = [];
  const offers = transactions.flatMap((transaction, index) => {
    const offer = offerOf(transaction, transaction.amount, currency, times[index] as LocalTimes);
    if (!Array.isArray(offer)) return offer;
    problems.push(...offer.map(problem => ({ ...problem, pointer: `/transactions/${index}${problem.pointer}` })));
    return [];
  });
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return offers;
}

function append(head: LedgerHead, offer: OfferedEntry, at: string): Appended {
  const result = head.offer(offer);
  if ('entry' in result) return result;
  const problem = { ...result, pointer: at + result.pointer };
  if (problem.code === 'different_transaction') throw new TransactionMismatch(problem);
  throw new InvalidInput('rule_broken', [problem]);
}

// The account moves in the statement that adds to its ledger. Its row has been locked since the command read it.
const COLUMNS = WRITTEN_COLUMNS.join(', ');
const APPEND = `WITH moved AS (UPDATE account SET last_seq = ?, balance_minor = ? WHERE account_id = ?)
  INSERT INTO transaction (${COLUMNS}) SELECT ${COLUMNS} FROM jsonb_populate_recordset(null::transaction, ?::jsonb)`;

async function write(
  em: EntityManager,
  program: string,
  accountId: string,
  { lastSeq, balanceMinor }: LedgerHead,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const rows = entries.map(entry => {
    const values = writtenOf(program, accountId, entry);
    return Object.fromEntries(WRITTEN_COLUMNS.map((column, index) => [column, values[index]]));
  });
  const text = JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  await em.execute(APPEND, [lastSeq, balanceMinor.toString(), accountId, text]);
}

function entryOf({ program: _program, occurredAt: _occurredAt, ...columns }: Transaction): LedgerEntry {
  return {
    ...columns,
    seq: Number(columns.seq),
    transactionTimestamp: columns.transactionTimestamp.toISOString(),
    postedTimestamp: columns.postedTimestamp?.toISOString() ?? null,
  };
}

/** As plain data, since it is recorded as the command's outcome. */
function shown(
  { amountMinor, balanceMinor, ...entry }: LedgerEntry,
  { accountId, currency }: AccountView,
): TransactionView {
  return {
    ...entry,
    accountId,
    currency,
    amount: decimalOf(amountMinor, currency),
    availableBalance: decimalOf(balanceMinor, currency),
  };
}
