import type { AccountView } from '../account/account.entity.js';
import { AccountClosed } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import { Bulk } from '../platform/command/bulk.js';
import type { ImportKind, Outcome, Records } from '../platform/import/batch.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { InvalidInput } from '../shared/errors.js';
import { onRecordOf } from './posting.service.js';
import type { PostedFacts } from './transaction.events.js';
import { TransactionRecord, type DepositTransactionRecord } from './transaction.inputs.js';
import { LedgerHead, offerOf, type Appended, type LocalTimes } from './transaction.ledger.js';
import type { LedgerAddition, OnRecord, TransactionRepository } from './transaction.repository.js';

/**
 * Transactions, in ledger order: each line is added at the end of its account's ledger. The same record again is
 * unchanged, another one under its id is refused; so is one whose `availableBalance` is not the ledger's balance
 * after it. Refused too are transactions of accounts that the program does not have, new ones of closed accounts, and
 * amounts with more digits than the account's currency. What a batch adds to an account is an event.
 */
export function transactionImport(
  accounts: AccountService,
  repository: TransactionRepository,
): ImportKind<TransactionRecord> {
  return {
    input: TransactionRecord,
    identityOf: ({ depositTransaction }) => depositTransaction.accountId,
    ofAccounts: true,
    bulk: new Bulk<Records<TransactionRecord>, AccountView, readonly OnRecord[], Outcome[], LedgerAddition>(
      accounts.locking,
      'transaction.import',
      {
        know: (transaction, asked) =>
          onRecordOf(
            repository,
            transaction,
            asked.map(({ input }) => input.items.map(({ depositTransaction }) => depositTransaction)),
          ),
        permit: (account, onRecord, { caller: { program }, accountId, input: { items } }) => {
          const head = new LedgerHead(
            account,
            onRecord.flatMap(({ entry }) => entry ?? []),
          );
          const drafts: Draft[] = [];
          const result = items.map(({ depositTransaction: line }, index): Outcome => {
            const appended = append(head, line, (onRecord[index] as OnRecord).times as LocalTimes);
            if (appended instanceof InvalidInput) return appended;
            if (!appended.isNew) return 'unchanged';
            if (account.status === 'CLOSED') return new AccountClosed();
            drafts.push(repository.draft({ accountId, program, ...appended.entry }));
            return 'new';
          });
          return { result, draft: { accountId, head, drafts } };
        },
        write: done => repository.adding(done.map(({ draft }) => draft)),
        event: ({ accountId, draft: { head, drafts } }) =>
          drafts.length === 0
            ? null
            : {
                object: `account/${accountId}`,
                data: { transactions: drafts.length, lastSeq: head.lastSeq } satisfies PostedFacts,
              },
      },
    ),
  };
}

function append(head: LedgerHead, line: DepositTransactionRecord, times: LocalTimes): Appended | InvalidInput {
  const offer = offerOf(line, String(line.amount), head.currency, times);
  const result = Array.isArray(offer) ? offer[0] : head.offer(offer);
  return 'entry' in result ? result : new InvalidInput('rule_broken', [result]).under('/depositTransaction');
}
