import { hash } from 'node:crypto';
import type { AccountService } from '../account/account.service.js';
import type { ImportKind, Outcome } from '../platform/import/batch.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { InvalidInput, Refusal } from '../shared/errors.js';
import { canonicalJson } from '../shared/json.js';
import { MAX_BENEFICIARIES, TooManyBeneficiaries } from './beneficiary.errors.js';
import { BeneficiaryRecord } from './beneficiary.import-records.js';
import { contentOf, recordOf } from './beneficiary.record.js';
import type { BeneficiaryRepository } from './beneficiary.repository.js';

/** The beneficiaries of an account while others are added. */
interface List {
  count: number;
  last: number;
}

/**
 * Beneficiaries. What is not there is added at the end of its account's list; present with equal content is left as it
 * is; present with other content is refused, since somebody may have changed it through the API and an import never
 * overwrites that. A record without `beneficiaryId` is recognised by its account, name, type and relationship. Refused
 * are unknown accounts, those of another program, and more than `MAX_BENEFICIARIES` an account.
 */
export class BeneficiaryImport implements ImportKind<BeneficiaryRecord> {
  readonly input = BeneficiaryRecord;

  constructor(
    private readonly accounts: AccountService,
    private readonly repository: BeneficiaryRepository,
  ) {}

  identityOf(record: BeneficiaryRecord): string {
    return `${record.accountId} ${idOf(record)}`;
  }

  async write(transaction: Transaction, program: string, records: readonly BeneficiaryRecord[]): Promise<Outcome[]> {
    const lists = await this.lists(transaction, program, records);
    const keys = records.map(record => [record.accountId, idOf(record)]);
    const present = await this.repository.each(transaction, keys);
    const added: Draft[] = [];
    const outcomes = records.map((record, index): Outcome => {
      const list = lists.get(record.accountId);
      if (!list) return new UnknownAccount();
      const onFile = present[index];
      const content = recordOf(record);
      if (onFile) return canonicalJson(contentOf(onFile)) === canonicalJson(content) ? 'unchanged' : new ChangedSince();
      if (list.count >= MAX_BENEFICIARIES) return new TooManyBeneficiaries();
      list.count += 1;
      list.last += 1;
      const { accountId } = record;
      const { columns, secrets } = content;
      const row = { accountId, beneficiaryId: idOf(record), position: list.last, ...columns, secrets };
      added.push(this.repository.draft(row));
      return 'new';
    });
    if (added.length > 0) {
      await transaction.run(this.repository.insertion(added));
    }
    return outcomes;
  }

  /**
   * The lists of those accounts that are the program's. Whoever changes them holds the lock of their account, and so do
   * we.
   */
  private async lists(
    transaction: Transaction,
    program: string,
    records: readonly BeneficiaryRecord[],
  ): Promise<Map<string, List>> {
    const locked = await this.accounts.repository.lockAll(
      transaction,
      records.map(({ accountId }) => accountId),
      program,
    );
    const ids = [...locked.keys()];
    const ends = await this.repository.listEnds(transaction, ids);
    return new Map(ids.map((accountId, index) => [accountId, { ...(ends[index] as List) }]));
  }
}

/**
 * The id that the bank gave, or a UUIDv8 (RFC 9562, section 5.8) out of SHA-256 over what the record is recognised by.
 * None of it is sealed, so the id gives away nothing that the row does not show.
 */
function idOf(record: BeneficiaryRecord): string {
  if (record.beneficiaryId) return record.beneficiaryId;
  const { first, middle, last } = record.name;
  // One name is one text however its accents were typed, and an empty middle name is none.
  const names = [first, middle || '', last].map(part => part.normalize('NFC'));
  const bytes = hash(
    'sha256',
    JSON.stringify([record.accountId, ...names, record.beneficiaryType, record.relationship]),
    'buffer',
  ).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

class UnknownAccount extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/accountId',
        code: 'unknown_account',
        detail: 'This program has no account with this id. Import the account first.',
      },
    ]);
  }
}

class ChangedSince extends Refusal {
  readonly code = 'different_beneficiary';
  constructor() {
    super(
      'A beneficiary with this id exists and has different content. Change it over REST or GraphQL; an import does not overwrite beneficiaries.',
    );
  }
}
