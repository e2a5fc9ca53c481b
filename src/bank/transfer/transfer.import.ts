import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { Bulk } from '../../platform/command/bulk.js';
import type { ImportKind, Outcome, Records } from '../../platform/import/batch.js';
import { Refusal } from '../../shared/errors.js';
import type { LedgerService } from '../transaction/ledger.service.js';
import { TransferBook } from './transfer.book.js';
import { TransferRecord, newTransferOf } from './transfer.inputs.js';
import { accountsOf, type TransferMaking } from './transfer.making.js';
import type { TransferDraft } from './transfer.repository.js';
import type { MakingFacts } from './transfer.rules.js';

/**
 * Transfers, in their order: each line moves money as a request would, with the same rules and refusals, and sees what
 * those before it moved. A transfer that was made with the same content is unchanged. The lines of a batch are one
 * command, since they may be about the same accounts. An import over the API does not wait for an approval, so a line
 * that would have to wait is refused.
 */
export function transferImport(
  accounts: AccountService,
  ledger: LedgerService,
  making: TransferMaking,
  overTheApi = false,
): ImportKind<TransferRecord> {
  return {
    input: TransferRecord,
    identityOf: () => '',
    ofAccounts: false,
    bulk: new Bulk<Records<TransferRecord>, AccountView, MakingFacts[], Outcome[], TransferDraft>(
      accounts.locking,
      'transfer.import',
      {
        others: ({ items }) => accountsOf(items),
        mayLack: 'all',
        readFacts: (transaction, requests) =>
          making.readFactsOfSeveral(
            transaction,
            requests.map(({ caller, input: { items } }) => ({ caller, input: items.map(newTransferOf) })),
          ),
        permit: (_account, facts, { caller, input: { items } }, others) => {
          const book = new TransferBook(ledger, caller, others, { mayWait: !overTheApi });
          const result = items.map((line, index) => outcomeOf(book, line, facts[index] as MakingFacts));
          return { result, draft: book.draft, isUnchanged: book.isEmpty };
        },
        ...making.writing,
      },
    ),
  };
}

function outcomeOf(book: TransferBook, line: TransferRecord, facts: MakingFacts): Outcome {
  const before = book.count;
  try {
    book.make(newTransferOf(line), facts);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return book.count > before ? 'new' : 'unchanged';
}
