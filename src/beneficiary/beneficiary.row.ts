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

/** A beneficiary as it is read: the seal is opened only when somebody asks for what is in it. */
export class BeneficiaryRead implements BeneficiaryView {
  private opened: BeneficiarySecrets | undefined;

  constructor(
    private readonly row: BeneficiaryRow,
    private readonly keys: KeyRing,
  ) {}

  get beneficiaryId(): string {
    return this.row[1];
  }
  get position(): number {
    return this.row[2];
  }
  get name(): BeneficiaryView['name'] {
    return { first: this.row[3], middle: this.row[4], last: this.row[5] };
  }
  get taxId(): string | null {
    return this.row[6];
  }
  get taxIdType(): TaxIdType | null {
    return this.row[7];
  }
  get beneficiaryType(): BeneficiaryType {
    return this.row[8];
  }
  get relationship(): Relationship {
    return this.row[9];
  }
  get sharePercentage(): number {
    return this.row[10];
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

  private get secrets(): BeneficiarySecrets {
    return (this.opened ??= secretsOf(this.keys, this.row[0], this.row[1], this.row[11]));
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
