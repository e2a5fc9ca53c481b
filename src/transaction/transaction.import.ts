import type { AccountView } from '../account/account.entity.js';
import { AccountNotFound } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import type { ImportKind, Outcome } from '../platform/import/import-kind.js';
import { copyField, type Transaction } from '../platform/database/transaction.js';
import { InvalidInput } from '../shared/errors.js';
import { TransactionRecord, type DepositTransactionRecord } from './transaction.inputs.js';
import { LedgerHead, offerOf, type Appended, type LocalTimes } from './transaction.ledger.js';
import {
  TransactionRead,
  WRITTEN_COLUMNS,
  localTimesIn,
  transactionColumns,
  writtenOf,
  type TransactionRow,
} from './transaction.row.js';

const PRESENT = {
  name: 'import_transactions_present',
  text: `SELECT ${transactionColumns()}, k.account_id FROM unnest($1::text[], $2::text[]) k(account_id, transaction_id)
    JOIN transaction t ON t.account_id = k.account_id AND t.transaction_id = k.transaction_id`,
};

const LOCAL_TIMES = {
  name: 'import_transactions_local_times',
  text: `SELECT ${localTimesIn('e.zone')}
    FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) e(zone, transaction_timestamp, posted_timestamp)`,
};

const MOVE = {
  name: 'import_transactions_move',
  text: `UPDATE account a SET last_seq = m.last_seq, balance_minor = m.balance_minor
    FROM unnest($1::text[], $2::int8[], $3::int8[]) m(account_id, last_seq, balance_minor) WHERE a.account_id = m.account_id`,
};

/**
 * Transactions, in ledger order: each line is added at the end of its account's ledger. The same record again is
 * unchanged, another one under its id is refused; so is one whose `availableBalance` is not the ledger's balance
 * after it. Refused too are transactions of accounts that the program does not have, and amounts with more digits
 * than the account's currency.
 */
export class TransactionImport implements ImportKind<TransactionRecord> {
  readonly input = TransactionRecord;

  constructor(private readonly accounts: AccountService) {}

  identityOf({ depositTransaction: { accountId, transactionId } }: TransactionRecord): string {
    return `${accountId} ${transactionId}`;
  }

  async write(transaction: Transaction, program: string, records: readonly TransactionRecord[]): Promise<Outcome[]> {
    const lines = records.map(({ depositTransaction }) => depositTransaction);
    const ids = [...new Set(lines.map(({ accountId }) => accountId))];
    const locked = await this.accounts.lockMany(transaction, program, ids);
    const accounts = new Map(locked.map(account => [account.accountId, account]));
    const heads = await headsOf(transaction, accounts, lines);
    const times = await transaction.query<[transactionTime: string, postedTime: string | null]>(LOCAL_TIMES, [
      lines.map(({ accountId }) => accounts.get(accountId)?.timeZone ?? 'UTC'),
      lines.map(({ transactionTimestamp }) => transactionTimestamp),
      lines.map(({ postedTimestamp = null }) => postedTimestamp),
    ]);

    const added: unknown[][] = [];
    const moved = new Map<string, LedgerHead>();
    const outcomes = lines.map((line, index): Outcome => {
      const head = heads.get(line.accountId);
      if (!head) return new AccountNotFound();
      const [transactionTime, postedTime] = times[index] as (typeof times)[number];
      const result = append(head, line, { transactionTime, postedTime });
      if (result instanceof InvalidInput) return result;
      if (!result.isNew) return 'unchanged';
      added.push(writtenOf(program, line.accountId, result.entry));
      moved.set(line.accountId, head);
      return 'new';
    });
    if (added.length === 0) return outcomes;

    await transaction.copy('transaction', WRITTEN_COLUMNS, added.map(copyLine).join(''));
    const ends = [...moved.values()];
    await transaction.query(MOVE, [
      [...moved.keys()],
      ends.map(({ lastSeq }) => lastSeq),
      ends.map(({ balanceMinor }) => balanceMinor),
    ]);
    return outcomes;
  }
}

/** The end of each account's ledger, with the entries on it that lines have the ids of. */
async function headsOf(
  transaction: Transaction,
  accounts: ReadonlyMap<string, AccountView>,
  lines: readonly DepositTransactionRecord[],
): Promise<Map<string, LedgerHead>> {
  const keys = [lines.map(({ accountId }) => accountId), lines.map(({ transactionId }) => transactionId)];
  const rows = await transaction.query<[...TransactionRow, accountId: string]>(PRESENT, keys);
  const present = Map.groupBy(rows, row => row[18]);
  const heads = new Map<string, LedgerHead>();
  for (const [accountId, account] of accounts) {
    const entries = (present.get(accountId) ?? []).map(row => new TransactionRead(row, account));
    heads.set(accountId, new LedgerHead(account.currency, account.lastSeq, account.balanceMinor, entries));
  }
  return heads;
}

function append(head: LedgerHead, line: DepositTransactionRecord, times: LocalTimes): Appended | InvalidInput {
  const offer = offerOf(line, String(line.amount), head.currency, times);
  const result = Array.isArray(offer) ? offer[0] : head.offer(offer);
  return 'entry' in result ? result : new InvalidInput('rule_broken', [result]).under('/depositTransaction');
}

function copyLine(values: readonly unknown[]): string {
  const fields = values.map(value =>
    copyField(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | bigint | null)),
  );
  return `${fields.join('\t')}\n`;
}
