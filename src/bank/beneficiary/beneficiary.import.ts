import { hash } from 'node:crypto';
import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { Bulk } from '../../platform/command/bulk.js';
import type { EventFacts } from '../../platform/command/command.js';
import type { ImportKind, Outcome, Records } from '../../platform/import/batch.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { InvalidInput, Refusal } from '../../shared/errors.js';
import { canonicalJson } from '../../shared/json.js';
import { firstVersion } from '../../shared/version.js';
import { MAX_BENEFICIARIES, TooManyBeneficiaries } from './beneficiary.errors.js';
import { beneficiaryFacts } from './beneficiary.events.js';
import { BeneficiaryRecord } from './beneficiary.import-records.js';
import { contentOf, recordOf, type BeneficiaryContent } from './beneficiary.record.js';
import type { BeneficiaryRepository, ListEnd } from './beneficiary.repository.js';

/**
 * The facts of an account for an import of beneficiaries: the end of its list, and those of the records that are there.
 */
interface BeneficiaryImportFacts extends ListEnd {
  readonly present: ReadonlyMap<string, BeneficiaryContent>;
}

/** A beneficiary that is added, and the event that records it. */
interface Addition {
  readonly row: Draft;
  readonly event: EventFacts;
}

/**
 * Beneficiaries. What is not there is added at the end of its account's list; present with equal content is left as it
 * is; present with other content is refused, since somebody may have changed it through the API and an import never
 * overwrites that. Each that is added is an event as if a request had added it. A record without `beneficiaryId` is
 * recognised by what `idOf` reads. Refused are unknown accounts, those of another program, and more than
 * `MAX_BENEFICIARIES` an account.
 */
export function beneficiaryImport(
  accounts: AccountService,
  repository: BeneficiaryRepository,
): ImportKind<BeneficiaryRecord> {
  return {
    input: BeneficiaryRecord,
    identityOf: ({ accountId }) => accountId,
    ofAccounts: true,
    isDivisible: true,
    bulk: new Bulk<Records<BeneficiaryRecord>, AccountView, BeneficiaryImportFacts, Outcome[], Addition[]>(
      { ...accounts.locking, notFound: () => new UnknownAccount() },
      'beneficiary.import',
      {
        readFacts: async (transaction, requests) => {
          const keys = requests.flatMap(({ accountId, input }) => input.items.map(item => [accountId, idOf(item)]));
          const [ends, found] = await Promise.all([
            repository.listEnds(
              transaction,
              requests.map(({ accountId }) => accountId),
            ),
            repository.each(transaction, keys),
          ]);
          let from = 0;
          return requests.map(({ input }, index) => {
            const onFile = found.slice(from, (from += input.items.length));
            const contents = onFile.flatMap(one => (one ? [[one.beneficiaryId, contentOf(one)] as const] : []));
            return { ...(ends[index] as ListEnd), present: new Map(contents) };
          });
        },
        permit: (_account, { count, last, present: onFile }, { accountId, input: { items } }) => {
          const contents = new Map(onFile);
          const added: Addition[] = [];
          const result = items.map((record): Outcome => {
            const beneficiaryId = idOf(record);
            const content = recordOf(record);
            const stored = contents.get(beneficiaryId);
            if (stored) return canonicalJson(stored) === canonicalJson(content) ? 'unchanged' : new ChangedSince();
            if (count + added.length >= MAX_BENEFICIARIES) return new TooManyBeneficiaries();
            const { columns, secrets } = content;
            const position = last + added.length + 1;
            const { updatedAt } = firstVersion();
            const row = repository.draft({ accountId, beneficiaryId, position, ...columns, secrets, updatedAt });
            const facts = beneficiaryFacts({ result: { beneficiaryId, ...columns } });
            added.push({ row, event: { action: 'beneficiary.add', ...facts } });
            contents.set(beneficiaryId, content);
            return 'new';
          });
          return { result, draft: added };
        },
        write: accepted => [repository.insertion(accepted.flatMap(({ draft }) => draft.map(({ row }) => row)))],
        event: ({ draft }) => draft.map(({ event }) => event),
      },
    ),
  };
}

/**
 * The id that the bank gave, or a UUIDv8 (RFC 9562, section 5.8) out of SHA-256 over what the record is recognised by.
 * None of it is sealed, so the id gives away nothing that the row does not show.
 */
function idOf(record: BeneficiaryRecord): string {
  if (record.beneficiaryId) return record.beneficiaryId;
  const { first, middle, last } = record.name;
  // One name is one text however its accents were typed, and an empty first or middle name is none.
  const names = [first ?? '', middle || '', last].map(part => part.normalize('NFC'));
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
