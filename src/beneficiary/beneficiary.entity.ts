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
  description: 'Which United States tax id a number is.',
  valuesConfig: {
    SSN: { description: 'Social Security number, of a person.' },
    ITIN: {
      description: 'Individual Taxpayer Identification Number, of a person who can have no Social Security number.',
    },
    ATIN: { description: 'Adoption Taxpayer Identification Number, of a child until its adoption is final.' },
    EIN: { description: 'Employer Identification Number, of a trust, an estate or a charity.' },
  },
});

export const BeneficiaryType = { PRIMARY: 'PRIMARY', CONTINGENT: 'CONTINGENT' } as const;
export type BeneficiaryType = keyof typeof BeneficiaryType;
registerEnumType(BeneficiaryType, {
  name: 'BeneficiaryType',
  description: 'Who receives first.',
  valuesConfig: {
    PRIMARY: { description: 'Receives when the owner dies.' },
    CONTINGENT: { description: 'Receives when the owner dies and no primary beneficiary is alive.' },
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
  description: "What a beneficiary is to the account's owner.",
  valuesConfig: {
    SPOUSE: { description: 'Husband, wife or partner.' },
    CHILD: { description: 'Son or daughter.' },
    PARENT: { description: 'Father or mother.' },
    SIBLING: { description: 'Brother or sister.' },
    FAMILY_RELATIVE: { description: 'Any other relative.' },
    FRIEND: { description: 'Somebody who is no relative.' },
    TRUST: { description: 'A legal arrangement that holds property for others.' },
    CHARITY: { description: 'An organisation for the public good.' },
    ESTATE: { description: "What the owner leaves behind, shared out by the owner's will or by law." },
    OTHERS: { description: 'None of the others.' },
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
  description:
    'Someone who receives a share of the account when its owner dies (pay on death). Never a payee: nothing is paid to a beneficiary before.',
  simpleResolvers: true,
})
export class Beneficiary {
  [OptionalProps]?: SealedField;

  @OfAccount()
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, {
    description: 'Given by the service when the beneficiary is added, such as `e1b429a2-df64-8f14-8412-4059b8002e92`.',
  })
  beneficiaryId!: string;

  /** In its account: the order in which beneficiaries were added. */
  @Property({ type: 'integer' }) position!: number;

  @Embedded(() => PersonName, { prefix: 'name_' })
  @Field(() => PersonName, { description: 'How the beneficiary is called.' })
  name!: PersonName;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description:
      'The number with the tax authority, always masked but for its last four digits, such as `*****6789`; null where none was given.',
  })
  taxId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => TaxIdType, { nullable: true, description: 'Which kind of number `taxId` is; null where there is none.' })
  taxIdType!: TaxIdType | null;

  // What is sealed is opened when it is asked for, which fails where the key is gone: a resolver's failure is told, a property's is not.
  @Field(() => LocalDate, {
    simple: false,
    nullable: true,
    description: 'When the beneficiary was born, such as `1994-07-21`; null where nobody said.',
  })
  dateOfBirth!: string | null;

  @Field(() => [Address], {
    simple: false,
    description: 'Where letters and parcels reach the beneficiary; may be empty.',
  })
  addresses!: readonly Address[];

  @Field(() => [Email], { simple: false, description: 'Where e-mail reaches the beneficiary; may be empty.' })
  emails!: readonly Email[];

  @Field(() => [Phone], { simple: false, description: 'Where calls reach the beneficiary; may be empty.' })
  phones!: readonly Phone[];

  @Property({ type: 'text' })
  @Field(() => BeneficiaryType, {
    description: 'Whether the beneficiary receives first, or only in the place of others.',
  })
  beneficiaryType!: BeneficiaryType;

  @Property({ type: 'text' })
  @Field(() => Relationship, { description: "What the beneficiary is to the account's owner." })
  relationship!: Relationship;

  @Property({ type: 'integer' })
  @Field(() => Int, {
    description: 'Percent of the account, 0 to 100, whole. The shares of an account need not sum to 100.',
  })
  sharePercentage!: number;

  /** `BeneficiarySecrets`, sealed under this beneficiary's identity. */
  @Property({ type: 'blob' }) sealed!: Buffer;
}

/** The fields that are opened when they are asked for. */
export const BENEFICIARY_SECRETS = ['dateOfBirth', 'addresses', 'emails', 'phones'] as const;

/** A beneficiary as it is shown. */
export type BeneficiaryView = Readonly<Omit<Beneficiary, 'accountId' | 'position' | 'sealed' | typeof OptionalProps>>;
