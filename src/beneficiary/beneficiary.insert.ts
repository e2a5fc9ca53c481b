import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Query } from '../platform/database/in-two-flights.js';
import type { BeneficiaryContent } from './beneficiary.record.js';
import { beneficiaryIdentity } from './beneficiary.row.js';

const INSERT = {
  name: 'beneficiaries_insert',
  text: `INSERT INTO beneficiary (account_id, beneficiary_id, position, name_first, name_middle, name_last, tax_id, tax_id_type,
      beneficiary_type, relationship, share_percentage, sealed)
    SELECT * FROM json_to_recordset($1) r("accountId" text, "beneficiaryId" uuid, position int, first text, middle text, last text,
      "taxId" text, "taxIdType" text, "beneficiaryType" text, relationship text, "sharePercentage" int, sealed bytea)`,
};

/** Where a beneficiary stands: in its account, behind those that were added before. */
export interface Place {
  readonly accountId: string;
  readonly beneficiaryId: string;
  readonly position: number;
}

/** A row to be inserted. */
export type NewBeneficiary = Readonly<Record<string, string | number | null>>;

export function newBeneficiaryOf(
  keys: KeyRing,
  place: Place,
  { columns, secrets }: BeneficiaryContent,
): NewBeneficiary {
  const { name, ...others } = columns;
  const sealed = keys.seal(beneficiaryIdentity(place.accountId, place.beneficiaryId), secrets);
  return { ...place, ...name, ...others, sealed: `\\x${sealed.toString('hex')}` };
}

/** What inserts the rows. */
export function insertion(rows: readonly NewBeneficiary[]): Query {
  return { statement: INSERT, values: [JSON.stringify(rows)] };
}
