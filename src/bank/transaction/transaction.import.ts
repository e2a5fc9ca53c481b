import type { AccountView } from '../account/account.entity.js';
import { AccountClosed } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import { Bulk } from '../../platform/command/bulk.js';
import type { ImportKind, Outcome, Records } from '../../platform/import/batch.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import type { ApprovalRules } from '../../shared/approval.js';
import { InvalidInput, Refusal, type FieldProblem } from '../../shared/errors.js';
import { divided, needsApproval } from './posting.service.js';
import type { PostedFacts } from './transaction.events.js';
import { TransactionRecord, type DepositTransactionRecord } from './transaction.inputs.js';
import {
  LedgerHead,
  isBooked,
  offerOf,
  type LedgerAppend,
  type LocalTimes,
  type OfferedEntry,
} from './transaction.ledger.js';
import type { LedgerAddition, RecordedTransaction, TransactionRepository } from './transaction.repository.js';

interface TransactionImportFacts {
  readonly onRecord: readonly RecordedTransaction[];
  /** Null where nothing waits. */
  readonly rules: ApprovalRules | null;
}

const NEEDS_APPROVAL: FieldProblem = {
  pointer: '/amount',
  code: 'needs_approval',
  detail:
    'With this line the postings to the account are more than one person may post. Send it with postAccountTransactions, where it waits for an approval, or import the file with tillgate import.',
};

/** An earlier line of the account was rejected, and the balances in the lines build on each other. */
class EarlierLineRejected extends Refusal {
  readonly code = 'earlier_line_rejected';
  constructor(line: number) {
    super(
      `Line ${line} of this account was rejected, and the balances after it build on it. Correct line ${line}, or remove it, and import the file again: lines that are in the database already count as unchanged.`,
    );
  }
}

/**
 * Transactions, in ledger order: each line is added at the end of its account's ledger, whatever it refers to. The same
 * record again is unchanged, another one under its id is refused; so is one whose `availableBalance` is not the
 * ledger's balance after it. Refused too are transactions of accounts that the program does not have, new ones of
 * closed accounts, and amounts with more digits than the account's currency. Where lines of an account give balances,
 * the first refused one ends its new lines. What a batch adds to an account is an event. An import over the API does
 * not wait for an approval, so a line that would have to wait is refused.
 */
export function transactionImport(
  accounts: AccountService,
  repository: TransactionRepository,
  overTheApi = false,
): ImportKind<TransactionRecord> {
  return {
    input: TransactionRecord,
    identityOf: ({ depositTransaction }) => depositTransaction.accountId,
    identityIn: value => (value as Partial<TransactionRecord> | null)?.depositTransaction?.accountId,
    ofAccounts: true,
    isDivisible: true,
    bulk: new Bulk<Records<TransactionRecord>, AccountView, TransactionImportFacts, Outcome[], LedgerAddition>(
      accounts.locking,
      'transaction.import',
      {
        readFacts: async (transaction, requests) => {
          const offered = requests.map(({ input }) => input.items.map(({ depositTransaction }) => depositTransaction));
          const programs = requests.map(({ caller }) => caller.program);
          const [onRecord, rules] = await Promise.all([
            repository.onRecord(transaction, offered.flat()),
            overTheApi ? repository.rules(transaction, programs) : [],
          ]);
          return divided(onRecord, offered).map((ofAccount, index) => ({
            onRecord: ofAccount,
            rules: rules[index]?.approvals ?? null,
          }));
        },
        permit: (account, { onRecord, rules }, { caller, accountId, input }) => {
          const { program } = caller;
          const { items, lines } = input;
          const head = new LedgerHead(
            account,
            onRecord.flatMap(({ entry }) => entry ?? []),
          );
          const mayAdd = (amountMinor: bigint) =>
            rules === null || !needsApproval(rules, caller, account, head.turnoverMinor + amountMinor);
          const drafts: Draft[] = [];
          const outcomeOf = (record: DepositTransactionRecord, { times }: RecordedTransaction): Outcome => {
            const appended = append(head, record, times as LocalTimes, mayAdd);
            if (appended instanceof Refusal) return appended;
            if (!appended.isNew) return 'unchanged';
            if (account.status === 'CLOSED') return new AccountClosed();
            drafts.push(repository.draft({ accountId, program, ...appended.entry }));
            return 'new';
          };
          const givesBalances = items.some(
            ({ depositTransaction }) => (depositTransaction.availableBalance ?? null) !== null,
          );
          let { rejectedLine } = input;
          const result = items.map(({ depositTransaction: record }, index): Outcome => {
            const line = lines[index] as number;
            const endedBy = givesBalances && rejectedLine !== null && rejectedLine < line ? rejectedLine : null;
            if (endedBy !== null && !head.has(record.transactionId)) return new EarlierLineRejected(endedBy);
            const outcome = outcomeOf(record, onRecord[index] as RecordedTransaction);
            if (!(outcome instanceof Refusal)) return outcome;
            if (endedBy !== null) return new EarlierLineRejected(endedBy);
            rejectedLine = Math.min(line, rejectedLine ?? line);
            return outcome;
          });
          return { result, draft: { accountId, head, drafts } };
        },
        write: accepted => repository.adding(accepted.map(({ draft }) => draft)),
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
  record: DepositTransactionRecord,
  times: LocalTimes,
  mayAdd: (amountMinor: bigint) => boolean,
): LedgerAppend | InvalidInput {
  const offer = offerOf(record, String(record.amount), head.currency, times);
  const result = Array.isArray(offer) ? offer[0] : waits(offer) ? NEEDS_APPROVAL : head.offer(offer);
  return 'entry' in result ? result : new InvalidInput('rule_broken', [result]).under('/depositTransaction');

  function waits({ content }: OfferedEntry): boolean {
    return isBooked(content) && !head.has(content.transactionId) && !mayAdd(content.amountMinor);
  }
}
