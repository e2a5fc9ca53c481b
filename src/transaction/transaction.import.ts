import type { AccountView } from '../account/account.entity.js';
import { AccountClosed } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import { Bulk } from '../platform/command/bulk.js';
import type { ImportKind, Outcome, Records } from '../platform/import/batch.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import type { ApprovalRules } from '../shared/approval.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import { needsApproval, onRecordOf, type LedgerFacts } from './posting.service.js';
import type { PostedFacts } from './transaction.events.js';
import { TransactionRecord, type DepositTransactionRecord } from './transaction.inputs.js';
import { LedgerHead, offerOf, type LedgerAppend, type ReturnedAmount, type LocalTimes } from './transaction.ledger.js';
import type { LedgerAddition, RecordedTransaction, TransactionRepository } from './transaction.repository.js';

type TransactionImportFacts = LedgerFacts & { readonly rules: ApprovalRules | null };

const NEEDS_APPROVAL: FieldProblem = {
  pointer: '/amount',
  code: 'needs_approval',
  detail: 'This posting gives back a transaction, and needs an approval. Send it with postAccountTransactions.',
};

/**
 * Transactions, in ledger order: each line is added at the end of its account's ledger. The same record again is
 * unchanged, another one under its id is refused; so is one whose `availableBalance` is not the ledger's balance
 * after it. Refused too are transactions of accounts that the program does not have, new ones of closed accounts, and
 * amounts with more digits than the account's currency. What a batch adds to an account is an event. An import over the
 * API does not wait for an approval, so a line that would have to wait is refused.
 */
export function transactionImport(
  accounts: AccountService,
  repository: TransactionRepository,
  overTheApi = false,
): ImportKind<TransactionRecord> {
  return {
    input: TransactionRecord,
    identityOf: ({ depositTransaction }) => depositTransaction.accountId,
    ofAccounts: true,
    bulk: new Bulk<Records<TransactionRecord>, AccountView, TransactionImportFacts, Outcome[], LedgerAddition>(
      accounts.locking,
      'transaction.import',
      {
        know: async (transaction, asked) => {
          const programs = asked.map(({ caller }) => caller.program);
          const [facts, rules] = await Promise.all([
            onRecordOf(
              repository,
              transaction,
              asked.map(({ input }) => input.items.map(({ depositTransaction }) => depositTransaction)),
            ),
            overTheApi ? repository.rules(transaction, programs) : [],
          ]);
          return facts.map((fact, index) => ({ ...fact, rules: rules[index]?.approvals ?? null }));
        },
        permit: (account, { onRecord, referenced, rules }, { caller, accountId, input: { items } }) => {
          const { program } = caller;
          const mustWait = (givenBack: ReturnedAmount) =>
            rules !== null && needsApproval(rules, caller, account, [givenBack]);
          const head = new LedgerHead(
            account,
            onRecord.flatMap(({ entry }) => entry ?? []),
            referenced,
          );
          const drafts: Draft[] = [];
          const result = items.map(({ depositTransaction: line }, index): Outcome => {
            const appended = append(head, line, (onRecord[index] as RecordedTransaction).times as LocalTimes, mustWait);
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

function append(
  head: LedgerHead,
  line: DepositTransactionRecord,
  times: LocalTimes,
  mustWait: (givenBack: ReturnedAmount) => boolean,
): LedgerAppend | InvalidInput {
  const offer = offerOf(line, String(line.amount), head.currency, times);
  const givenBack = Array.isArray(offer) ? null : head.givenBackBy(offer.content);
  const waits = givenBack !== null && mustWait(givenBack);
  const result = Array.isArray(offer) ? offer[0] : waits ? NEEDS_APPROVAL : head.offer(offer);
  return 'entry' in result ? result : new InvalidInput('rule_broken', [result]).under('/depositTransaction');
}
