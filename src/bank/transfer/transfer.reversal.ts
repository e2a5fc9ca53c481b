import type { AccountView } from '../account/account.entity.js';
import { mustNotBeClosed } from '../account/account.errors.js';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import type { CommandRequest } from '../../platform/command/command.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { isAboveAny } from '../../shared/money.js';
import {
  ledgerChanges,
  transferEntryId,
  type LedgerEntry,
  type LedgerService,
  type ReversalBasis,
} from '../transaction/ledger.service.js';
import type { TransferRead, TransferView } from './transfer.entity.js';
import { TransferNotFound } from './transfer.errors.js';
import { eventsOf } from './transfer.events.js';
import { shown, transferOf } from './transfer.record.js';
import type { TransferDraft, TransferRepository } from './transfer.repository.js';
import { REVERSE_TRANSFER } from './transfer.operations.js';

/** A transfer that is to be taken back. */
export interface TransferReversal {
  readonly transferId: string;
  readonly toAccountId: string;
  readonly reason: string;
}

interface ReversalFacts {
  /** The transfer as each account has it. */
  readonly rows: readonly (TransferRead | null)[];
  /** The facts that decide on the reversal of each entry. */
  readonly entries: readonly ReversalBasis[];
}

/** The kind of command that takes a transfer back: both entries, or none. */
export function reversingTransfers(
  repository: TransferRepository,
  accounts: AccountService,
  ledger: LedgerService,
): AccountCommand<TransferReversal, TransferView> {
  return accounts.command<TransferReversal, ReversalFacts, TransferView, TransferDraft>(REVERSE_TRANSFER, {
    recorded: ({ input: { transferId, reason } }) => ({ transferId, reason }),
    others: ({ toAccountId }) => [toAccountId],
    readFacts: (transaction, requests) => readFacts(repository, ledger, transaction, requests),
    permit: (from, { rows, entries }, { caller: { program } }, [to]) => {
      const ends = [from, to as AccountView];
      for (const account of ends) mustNotBeClosed(account);
      const additions = ends.map((account, index) =>
        ledger.reversing(account, program, entries[index] as ReversalBasis, true),
      );
      const [fromRow, toRow] = rows.map(row => {
        if (!row) throw new TransferNotFound();
        const reversedAt = entries[0]?.now ?? null;
        return transferOf({ ...shown(row), ...idsOf(row), status: 'REVERSED', reversedAt });
      }) as [TransferRead, TransferRead];
      const reversals = additions.map(({ entry }) => entry) as [LedgerEntry, LedgerEntry];
      const transfers = [{ rows: { from: fromRow, to: toRow }, entries: reversals }];
      return { result: shown(fromRow), draft: { transfers, additions } };
    },
    write: accepted => [
      repository.rewritten(accepted.flatMap(({ draft }) => draft.transfers.map(({ rows }) => rows))),
      ...ledger.writing(accepted.flatMap(({ draft }) => draft.additions)),
    ],
    event: ({ input: { reason }, draft }) =>
      draft.transfers.flatMap(transfer => eventsOf(REVERSE_TRANSFER.name, transfer, reason)),
    approval: {
      needs: ({ reversalsAbove }, { result }) => isAboveAny(result, reversalsAbove),
      changes: ({ draft: { additions } }) =>
        additions.flatMap(({ accountId, head }) =>
          ledgerChanges(head).map(change => ({ ...change, field: `accounts/${accountId}/${change.field}` })),
        ),
    },
  });
}

function idsOf({ accountId, program, seq, amountMinor }: TransferRead) {
  return { accountId, program, seq, amountMinor };
}

async function readFacts(
  repository: TransferRepository,
  ledger: LedgerService,
  transaction: StatementSender,
  requests: readonly CommandRequest<TransferReversal>[],
): Promise<ReversalFacts[]> {
  const keys = requests.flatMap(({ accountId, input: { transferId, toAccountId } }) => [
    { accountId, transferId, transactionId: transferEntryId(transferId, 'out') },
    { accountId: toAccountId, transferId, transactionId: transferEntryId(transferId, 'in') },
  ]);
  const [rows, entries] = await Promise.all([
    repository.each(
      transaction,
      keys.map(({ accountId, transferId }) => [accountId, transferId]),
    ),
    ledger.reversible(
      transaction,
      keys.map(({ accountId, transactionId }) => ({ accountId, transactionId })),
    ),
  ]);
  return requests.map((_, index) => ({
    rows: rows.slice(2 * index, 2 * index + 2),
    entries: entries.slice(2 * index, 2 * index + 2),
  }));
}
