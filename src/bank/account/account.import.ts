import type { CustomerRead, OwnerService } from '../owner/owner.service.js';
import { Bulk } from '../../platform/command/bulk.js';
import type { EventFacts } from '../../platform/command/command.js';
import { UNLOCKED } from '../../platform/command/program-commands.js';
import type { ImportKind, Outcome, Records } from '../../platform/import/batch.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { isEqual, metadataAfter } from '../../shared/metadata.js';
import type { AccountView } from './account.entity.js';
import { AccountClosed } from './account.errors.js';
import {
  mustBeUsable,
  newAccountOf,
  openingDraft,
  unknownOwners,
  type OpeningDraft,
} from './opening/account.opening.js';
import type { AccountRead, AccountRepository } from './account.repository.js';
import { openedFacts, updatedFacts } from './administration/administration.events.js';
import { AccountRecord } from './administration/administration.inputs.js';

interface AccountImportFacts {
  readonly onFile: AccountRead | null;
  /** The program that had the account until it ended; null where there was none. */
  readonly endedIn: string | null;
  /** Those of the program, among the owners. */
  readonly customers: ReadonlyMap<string, CustomerRead>;
  /** The problems of the time zone of each record. */
  readonly ofZones: readonly (readonly FieldProblem[])[];
}

/** The columns that the file may change of an account that is on record. */
const CHANGEABLE = ['accountType', 'interestBearing', 'overdraftLimitMinor', 'metadata'] as const;

/** The rows that are written of an account, and the event that records them. */
interface Change extends OpeningDraft {
  readonly event: EventFacts;
}

/**
 * Accounts. A new one is inserted as OPEN with its owners, the first of them primary. Of one that is there, the type,
 * whether it bears interest and, where the file has them, the overdraft limit and keys of the metadata follow the file.
 * Another currency, time zone or opening day is refused, since amounts and days on record depend on them, and so is any
 * change of a closed account. Owners are set by the first import only: after that they change through
 * `addAccountOwners` and `removeAccountOwners`, and importing a file again never undoes them. What is opened or changed
 * is an event as if a request had done it. It refuses accounts of another program, ids of ended accounts, and owners
 * that are no customers of this one.
 */
export function accountImport(repository: AccountRepository, owners: OwnerService): ImportKind<AccountRecord> {
  const updating = repository.updating([...CHANGEABLE, 'updatedAt']);
  return {
    input: AccountRecord,
    identityOf: ({ accountId }) => accountId,
    ofAccounts: true,
    bulk: new Bulk<Records<AccountRecord>, string, AccountImportFacts, Outcome[], Change | null>(
      UNLOCKED,
      'account.import',
      {
        readFacts: async (transaction, requests) => {
          const ofOwners = requests.map(({ caller: { program }, input }) => ({
            program,
            customerIds: input.items.flatMap(record => record.owners),
          }));
          const records = requests.flatMap(({ input }) => input.items);
          const accountIds = requests.map(({ accountId }) => accountId);
          const [ofZones, onRecord, ended, customers] = await Promise.all([
            repository.timeZoneProblems(
              records.map(({ timeZone }) => timeZone),
              transaction,
            ),
            repository.lockAll(transaction, accountIds),
            repository.endedIn(transaction, accountIds),
            owners.repository.inPrograms(transaction, ofOwners),
          ]);
          return requests.map(({ accountId }, index) => ({
            onFile: onRecord.get(accountId) ?? null,
            endedIn: ended[index] ?? null,
            customers: customers[index] ?? new Map(),
            ofZones: ofZones.splice(0, requests[index]?.input.items.length),
          }));
        },
        permit: (program, { onFile, endedIn, customers, ofZones }, { input: { items } }) => {
          mustBeUsable(program, onFile?.program ?? null, endedIn);
          let current = onFile;
          let firstOwners: readonly string[] = [];
          const result = items.map((record, index): Outcome => {
            const account = newAccountOf(record);
            const problems = [
              ...(current ? contradictions(current, record) : []),
              ...('pointer' in account ? [account] : []),
              ...(ofZones[index] ?? []),
              ...unknownOwners(record.owners, customers),
            ];
            if (problems.length > 0 || 'pointer' in account) return new InvalidInput('rule_broken', problems);
            const limit = current && (record.overdraftLimit ?? null) === null ? current : account;
            // Systems of the program add to the metadata as well, so that of the file is added to it.
            const metadata = metadataAfter(current?.metadata ?? {}, record.metadata ?? undefined);
            const stored = {
              ...account,
              overdraftLimitMinor: limit.overdraftLimitMinor,
              metadata: current ? metadata : account.metadata,
            };
            const outcome = outcomeOf(current, stored);
            if (outcome !== 'new' && outcome !== 'updated') return outcome;
            if (outcome === 'new') firstOwners = record.owners;
            current = { ...stored, program };
            return outcome;
          });
          return {
            result,
            draft: current && changeOf(repository, program, { onFile, present: current, owners: firstOwners }),
          };
        },
        write: accepted => {
          const opened = accepted.flatMap(({ fact, draft }) => (draft && !fact.onFile ? draft : []));
          const updated = accepted.flatMap(({ fact, draft }) => (draft && fact.onFile ? draft : []));
          return [
            repository.insertion(opened.map(({ account }) => account)),
            repository.ownerships.insertion(opened.flatMap(draft => draft.owners)),
            updating(updated.map(({ account }) => account)),
          ];
        },
        event: ({ draft }) => draft?.event ?? null,
      },
    ),
  };
}

/** The account that all lines about it give together; null if the record is equal to it already. */
function changeOf(
  repository: AccountRepository,
  program: string,
  {
    onFile,
    present,
    owners,
  }: { readonly onFile: AccountRead | null; readonly present: AccountView; readonly owners: readonly string[] },
): Change | null {
  const draft = openingDraft(repository, program, present, owners);
  if (!onFile) return { ...draft, event: { action: 'account.open', ...openedFacts(present, owners) } };
  const changed = changedOf(onFile, present);
  if (changed.length === 0) return null;
  const names = changed.map(field => (field === 'overdraftLimitMinor' ? 'overdraftLimit' : field));
  return { ...draft, event: { action: 'account.update', ...updatedFacts(present, names, onFile) } };
}

function changedOf(onFile: AccountView, stored: AccountView): (typeof CHANGEABLE)[number][] {
  return CHANGEABLE.filter(field =>
    field === 'metadata' ? !isEqual(onFile.metadata, stored.metadata) : onFile[field] !== stored[field],
  );
}

function outcomeOf(onFile: AccountRead | null, stored: AccountView): Outcome {
  if (!onFile) return 'new';
  if (changedOf(onFile, stored).length === 0) return 'unchanged';
  return onFile.status === 'CLOSED' ? new AccountClosed() : 'updated';
}

function contradictions({ currency, timeZone, openedOn }: AccountRead, record: AccountRecord): FieldProblem[] {
  const fixed = Object.entries({ currency, timeZone, openedOn }) as ['currency' | 'timeZone' | 'openedOn', string][];
  return fixed
    .filter(([field, onFile]) => record[field] !== onFile)
    .map(([field]) => ({
      pointer: `/${field}`,
      code: 'fixed',
      detail: 'This value cannot change, and the account has another one. Send the value on record.',
    }));
}
