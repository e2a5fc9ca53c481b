import { AccountClosed, AccountNotFound } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import { doerIn, gatewayActor, recording, type NewEvent } from '../platform/command/recording.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { InvalidInput } from '../shared/errors.js';
import { marking } from './balance/balance-marks.js';
import type { PostedFacts } from './transaction.events.js';
import { TransactionRecord, type DepositTransactionRecord } from './transaction.inputs.js';
import { LedgerHead, offerOf, type Appended, type LocalTimes } from './transaction.ledger.js';
import type { TransactionRepository } from './transaction.repository.js';

/**
 * Transactions, in ledger order: each line is added at the end of its account's ledger. The same record again is
 * unchanged, another one under its id is refused; so is one whose `availableBalance` is not the ledger's balance
 * after it. Refused too are transactions of accounts that the program does not have, new ones of closed accounts, and
 * amounts with more digits than the account's currency. What a batch adds to an account is an event.
 */
export class TransactionImport implements ImportKind<TransactionRecord> {
  readonly input = TransactionRecord;

  constructor(
    private readonly accounts: AccountService,
    private readonly repository: TransactionRepository,
    private readonly actor = gatewayActor('import'),
  ) {}

  identityOf({ depositTransaction: { accountId, transactionId } }: TransactionRecord): string {
    return `${accountId} ${transactionId}`;
  }

  async write(transaction: Transaction, program: string, records: readonly TransactionRecord[]): Promise<Outcome[]> {
    const lines = records.map(({ depositTransaction }) => depositTransaction);
    const ids = lines.map(({ accountId }) => accountId);
    const accounts = await this.accounts.repository.lockAll(transaction, ids, program);
    const onRecord = await this.repository.onRecord(transaction, lines);
    const entries = Map.groupBy(onRecord.keys(), index => ids[index] as string);
    const heads = new Map<string, LedgerHead>();
    for (const [accountId, account] of accounts) {
      const present = (entries.get(accountId) ?? []).flatMap(index => onRecord[index]?.entry ?? []);
      heads.set(accountId, new LedgerHead(account, present));
    }

    const added: object[] = [];
    const moved = new Map<string, number>();
    const outcomes = lines.map((line, index): Outcome => {
      const { accountId } = line;
      const head = heads.get(accountId);
      const times = onRecord[index]?.times;
      if (!head || !times) return new AccountNotFound();
      const result = append(head, line, times);
      if (result instanceof InvalidInput) return result;
      if (!result.isNew) return 'unchanged';
      if (accounts.get(accountId)?.status === 'CLOSED') return new AccountClosed();
      added.push({ accountId, program, ...result.entry });
      moved.set(accountId, (moved.get(accountId) ?? 0) + 1);
      return 'new';
    });
    if (added.length === 0) return outcomes;

    await this.repository.copy(transaction, added);
    const ledgers = [...moved.keys()].map(accountId => ({ accountId, head: heads.get(accountId) as LedgerHead }));
    for (const query of [this.repository.moving(ledgers), ...marking(ledgers)]) await transaction.run(query);
    // The lock of the program's chain would keep all its writes waiting until a dry run is over.
    if (transaction.isDryRun) return outcomes;
    const by = doerIn(program, this.actor);
    const events = ledgers.map(({ accountId, head: { lastSeq } }): NewEvent => {
      const data = { transactions: moved.get(accountId) ?? 0, lastSeq } satisfies PostedFacts;
      return { by, action: 'transaction.import', accountId, object: `account/${accountId}`, data };
    });
    await transaction.runAll(recording(events));
    return outcomes;
  }
}

function append(head: LedgerHead, line: DepositTransactionRecord, times: LocalTimes): Appended | InvalidInput {
  const offer = offerOf(line, String(line.amount), head.currency, times);
  const result = Array.isArray(offer) ? offer[0] : head.offer(offer);
  return 'entry' in result ? result : new InvalidInput('rule_broken', [result]).under('/depositTransaction');
}
