import { AccountNotFound } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import type { ImportKind, Outcome } from '../platform/import/batch.js';
import type { Transaction } from '../platform/database/transaction.js';
import { InvalidInput } from '../shared/errors.js';
import type { FieldCode } from '../shared/field-problems.js';
import { TransactionRecord, type DepositTransactionRecord } from './transaction.import-records.js';
import { ENTRY_PROBLEMS, LedgerHead, amountMinorOf, contentOf, type LedgerEntry } from './transaction.ledger.js';
import type { TransactionRepository } from './transaction.repository.js';
import { ledgerEntryOf, transactionColumns, type TransactionRow } from './transaction.row.js';

const PRESENT = {
  name: 'import_transactions_present',
  text: `SELECT ${transactionColumns(`'UTC'`)}, k.account_id FROM unnest($1::text[], $2::text[]) k(account_id, transaction_id)
    JOIN transaction t ON t.account_id = k.account_id AND t.transaction_id = k.transaction_id`,
};

/**
 * Transactions, in ledger order: each line is added at the end of its account's ledger. The same record again is unchanged,
 * another one under its id is refused; so is one whose `availableBalance` is not the ledger's balance after it. Refused too
 * are transactions of accounts that the program does not have, and amounts with more digits than the account's currency.
 */
export class TransactionImport implements ImportKind<TransactionRecord> {
  readonly input = TransactionRecord;

  constructor(
    private readonly accounts: AccountService,
    private readonly repository: TransactionRepository,
  ) {}

  identityOf({ depositTransaction: { accountId, transactionId } }: TransactionRecord): string {
    return `${accountId} ${transactionId}`;
  }

  async write(transaction: Transaction, program: string, records: readonly TransactionRecord[]): Promise<Outcome[]> {
    const lines = records.map(({ depositTransaction }) => depositTransaction);
    const heads = await this.lockLedgers(transaction, program, lines);
    const added: { accountId: string; entry: LedgerEntry }[] = [];
    const outcomes = lines.map((line): Outcome => {
      const head = heads.get(line.accountId);
      if (!head) return new AccountNotFound();
      const result = offer(head, line);
      if (result instanceof InvalidInput) return result;
      if (result.isNew) added.push({ accountId: line.accountId, entry: result.entry });
      return result.isNew ? 'new' : 'unchanged';
    });
    if (added.length === 0) return outcomes;

    const rows = added.map(({ accountId, entry }) => ({ accountId, program, ...entry }));
    await this.repository.copy(transaction, rows);
    const moved = [...new Set(added.map(({ accountId }) => accountId))];
    await transaction.run(
      this.repository.moving(moved.map(accountId => ({ accountId, head: heads.get(accountId) as LedgerHead }))),
    );
    return outcomes;
  }

  private async lockLedgers(
    transaction: Transaction,
    program: string,
    lines: readonly DepositTransactionRecord[],
  ): Promise<Map<string, LedgerHead>> {
    const locked = await this.accounts.repository.lockAll(
      transaction,
      lines.map(({ accountId }) => accountId),
    );
    const accounts = [...locked.values()].filter(account => account.program === program);
    const keys = [lines.map(({ accountId }) => accountId), lines.map(({ transactionId }) => transactionId)];
    const rows = await transaction.query<[...TransactionRow, accountId: string]>(PRESENT, keys);
    const present = Map.groupBy(rows, row => row[18]);
    return new Map(
      accounts.map(({ accountId, currency, lastSeq, balanceMinor }) => [
        accountId,
        new LedgerHead(
          currency,
          lastSeq,
          balanceMinor,
          (present.get(accountId) ?? []).map(row => ledgerEntryOf(row)),
        ),
      ]),
    );
  }
}

function offer(
  head: LedgerHead,
  line: DepositTransactionRecord,
): { entry: LedgerEntry; isNew: boolean } | InvalidInput {
  const amountMinor = amountMinorOf(String(line.amount), head.currency);
  if (typeof amountMinor !== 'bigint') return refused('amount', amountMinor.code, amountMinor.detail);
  if (line.status === 'POSTED' && !line.postedTimestamp) {
    return refused(
      'postedTimestamp',
      'required',
      'A transaction with the status POSTED needs this field. Send the time of posting.',
    );
  }
  const result = head.offer({ content: contentOf(line, amountMinor), expectedBalance: line.availableBalance ?? null });
  if (!('problem' in result)) return result;
  const { field, detail } = ENTRY_PROBLEMS[result.problem];
  return refused(field, result.problem, detail);
}

function refused(field: string, code: FieldCode, detail: string): InvalidInput {
  return new InvalidInput('rule_broken', [{ pointer: `/depositTransaction/${field}`, code, detail }]);
}
