import type { CustomerRead, OwnerService } from '../owner/owner.service.js';
import { Bulk } from '../platform/command/bulk.js';
import { ForeignId } from '../platform/command/foreign-ids.js';
import { UNLOCKED } from '../platform/command/program-commands.js';
import type { ImportKind, Outcome, Records } from '../platform/import/batch.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import type { AccountView } from './account.entity.js';
import { AccountClosed } from './account.errors.js';
import { newAccountOf, openingDraft, unknownOwners, type OpeningDraft } from './account.opening.js';
import type { AccountRead, AccountRepository } from './account.repository.js';
import { AccountRecord } from './operations.inputs.js';

interface Known {
  readonly onFile: AccountRead | null;
  /** Those of the program, among the owners. */
  readonly customers: ReadonlyMap<string, CustomerRead>;
  /** What is wrong with the time zone of each record. */
  readonly ofZones: readonly (readonly FieldProblem[])[];
}

/**
 * Accounts. A new one is inserted as OPEN with its owners, the first of them primary. Of one that is there, the type,
 * whether it bears interest and, where the file has one, the overdraft limit follow the file; another currency, time
 * zone or opening day is refused, since amounts and days on record depend on them, and so is any change of a closed
 * account. Owners are set by the first import only: after that they change through `addOwners` and `removeOwners`, and
 * importing a file again never undoes them. Refused are accounts of another program, and owners that are no customers
 * of this one.
 */
export function accountImport(repository: AccountRepository, owners: OwnerService): ImportKind<AccountRecord> {
  const updating = repository.updating(['accountType', 'interestBearing', 'overdraftLimitMinor']);
  return {
    input: AccountRecord,
    identityOf: ({ accountId }) => accountId,
    ofAccounts: true,
    bulk: new Bulk<Records<AccountRecord>, string, Known, Outcome[], OpeningDraft[]>(UNLOCKED, 'account.import', {
      know: async (transaction, asked) => {
        const ofOwners = asked.map(({ caller: { program }, input }) => ({
          ...{ program, customerIds: input.items.flatMap(record => record.owners) },
        }));
        const records = asked.flatMap(({ input }) => input.items);
        const ofZones = await repository.timeZoneProblems(
          records.map(({ timeZone }) => timeZone),
          transaction,
        );
        const [present, customers] = await Promise.all([
          repository.lockAll(
            transaction,
            asked.map(({ accountId }) => accountId),
          ),
          owners.repository.inPrograms(transaction, ofOwners),
        ]);
        return asked.map(({ accountId }, index) => ({
          onFile: present.get(accountId) ?? null,
          customers: customers[index] ?? new Map(),
          ofZones: ofZones.splice(0, asked[index]?.input.items.length),
        }));
      },
      permit: (program, { onFile, customers, ofZones }, { input: { items } }) => {
        if (onFile && onFile.program !== program) throw new ForeignId(onFile.program, '/accountId');
        let present = onFile;
        const drafts: OpeningDraft[] = [];
        const result = items.map((record, index): Outcome => {
          const account = newAccountOf(record);
          const problems = [
            ...(present ? contradictions(present, record) : []),
            ...('pointer' in account ? [account] : []),
            ...(ofZones[index] ?? []),
            ...unknownOwners(record.owners, customers),
          ];
          if (problems.length > 0 || 'pointer' in account) return new InvalidInput('rule_broken', problems);
          const limit = present && (record.overdraftLimit ?? null) === null ? present : account;
          const stored = { ...account, overdraftLimitMinor: limit.overdraftLimitMinor };
          const outcome = outcomeOf(present, stored);
          if (outcome !== 'new' && outcome !== 'updated') return outcome;
          const draft = openingDraft(repository, program, stored, record.owners);
          drafts.push({ ...draft, owners: drafts[0]?.owners ?? draft.owners });
          present = { ...stored, program };
          return outcome;
        });
        return { result, draft: drafts.slice(-1) };
      },
      write: done => {
        const opened = done.flatMap(({ fact, draft }) => (fact.onFile ? [] : draft));
        const updated = done.flatMap(({ fact, draft }) => (fact.onFile ? draft : []));
        return [
          repository.insertion(opened.map(({ account }) => account)),
          repository.ownerships.insertion(opened.flatMap(draft => draft.owners)),
          updating(updated.map(({ account }) => account)),
        ];
      },
      event: () => null,
    }),
  };
}

function outcomeOf(onFile: AccountRead | null, stored: AccountView): Outcome {
  if (!onFile) return 'new';
  const { accountType, interestBearing, overdraftLimitMinor } = stored;
  const isSame =
    onFile.accountType === accountType &&
    onFile.interestBearing === interestBearing &&
    onFile.overdraftLimitMinor === overdraftLimitMinor;
  if (isSame) return 'unchanged';
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
