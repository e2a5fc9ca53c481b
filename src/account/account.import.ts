import type { OwnerService } from '../owner/owner.service.js';
import type { ImportKind, Outcome } from '../platform/import/batch.js';
import { Interfered, type Transaction } from '../platform/database/transaction.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import type { AccountView } from './account.entity.js';
import { AccountClosed } from './account.errors.js';
import { newAccountOf, openingDraft, unknownOwners, type OpeningDraft } from './account.opening.js';
import type { AccountRead, AccountRepository } from './account.repository.js';
import { AccountRecord } from './operations.inputs.js';

/**
 * Accounts. A new one is inserted as OPEN with its owners, the first of them primary. Of one that is there, the type,
 * whether it bears interest and, where the file has one, the overdraft limit follow the file; another currency, time
 * zone or opening day is refused, since amounts and days on record depend on them, and so is any change of a closed
 * account. Owners are set by the first import only: after that they change through `addOwners` and `removeOwners`, and
 * importing a file again never undoes them. Refused are accounts of another program, and owners that are no customers
 * of this one.
 */
export class AccountImport implements ImportKind<AccountRecord> {
  readonly input = AccountRecord;
  private readonly updating = this.repository.updating(['accountType', 'interestBearing', 'overdraftLimitMinor']);

  constructor(
    private readonly repository: AccountRepository,
    private readonly owners: OwnerService,
  ) {}

  identityOf({ accountId }: AccountRecord): string {
    return accountId;
  }

  async write(transaction: Transaction, program: string, records: readonly AccountRecord[]): Promise<Outcome[]> {
    const accountIds = records.map(({ accountId }) => accountId);
    const present = await this.repository.lockAll(transaction, accountIds, null);
    const customerIds = [...new Set(records.flatMap(({ owners }) => owners))];
    const [customers = new Map()] = await this.owners.repository.inPrograms(transaction, [{ program, customerIds }]);
    const drafts = { new: [] as OpeningDraft[], updated: [] as OpeningDraft[] };
    const outcomes = records.map((record): Outcome => {
      const onFile = present.get(record.accountId) ?? null;
      const account = newAccountOf(record);
      const problems = [
        ...(onFile ? contradictions(onFile, program, record) : []),
        ...('pointer' in account ? [account] : []),
        ...unknownOwners(record.owners, customers),
      ];
      if (problems.length > 0 || 'pointer' in account) return new InvalidInput('rule_broken', problems);
      const limit = onFile && (record.overdraftLimit ?? null) === null ? onFile : account;
      const stored = { ...account, overdraftLimitMinor: limit.overdraftLimitMinor };
      const outcome = outcomeOf(onFile, stored);
      if (outcome === 'new' || outcome === 'updated') {
        drafts[outcome].push(openingDraft(this.repository, program, stored, record.owners));
      }
      return outcome;
    });
    if (drafts.new.length > 0) await this.insert(transaction, drafts.new);
    if (drafts.updated.length > 0) {
      await transaction.run(this.updating(drafts.updated.map(({ account }) => account)));
    }
    return outcomes;
  }

  private async insert(transaction: Transaction, drafts: readonly OpeningDraft[]): Promise<void> {
    const query = this.repository.insertionOfNew(drafts.map(({ account }) => account));
    if ((await transaction.run(query)).length < drafts.length) throw new Interfered();
    await transaction.run(this.repository.ownerships.insertion(drafts.flatMap(({ owners }) => owners)));
  }
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

function contradictions(
  { program: ofProgram, currency, timeZone, openedOn }: AccountRead,
  program: string,
  record: AccountRecord,
): FieldProblem[] {
  if (ofProgram !== program) {
    return [
      {
        pointer: '/accountId',
        code: 'taken',
        detail: 'accountId belongs to an account of another program. Use an id that no other program uses.',
      },
    ];
  }
  const fixed = Object.entries({ currency, timeZone, openedOn }) as ['currency' | 'timeZone' | 'openedOn', string][];
  return fixed
    .filter(([field, onFile]) => record[field] !== onFile)
    .map(([field]) => ({
      pointer: `/${field}`,
      code: 'fixed',
      detail: 'This value cannot change, and the account has another one. Send the value on record.',
    }));
}
