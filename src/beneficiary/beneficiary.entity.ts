import { OptionalProps } from '@mikro-orm/core';
import { Check, Embedded, Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { Address, Email, PersonName, Phone } from '../person/person.entity.js';
import { LocalDate, UUID } from '../platform/graphql/scalars.js';

export const TaxIdType = { SSN: 'SSN', ITIN: 'ITIN', ATIN: 'ATIN', EIN: 'EIN' } as const;
export type TaxIdType = keyof typeof TaxIdType;
registerEnumType(TaxIdType, {
  name: 'TaxIdType',
  description: 'What kind of United States tax id it is.',
  valuesConfig: {
    SSN: { description: 'Social Security number.' },
    ITIN: { description: 'Individual Taxpayer Identification Number.' },
    ATIN: { description: 'Adoption Taxpayer Identification Number.' },
    EIN: { description: 'Employer Identification Number, of a trust, an estate or a charity.' },
  },
});

export const BeneficiaryType = { PRIMARY: 'PRIMARY', CONTINGENT: 'CONTINGENT' } as const;
export type BeneficiaryType = keyof typeof BeneficiaryType;
registerEnumType(BeneficiaryType, {
  name: 'BeneficiaryType',
  description: 'In which order beneficiaries receive.',
  valuesConfig: {
    PRIMARY: { description: 'Receives first.' },
    CONTINGENT: { description: 'Receives when no primary beneficiary is alive.' },
  },
});

export const Relationship = {
  SPOUSE: 'SPOUSE',
  CHILD: 'CHILD',
  PARENT: 'PARENT',
  SIBLING: 'SIBLING',
  FAMILY_RELATIVE: 'FAMILY_RELATIVE',
  FRIEND: 'FRIEND',
  TRUST: 'TRUST',
  CHARITY: 'CHARITY',
  ESTATE: 'ESTATE',
  OTHERS: 'OTHERS',
} as const;
export type Relationship = keyof typeof Relationship;
registerEnumType(Relationship, {
  name: 'Relationship',
  description: "What the beneficiary is to the account's owner.",
  valuesConfig: {
    SPOUSE: { description: 'Husband, wife or partner.' },
    CHILD: { description: 'Son or daughter.' },
    PARENT: { description: 'Father or mother.' },
    SIBLING: { description: 'Brother or sister.' },
    FAMILY_RELATIVE: { description: 'Another relative.' },
    FRIEND: { description: 'A friend.' },
    TRUST: { description: 'A trust.' },
    CHARITY: { description: 'A charity.' },
    ESTATE: { description: "The owner's estate." },
    OTHERS: { description: 'Anyone else.' },
  },
});

/** What is sealed of a beneficiary. */
export interface BeneficiarySecrets {
  readonly taxId: string | null;
  readonly dateOfBirth: string | null;
  readonly addresses: readonly Address[];
  readonly emails: readonly Email[];
  readonly phones: readonly Phone[];
}

/** Sealed, not columns: shown from `BeneficiarySecrets`. */
type SealedField = 'dateOfBirth' | 'addresses' | 'emails' | 'phones';

@Entity({ tableName: 'beneficiary' })
@Unique({ properties: ['accountId', 'position'] })
@Check({ name: 'beneficiary_share_percentage', expression: 'share_percentage BETWEEN 0 AND 100' })
@ObjectType({
  description: 'Someone who receives a share of the account when its owner dies (pay on death). Not a payee.',
  simpleResolvers: true,
})
export class Beneficiary {
  [OptionalProps]?: SealedField;

  @OfAccount()
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'Given by the service.' })
  beneficiaryId!: string;

  /** In its account: the order in which beneficiaries were added. */
  @Property({ type: 'integer' }) position!: number;

  @Embedded(() => PersonName, { prefix: 'name_' })
  @Field(() => PersonName, { description: 'How the beneficiary is called.' })
  name!: PersonName;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'Masked: only the last four characters are readable, for example "*****6789".',
  })
  taxId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => TaxIdType, { nullable: true, description: 'What kind of tax id it is.' })
  taxIdType!: TaxIdType | null;

  // What is sealed is opened when it is asked for, which fails where the key is gone: a resolver's failure is told, a property's is not.
  @Field(() => LocalDate, { simple: false, nullable: true, description: 'Date of birth.' })
  dateOfBirth!: string | null;

  @Field(() => [Address], { simple: false, description: 'Postal addresses.' })
  addresses!: readonly Address[];

  @Field(() => [Email], { simple: false, description: 'E-mail addresses.' })
  emails!: readonly Email[];

  @Field(() => [Phone], { simple: false, description: 'Telephone numbers.' })
  phones!: readonly Phone[];

  @Property({ type: 'text' })
  @Field(() => BeneficiaryType, { description: 'In which order the beneficiary receives.' })
  beneficiaryType!: BeneficiaryType;

  @Property({ type: 'text' })
  @Field(() => Relationship, { description: "What the beneficiary is to the account's owner." })
  relationship!: Relationship;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'Percent of the account, 0 to 100. The shares of an account need not sum to 100.' })
  sharePercentage!: number;

  /** `BeneficiarySecrets`, sealed under this beneficiary's identity. */
  @Property({ type: 'blob' }) sealed!: Buffer;
}

/** A beneficiary as it is shown. */
export type BeneficiaryView = Readonly<Omit<Beneficiary, 'accountId' | 'position' | 'sealed' | typeof OptionalProps>>;
