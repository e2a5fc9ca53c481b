import type { KeyRing } from '../platform/crypto/key-ring.js';
import type {
  Beneficiary,
  BeneficiarySecrets,
  BeneficiaryType,
  BeneficiaryView,
  Relationship,
  TaxIdType,
} from './beneficiary.entity.js';

/** What is read of a beneficiary `b`, in the order of `BeneficiaryRow`. Its secrets come where `secrets` (SQL) is true. */
export function beneficiaryColumns(secrets = 'true'): string {
  return `b.account_id, b.beneficiary_id, b.position, b.name_first, b.name_middle, b.name_last, b.tax_id, b.tax_id_type,
    b.beneficiary_type, b.relationship, b.share_percentage, CASE WHEN ${secrets} THEN b.sealed::text END`;
}

export type BeneficiaryRow = [
  accountId: string,
  beneficiaryId: string,
  position: number,
  first: string,
  middle: string | null,
  last: string,
  taxId: string | null,
  taxIdType: TaxIdType | null,
  beneficiaryType: BeneficiaryType,
  relationship: Relationship,
  sharePercentage: number,
  sealed: string | null,
];

/** Under which identity a beneficiary's secrets are sealed. */
export function beneficiaryIdentity(accountId: string, beneficiaryId: string): string {
  return `beneficiary/${accountId}/${beneficiaryId}`;
}

/** A beneficiary as read: the seal is opened only when somebody asks for what is in it. */
export class BeneficiaryRead implements BeneficiaryView {
  readonly beneficiaryId: string;
  readonly position: number;
  readonly name: BeneficiaryView['name'];
  readonly taxId: string | null;
  readonly taxIdType: TaxIdType | null;
  readonly beneficiaryType: BeneficiaryType;
  readonly relationship: Relationship;
  readonly sharePercentage: number;
  private readonly open: () => BeneficiarySecrets;
  private opened: BeneficiarySecrets | undefined;

  constructor(
    [
      accountId,
      beneficiaryId,
      position,
      first,
      middle,
      last,
      taxId,
      taxIdType,
      type,
      relationship,
      share,
      sealed,
    ]: BeneficiaryRow,
    keys: KeyRing,
  ) {
    this.beneficiaryId = beneficiaryId;
    this.position = position;
    this.name = { first, middle, last };
    this.taxId = taxId;
    this.taxIdType = taxIdType;
    this.beneficiaryType = type;
    this.relationship = relationship;
    this.sharePercentage = share;
    this.open = () => secretsOf(keys, accountId, beneficiaryId, sealed);
  }

  private get secrets(): BeneficiarySecrets {
    return (this.opened ??= this.open());
  }
  get dateOfBirth(): string | null {
    return this.secrets.dateOfBirth;
  }
  get addresses(): BeneficiaryView['addresses'] {
    return this.secrets.addresses;
  }
  get emails(): BeneficiaryView['emails'] {
    return this.secrets.emails;
  }
  get phones(): BeneficiaryView['phones'] {
    return this.secrets.phones;
  }
}

/** Opens what is sealed of a beneficiary. Throws `SealBroken`. */
export function secretsOf(
  keys: KeyRing,
  accountId: string,
  beneficiaryId: string,
  sealed: string | null,
): BeneficiarySecrets {
  if (sealed === null) throw new Error('the secrets of this beneficiary were not read');
  return keys.open<BeneficiarySecrets>(beneficiaryIdentity(accountId, beneficiaryId), bytesOf(sealed));
}

/** Bytes as PostgreSQL writes them: \\x and hexadecimal digits. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

/** A beneficiary as plain data: every field of the contract's record, in its order. */
export function shown(beneficiary: BeneficiaryView | (Beneficiary & BeneficiarySecrets)): BeneficiaryView {
  const { beneficiaryId, name, taxId, taxIdType, dateOfBirth, addresses, emails, phones } = beneficiary;
  const { beneficiaryType, relationship, sharePercentage } = beneficiary;
  const { first, middle, last } = name;
  return {
    ...{ beneficiaryId, name: { first, middle, last }, taxId, taxIdType, dateOfBirth, addresses, emails, phones },
    ...{ beneficiaryType, relationship, sharePercentage },
  };
}
