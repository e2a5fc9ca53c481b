import { Bulk } from '../platform/command/bulk.js';
import { ForeignId } from '../platform/command/foreign-ids.js';
import { UNLOCKED } from '../platform/command/program-commands.js';
import type { ImportKind, Outcome, Records } from '../platform/import/batch.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { canonicalJson } from '../shared/json.js';
import { CustomerRecord } from './customer.inputs.js';
import { contentOf, storedOf } from './customer.record.js';
import type { CustomerRead, CustomerRepository } from './owner.repository.js';

/**
 * Customers. The file is the master: new ones are inserted, changed ones updated, equal ones left as they are. A
 * customer of another program is refused, since an id names one customer.
 */
export function customerImport(repository: CustomerRepository): ImportKind<CustomerRecord> {
  const updating = repository.updating();
  return {
    input: CustomerRecord,
    identityOf: ({ customerId }) => customerId,
    ofAccounts: false,
    bulk: new Bulk<Records<CustomerRecord>, string, CustomerRead | null, Outcome[], Draft[]>(
      UNLOCKED,
      'customer.import',
      {
        know: async (transaction, asked) => {
          const ids = asked.map(({ input }) => input.identity);
          const present = await repository.lock(transaction, ids);
          return ids.map(id => present.get(id) ?? null);
        },
        permit: (program, onFile, { input: { identity: customerId, items } }) => {
          if (onFile && onFile.program !== program) throw new ForeignId(onFile.program, '/customerId');
          let present = onFile && contentOf(onFile);
          const drafts: Draft[] = [];
          const result = items.map((record): Outcome => {
            const stored = storedOf(record);
            if (present && canonicalJson(present) === canonicalJson(stored)) return 'unchanged';
            const outcome = present ? 'updated' : 'new';
            const { columns, secrets } = (present = stored);
            drafts.push(repository.draft({ customerId, program, ...columns, secrets }));
            return outcome;
          });
          return { result, draft: drafts.slice(-1) };
        },
        write: done => [
          repository.insertion(done.flatMap(({ fact, draft }) => (fact ? [] : draft))),
          updating(done.flatMap(({ fact, draft }) => (fact ? draft : []))),
        ],
        event: () => null,
      },
    ),
  };
}
