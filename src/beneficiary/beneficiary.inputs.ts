import { Field, Int } from 'type-graphql';
import {
  AddressInput,
  EmailInput,
  MAX_CONTACTS,
  PersonNameInput,
  PersonNamePatch,
  PhoneInput,
} from '../person/person.inputs.js';
import { LocalDate, UUID } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { Between, Matches, NotCleared, PastDate, Size, Together } from '../platform/input/rules.js';
import { BeneficiaryType, Relationship, TaxIdType } from './beneficiary.entity.js';
import { OtherBeneficiary } from './beneficiary.errors.js';

/** Nine digits, plain or with the hyphens of an SSN or an EIN (IRS Publication 1220, 'Taxpayer Identification Number'). */
const TAX_ID = /^(\d{9}|\d{3}-\d{2}-\d{4}|\d{2}-\d{7})$/;
/** In a patch the masked number may come back as it was shown; the service compares it. */
const TAX_ID_OR_MASKED = new RegExp(`${TAX_ID.source}|\\*`);

@Input('A new beneficiary: someone who receives a share of the account when its owner dies. Never a payee.')
export class BeneficiaryInput {
  @Field(() => PersonNameInput, { description: 'How the beneficiary is called.' })
  name!: PersonNameInput;

  @Matches(TAX_ID, 'nine digits, with or without hyphens')
  @Together('taxIdType')
  @Field(() => String, {
    nullable: true,
    description:
      'Nine digits, with or without hyphens, such as `900-12-6789` or `900126789`. Comes together with `taxIdType`, or neither is given. Sealed, and shown masked.',
  })
  taxId?: string | null;

  @Together('taxId')
  @Field(() => TaxIdType, {
    nullable: true,
    description: 'Which kind of number `taxId` is. Comes together with `taxId`, or neither is given.',
  })
  taxIdType?: TaxIdType | null;

  @PastDate()
  @Field(() => LocalDate, {
    nullable: true,
    description: 'When the beneficiary was born, such as `1994-07-21`; a day before today.',
  })
  dateOfBirth?: string | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `Where letters and parcels reach the beneficiary, up to ${MAX_CONTACTS}.`,
  })
  addresses?: AddressInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [EmailInput], {
    nullable: true,
    description: `Where e-mail reaches the beneficiary, up to ${MAX_CONTACTS}.`,
  })
  emails?: EmailInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], {
    nullable: true,
    description: `Where calls reach the beneficiary, up to ${MAX_CONTACTS}.`,
  })
  phones?: PhoneInput[] | null;

  @Field(() => BeneficiaryType, {
    description: 'Whether the beneficiary receives first, or only in the place of others.',
  })
  beneficiaryType!: BeneficiaryType;

  @Field(() => Relationship, { description: "What the beneficiary is to the account's owner." })
  relationship!: Relationship;

  @Between(0, 100)
  @Field(() => Int, {
    description: 'Percent of the account, 0 to 100, whole. The shares of an account need not sum to 100.',
  })
  sharePercentage!: number;
}

@Input(
  'Changes to a beneficiary (JSON merge patch, RFC 7396): absent stays, null clears what is optional, lists are replaced.',
)
export class BeneficiaryPatch {
  @NotCleared()
  @Field(() => PersonNamePatch, { nullable: true, description: 'Which parts of the name change; cannot be cleared.' })
  name?: PersonNamePatch;

  @Matches(TAX_ID_OR_MASKED, 'nine digits, with or without hyphens')
  @Field(() => String, {
    nullable: true,
    description:
      'Nine digits, with or without hyphens, such as `900-12-6789`. The masked number sent back as it was shown changes nothing; null clears it, with `taxIdType`.',
  })
  taxId?: string | null;

  @Field(() => TaxIdType, {
    nullable: true,
    description: 'Which kind of number `taxId` is; null clears it, with `taxId`.',
  })
  taxIdType?: TaxIdType | null;

  @PastDate()
  @Field(() => LocalDate, {
    nullable: true,
    description: 'When the beneficiary was born, such as `1994-07-21`; a day before today. Null clears it.',
  })
  dateOfBirth?: string | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `Postal addresses, up to ${MAX_CONTACTS}: they replace those on record, and null or an empty list clears them.`,
  })
  addresses?: AddressInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [EmailInput], {
    nullable: true,
    description: `E-mail addresses, up to ${MAX_CONTACTS}: they replace those on record, and null or an empty list clears them.`,
  })
  emails?: EmailInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], {
    nullable: true,
    description: `Telephone numbers, up to ${MAX_CONTACTS}: they replace those on record, and null or an empty list clears them.`,
  })
  phones?: PhoneInput[] | null;

  @NotCleared()
  @Field(() => BeneficiaryType, {
    nullable: true,
    description: 'Whether the beneficiary receives first, or only in the place of others; cannot be cleared.',
  })
  beneficiaryType?: BeneficiaryType;

  @NotCleared()
  @Field(() => Relationship, {
    nullable: true,
    description: "What the beneficiary is to the account's owner; cannot be cleared.",
  })
  relationship?: Relationship;

  @NotCleared()
  @Between(0, 100)
  @Field(() => Int, { nullable: true, description: 'Percent of the account, 0 to 100, whole; cannot be cleared.' })
  sharePercentage?: number;
}

@Input('A beneficiary of REST with its changes: what is read may be sent back whole.')
export class BeneficiaryChange extends BeneficiaryPatch {
  @Field(() => UUID, { nullable: true, description: 'The one of the path, as it was shown; it may be left out.' })
  beneficiaryId?: string | null;
}

/** The changes without the id that may come with them. Throws `OtherBeneficiary` if it is not the one of the path. */
export function patchOf({ beneficiaryId, ...patch }: BeneficiaryChange, ofPath: string): BeneficiaryPatch {
  if (beneficiaryId && beneficiaryId !== ofPath) throw new OtherBeneficiary();
  return patch;
}
