import { mustNotBeClosed } from '../account/account.errors.js';
import { type AccountService } from '../account/account.service.js';
import type { CommandRequest } from '../../platform/command/command.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import { isAboveAny } from '../../shared/money.js';
import type { LedgerService } from './ledger.service.js';
import { ledgerChanges, shown } from './transaction.appended.js';
import type { TransactionView } from './transaction.entity.js';
import type { ReversedFacts } from './transaction.events.js';
import type { LedgerAddition, ReversalBasis } from './transaction.repository.js';
import { REVERSE_TRANSACTION } from './transaction.operations.js';

interface Reversal {
  readonly transactionId: string;
  readonly reason: string;
}

/** Takes back what was posted: the ledger gets a transaction in the other direction, and loses none. */
export class ReversalService {
  constructor(
    private readonly accounts: AccountService,
    private readonly ledger: LedgerService,
  ) {}

  private readonly reversing = this.accounts.command<Reversal, ReversalBasis, TransactionView, LedgerAddition>(
    REVERSE_TRANSACTION,
    {
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (account, found, { caller: { program } }) => {
        mustNotBeClosed(account);
        const { entry: added, ...addition } = this.ledger.reversing(account, program, found);
        return { result: shown(added, account), draft: addition };
      },
      write: accepted => this.ledger.writing(accepted.map(({ draft }) => draft)),
      event: ({ input: { transactionId, reason }, result }) => {
        const { transactionId: reversalId, seq: lastSeq, amount, currency } = result;
        const data = {
          transactions: 1,
          lastSeq,
          transactionIds: [reversalId],
          reversedTransactionId: transactionId,
          amount,
          currency,
          reason,
        } satisfies ReversedFacts;
        return { object: `transaction/${reversalId}`, data };
      },
      approval: {
        needs: ({ reversalsAbove }, { result }) => isAboveAny(result, reversalsAbove),
        changes: ({ draft: { head } }) => ledgerChanges(head),
      },
    },
  );

  /**
   * Reverses a posted transaction, once. Throws `AccountNotFound`, `AccountClosed`, `TransactionNotFound`,
   * `TransactionOfTransfer`, `TransactionIsReversal`, `TransactionNotPosted`, `AlreadyReversed`, `BeyondTransaction`,
   * `TransactionMismatch`, `InvalidInput`.
   */
  async reverse(
    caller: Caller,
    accountId: string,
    transactionId: string,
    reason: string,
    dryRun: boolean,
  ): Promise<TransactionView> {
    return await this.reversing(caller, accountId, { transactionId, reason }, dryRun);
  }

  /**
   * Reads the facts. A text that cannot be an id is compared with none: it may hold what PostgreSQL does not take as
   * text.
   */
  private readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<Reversal>[],
  ): Promise<ReversalBasis[]> {
    const keys = requests.map(({ accountId, input: { transactionId } }) => ({
      accountId,
      transactionId: BANK_ID.test(transactionId) ? transactionId : null,
    }));
    return this.ledger.reversible(transaction, keys);
  }
}
