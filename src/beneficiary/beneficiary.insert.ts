import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Query } from '../platform/database/transaction.js';
import type { BeneficiaryContent } from './beneficiary.record.js';
import { beneficiaryIdentity } from './beneficiary.row.js';

const INSERT = {
  name: 'beneficiaries_insert',
  text: `INSERT INTO beneficiary (account_id, beneficiary_id, position, name_first, name_middle, name_last, tax_id, tax_id_type,
      beneficiary_type, relationship, share_percentage, sealed)
    SELECT * FROM json_to_recordset($1) r("accountId" text, "beneficiaryId" uuid, position int, first text, middle text, last text,
      "taxId" text, "taxIdType" text, "beneficiaryType" text, relationship text, "sharePercentage" int, sealed bytea)`,
};

/** A row to be inserted, but for its position behind those that were added before. */
export type BeneficiaryDraft = Readonly<Record<string, string | number | null>>;

export type NewBeneficiary = BeneficiaryDraft & { readonly position: number };

export function draftOf(
  keys: KeyRing,
  { accountId, beneficiaryId }: { readonly accountId: string; readonly beneficiaryId: string },
  { columns, secrets }: BeneficiaryContent,
): BeneficiaryDraft {
  const { name, ...others } = columns;
  const sealed = keys.seal(beneficiaryIdentity(accountId, beneficiaryId), secrets);
  return { accountId, beneficiaryId, ...name, ...others, sealed: `\\x${sealed.toString('hex')}` };
}

/** What inserts the rows. */
export function insertion(rows: readonly NewBeneficiary[]): Query {
  return { statement: INSERT, values: [JSON.stringify(rows)] };
}
