import { Field, ID, Int } from 'type-graphql';
import { DryRun } from '../../platform/graphql/flag.js';
import { ExpectedVersion } from '../../platform/graphql/expected-version.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { ACCOUNT_ID } from '../account/account.entity.js';
import {
  AddressInput,
  EmailInput,
  MAX_CONTACTS,
  NameInput,
  NamePatch,
  OneName,
  PersonNameInput,
  PersonNamePatch,
  PhoneInput,
} from '../person/person.inputs.js';
import { LocalDate, UUID } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { Between, Matches, NotCleared, PastDate, Size, Together } from '../../platform/input/rules.js';
import { BeneficiaryType, Relationship, TaxIdType } from './beneficiary.entity.js';
import { OtherBeneficiary } from './beneficiary.errors.js';

/**
 * Nine digits, plain or with the hyphens of an SSN or an EIN, or spaces for them (IRS Publication 1220, 'Taxpayer
 * Identification Number').
 */
const TAX_ID = /^(\d{9}|\d{3}[- ]\d{2}[- ]\d{4}|\d{2}[- ]\d{7})$/;
/** In a patch the masked number may come back as it was shown; the service compares it. */
const TAX_ID_OR_MASKED = new RegExp(`${TAX_ID.source}|\\*`);

@Input('A new beneficiary without its name.')
class BeneficiaryDetails {
  @Matches(TAX_ID, 'nine digits, with or without hyphens or spaces')
  @Together('taxIdType')
  @Field(() => String, {
    nullable: true,
    description: 'The tax id, nine digits, such as `900-12-6789`.',
  })
  taxId?: string | null;

  @Together('taxId')
  @Field(() => TaxIdType, {
    nullable: true,
    description: 'The kind of number in `taxId`, together with it.',
  })
  taxIdType?: TaxIdType | null;

  @PastDate()
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The date of birth; a day before today.',
  })
  dateOfBirth?: string | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `The postal addresses, at most ${MAX_CONTACTS}.`,
  })
  addresses?: AddressInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [EmailInput], {
    nullable: true,
    description: `The e-mail addresses, at most ${MAX_CONTACTS}.`,
  })
  emails?: EmailInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], {
    nullable: true,
    description: `The telephone numbers, at most ${MAX_CONTACTS}.`,
  })
  phones?: PhoneInput[] | null;

  @Field(() => BeneficiaryType, {
    description: 'The rank: primary or contingent.',
  })
  beneficiaryType!: BeneficiaryType;

  @Field(() => Relationship, { description: 'The relationship to the owner of the account.' })
  relationship!: Relationship;

  @Between(0, 100)
  @Field(() => Int, {
    description: 'The share in whole percent, 0 to 100. Shares need not sum to 100.',
  })
  sharePercentage!: number;
}

@Input('A person or an organisation that is to get a share when the owner dies.')
export class BeneficiaryInput extends BeneficiaryDetails {
  @OneName()
  @Field(() => NameInput, { description: 'The name of the person or the organisation.' })
  name!: NameInput;
}

@Input('A person or an organisation that is to get a share when the owner dies, named as the contract has it.')
export class NewBeneficiaryRecord extends BeneficiaryDetails {
  @Field(() => PersonNameInput, { description: 'The name; that of an organisation is in `last`.' })
  name!: PersonNameInput;
}

@Input('The changes of a beneficiary without its name.')
class BeneficiaryDetailsPatch {
  @Matches(TAX_ID_OR_MASKED, 'nine digits, with or without hyphens or spaces')
  @Field(() => String, {
    nullable: true,
    description: 'The tax id, such as `900-12-6789`. The masked number changes nothing.',
  })
  taxId?: string | null;

  @Field(() => TaxIdType, {
    nullable: true,
    description: 'The kind of number in `taxId`. Null clears `taxId` as well.',
  })
  taxIdType?: TaxIdType | null;

  @PastDate()
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The date of birth; a day before today. Null clears it.',
  })
  dateOfBirth?: string | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `The postal addresses, up to ${MAX_CONTACTS}, which replace those on record.`,
  })
  addresses?: AddressInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [EmailInput], {
    nullable: true,
    description: `The e-mail addresses, up to ${MAX_CONTACTS}, which replace those on record.`,
  })
  emails?: EmailInput[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], {
    nullable: true,
    description: `The telephone numbers, up to ${MAX_CONTACTS}, which replace those on record.`,
  })
  phones?: PhoneInput[] | null;

  @NotCleared()
  @Field(() => BeneficiaryType, {
    nullable: true,
    description: 'The rank: primary or contingent. It cannot be cleared.',
  })
  beneficiaryType?: BeneficiaryType;

  @NotCleared()
  @Field(() => Relationship, {
    nullable: true,
    description: 'The relationship to the owner of the account. It cannot be cleared.',
  })
  relationship?: Relationship;

  @NotCleared()
  @Between(0, 100)
  @Field(() => Int, {
    nullable: true,
    description: 'The share in whole percent, 0 to 100. It cannot be cleared.',
  })
  sharePercentage?: number;
}

@Input('The changes of a beneficiary.')
export class BeneficiaryPatch extends BeneficiaryDetailsPatch {
  @NotCleared()
  @Field(() => NamePatch, {
    nullable: true,
    description: 'The parts of the name that change. The name cannot be cleared.',
  })
  name?: NamePatch;
}

const NamesBeneficiary = namesRecord('Beneficiary', {
  accountId: { description: ACCOUNT_ID },
  beneficiaryId: { description: 'The id that the gateway assigned.', isUuid: true },
});

@Input('The account, and the beneficiary that is added to it.')
export class AddBeneficiaryInput {
  @Field(() => ID, { description: ACCOUNT_ID })
  accountId!: string;

  @Field(() => BeneficiaryInput, { description: 'The new beneficiary.' })
  beneficiary!: BeneficiaryInput;

  @DryRun()
  dryRun?: boolean;
}

@Input('The beneficiary that is changed, and its changes.')
export class UpdateBeneficiaryInput extends NamesBeneficiary {
  @Field(() => BeneficiaryPatch, { description: 'The changes.' })
  patch!: BeneficiaryPatch;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('The beneficiary that is deleted.')
export class DeleteBeneficiaryInput extends NamesBeneficiary {
  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('Changes to a beneficiary over REST. A complete record that was read can be sent back.')
export class BeneficiaryChange extends BeneficiaryDetailsPatch {
  @NotCleared()
  @Field(() => PersonNamePatch, {
    nullable: true,
    description: 'The parts of the name that change. The name cannot be cleared.',
  })
  name?: PersonNamePatch;

  @Field(() => UUID, { nullable: true, description: 'The id in the path; it can be left out.' })
  beneficiaryId?: string | null;
}

/** The changes without the id that may come with them. Throws `OtherBeneficiary` if it is not the one of the path. */
export function patchOf({ beneficiaryId, ...patch }: BeneficiaryChange, ofPath: string): BeneficiaryPatch {
  if (beneficiaryId && beneficiaryId !== ofPath) throw new OtherBeneficiary();
  return patch;
}
