import { Bulk } from '../../platform/command/bulk.js';
import type { EventFacts } from '../../platform/command/command.js';
import { ForeignId } from '../../platform/command/foreign-ids.js';
import { PROGRAM_CHAINS } from '../../platform/command/program-commands.js';
import type { ImportKind, Outcome, Records } from '../../platform/import/batch.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { metadataAfter } from '../../shared/metadata.js';
import { firstVersion } from '../../shared/version.js';
import { createdFacts, updatedFacts } from './customer.events.js';
import { CustomerRecord } from './customer.inputs.js';
import { changedFields, contentOf, storedOf } from './customer.record.js';
import { mustNotBeErased } from './customer.service.js';
import type { CustomerRead, CustomerRepository } from './owner.repository.js';

/** The row that is written of a customer, and the event that records it. */
interface Change {
  readonly row: Draft;
  readonly event: EventFacts;
}

/**
 * Customers. The file is the master: new ones are inserted, changed ones updated, equal ones left as they are. What is
 * created or changed is an event as if a request had done it. A customer of another program is refused, since an id
 * names one customer, and so is one whose data was erased: a file of before would bring the person back.
 */
export function customerImport(repository: CustomerRepository): ImportKind<CustomerRecord> {
  const updating = repository.updating();
  return {
    input: CustomerRecord,
    identityOf: ({ customerId }) => customerId,
    ofAccounts: false,
    bulk: new Bulk<Records<CustomerRecord>, string, CustomerRead | null, Outcome[], Change | null>(
      PROGRAM_CHAINS,
      'customer.import',
      {
        readFacts: async (transaction, requests) => {
          const ids = requests.map(({ input }) => input.identity);
          const locked = await repository.lock(transaction, ids);
          return ids.map(id => locked.get(id) ?? null);
        },
        permit: (program, onFile, { input: { identity: customerId, items } }) => {
          if (onFile && onFile.program !== program) throw new ForeignId(onFile.program, '/customerId');
          if (onFile) mustNotBeErased(onFile);
          const before = onFile && contentOf(onFile);
          let content = before;
          const result = items.map((record): Outcome => {
            // Systems of the program add to the metadata as well, so that of the file is added to it.
            const metadata = metadataAfter(content?.columns.metadata ?? {}, record.metadata ?? undefined);
            const stored = storedOf({ ...record, metadata });
            if (content && changedFields(content, stored).length === 0) return 'unchanged';
            const outcome = content ? 'updated' : 'new';
            content = stored;
            return outcome;
          });
          const changed = before && content ? changedFields(before, content) : null;
          if (!content || changed?.length === 0) return { result, draft: null };
          const { columns, secrets } = content;
          const event = changed
            ? { action: 'customer.update', ...updatedFacts(customerId, changed) }
            : { action: 'customer.create', ...createdFacts(customerId) };
          const { updatedAt } = firstVersion();
          const row = repository.draft({ customerId, program, ...columns, secrets, updatedAt });
          return { result, draft: { row, event } };
        },
        write: accepted => [
          repository.insertion(accepted.flatMap(({ fact, draft }) => (draft && !fact ? [draft.row] : []))),
          updating(accepted.flatMap(({ fact, draft }) => (draft && fact ? [draft.row] : []))),
        ],
        event: ({ draft }) => draft?.event ?? null,
      },
    ),
  };
}
