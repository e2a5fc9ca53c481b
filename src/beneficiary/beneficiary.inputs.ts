import { Field, Int } from 'type-graphql';
import {
  AddressInput,
  EmailInput,
  MAX_CONTACTS,
  PersonNameInput,
  PersonNamePatch,
  PhoneInput,
} from '../person/person.inputs.js';
import { LocalDate, UUID } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { Between, Matches, NotCleared, PastDate, Size, Together } from '../platform/input/rules.js';
import { BeneficiaryType, Relationship, TaxIdType } from './beneficiary.entity.js';
import { OtherBeneficiary } from './beneficiary.errors.js';

/**
 * Nine digits, plain or with the hyphens of an SSN or an EIN (IRS Publication 1220, 'Taxpayer Identification Number').
 */
const TAX_ID = /^(\d{9}|\d{3}-\d{2}-\d{4}|\d{2}-\d{7})$/;
/** In a patch the masked number may come back as it was shown; the service compares it. */
const TAX_ID_OR_MASKED = new RegExp(`${TAX_ID.source}|\\*`);

@Input(
  'A new beneficiary: someone who receives a share of the account when its owner dies. A beneficiary is not a payee.',
)
export class BeneficiaryInput {
  @Field(() => PersonNameInput, { description: 'The first, middle and last name of the beneficiary.' })
  name!: PersonNameInput;

  @Matches(TAX_ID, 'nine digits, with or without hyphens')
  @Together('taxIdType')
  @Field(() => String, {
    nullable: true,
    description:
      'Nine digits, with or without hyphens, such as `900-12-6789` or `900126789`. Send it together with `taxIdType`, or send neither. It is stored encrypted and shown masked.',
  })
  taxId?: string | null;

  @Together('taxId')
  @Field(() => TaxIdType, {
    nullable: true,
    description: 'The kind of the number in `taxId`. Send both, or neither.',
  })
  taxIdType?: TaxIdType | null;

  @PastDate()
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The date of birth, such as `1994-07-21`; a day before today.',
  })
  dateOfBirth?: string | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `The postal addresses of the beneficiary, up to ${MAX_CONTACTS}.`,
  })
  addresses?: AddressInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [EmailInput], {
    nullable: true,
    description: `The e-mail addresses of the beneficiary, up to ${MAX_CONTACTS}.`,
  })
  emails?: EmailInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], {
    nullable: true,
    description: `The telephone numbers of the beneficiary, up to ${MAX_CONTACTS}.`,
  })
  phones?: PhoneInput[] | null;

  @Field(() => BeneficiaryType, {
    description: 'Whether the beneficiary is a primary or a contingent one.',
  })
  beneficiaryType!: BeneficiaryType;

  @Field(() => Relationship, { description: 'The relationship of the beneficiary to the owner of the account.' })
  relationship!: Relationship;

  @Between(0, 100)
  @Field(() => Int, {
    description:
      'The share of the account in whole percent, 0 to 100. The shares of an account do not have to sum to 100.',
  })
  sharePercentage!: number;
}

@Input(
  'Changes to a beneficiary (JSON merge patch, RFC 7396): an absent field stays as it is, null clears an optional field, and a list is replaced.',
)
export class BeneficiaryPatch {
  @NotCleared()
  @Field(() => PersonNamePatch, {
    nullable: true,
    description: 'The parts of the name that change; cannot be cleared.',
  })
  name?: PersonNamePatch;

  @Matches(TAX_ID_OR_MASKED, 'nine digits, with or without hyphens')
  @Field(() => String, {
    nullable: true,
    description:
      'Nine digits, with or without hyphens, such as `900-12-6789`. The masked number that was shown changes nothing when it is sent back; null clears it, together with `taxIdType`.',
  })
  taxId?: string | null;

  @Field(() => TaxIdType, {
    nullable: true,
    description: 'The kind of the number in `taxId`; null clears it, together with `taxId`.',
  })
  taxIdType?: TaxIdType | null;

  @PastDate()
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The date of birth, such as `1994-07-21`; a day before today. Null clears it.',
  })
  dateOfBirth?: string | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `Postal addresses, up to ${MAX_CONTACTS}: they replace the ones on record, and null or an empty list clears them.`,
  })
  addresses?: AddressInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [EmailInput], {
    nullable: true,
    description: `E-mail addresses, up to ${MAX_CONTACTS}: they replace the ones on record, and null or an empty list clears them.`,
  })
  emails?: EmailInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], {
    nullable: true,
    description: `Telephone numbers, up to ${MAX_CONTACTS}: they replace the ones on record, and null or an empty list clears them.`,
  })
  phones?: PhoneInput[] | null;

  @NotCleared()
  @Field(() => BeneficiaryType, {
    nullable: true,
    description: 'Whether the beneficiary is a primary or a contingent one; cannot be cleared.',
  })
  beneficiaryType?: BeneficiaryType;

  @NotCleared()
  @Field(() => Relationship, {
    nullable: true,
    description: 'The relationship of the beneficiary to the owner of the account; cannot be cleared.',
  })
  relationship?: Relationship;

  @NotCleared()
  @Between(0, 100)
  @Field(() => Int, {
    nullable: true,
    description: 'The share of the account in whole percent, 0 to 100; cannot be cleared.',
  })
  sharePercentage?: number;
}

@Input('Changes to a beneficiary over REST. A complete record that was read can be sent back.')
export class BeneficiaryChange extends BeneficiaryPatch {
  @Field(() => UUID, { nullable: true, description: 'The id in the path; it can be left out.' })
  beneficiaryId?: string | null;
}

/** The changes without the id that may come with them. Throws `OtherBeneficiary` if it is not the one of the path. */
export function patchOf({ beneficiaryId, ...patch }: BeneficiaryChange, ofPath: string): BeneficiaryPatch {
  if (beneficiaryId && beneficiaryId !== ofPath) throw new OtherBeneficiary();
  return patch;
}
