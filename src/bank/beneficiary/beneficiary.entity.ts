import { OptionalProps, type Opt } from '@mikro-orm/core';
import { Check, Embedded, Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { Address, Email, PersonName, Phone } from '../person/person.entity.js';
import { UPDATED_AT, VERSION } from '../../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DateTimeISO, LocalDate, UUID } from '../../platform/scalars/scalars.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { SetByDatabase, Sealed } from '../../platform/repository/declarations.js';

export const TaxIdType = { SSN: 'SSN', ITIN: 'ITIN', ATIN: 'ATIN', EIN: 'EIN' } as const;
export type TaxIdType = keyof typeof TaxIdType;
registerEnumType(TaxIdType, {
  name: 'TaxIdType',
  description: 'The kind of a United States tax id.',
  valuesConfig: {
    SSN: { description: 'A Social Security number.' },
    ITIN: {
      description: 'An Individual Taxpayer Identification Number.',
    },
    ATIN: { description: 'An Adoption Taxpayer Identification Number.' },
    EIN: { description: 'An Employer Identification Number, which organisations have.' },
  },
});

export const BeneficiaryType = { PRIMARY: 'PRIMARY', CONTINGENT: 'CONTINGENT' } as const;
export type BeneficiaryType = keyof typeof BeneficiaryType;
registerEnumType(BeneficiaryType, {
  name: 'BeneficiaryType',
  description: 'The order in which beneficiaries receive.',
  valuesConfig: {
    PRIMARY: { description: 'The beneficiary receives a share when the owner dies.' },
    CONTINGENT: { description: 'The beneficiary receives a share when no primary beneficiary is alive.' },
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
  description: 'The relationship of a beneficiary to the owner of the account.',
  valuesConfig: {
    SPOUSE: { description: 'A husband, wife or partner.' },
    CHILD: { description: 'A son or daughter.' },
    PARENT: { description: 'A father or mother.' },
    SIBLING: { description: 'A brother or sister.' },
    FAMILY_RELATIVE: { description: 'Any other relative.' },
    FRIEND: { description: 'A person who is not a relative.' },
    TRUST: { description: 'An arrangement that holds property for others.' },
    CHARITY: { description: 'A charitable organisation.' },
    ESTATE: { description: 'The estate that the owner leaves, by will or by law.' },
    OTHERS: { description: 'Any other relationship.' },
  },
});

/** The sealed part of a beneficiary. */
export interface BeneficiarySecrets {
  readonly taxId: string | null;
  readonly dateOfBirth: string | null;
  readonly addresses: readonly Address[];
  readonly emails: readonly Email[];
  readonly phones: readonly Phone[];
}

/** The fields that are opened when they are asked for. */
export const BENEFICIARY_SECRETS = ['dateOfBirth', 'addresses', 'emails', 'phones'] as const;
type SealedField = (typeof BENEFICIARY_SECRETS)[number];

@Entity({ tableName: 'beneficiary' })
@DataClasses<Beneficiary>({
  kept: 'until it is deleted, or its account',
  shownAs: ['BeneficiaryListItem'],
  internal: ['position', 'version', 'updatedAt'],
  identifier: ['accountId', 'beneficiaryId'],
  personal: {
    name: 'in the clear: lists show it, and operators search by it',
    taxId: 'masked: last four digits',
    taxIdType: 'in the clear: lists show it beside the masked number',
    beneficiaryType: 'in the clear: lists show it',
    relationship: 'in the clear: lists show it',
    sharePercentage: 'in the clear: lists show it',
    sealed: 'sealed',
  },
})
@Unique({ properties: ['accountId', 'position'] })
@Check({ name: 'beneficiary_share_percentage', expression: 'share_percentage BETWEEN 0 AND 100' })
@NodeKey('accountId', 'beneficiaryId')
@ObjectType({
  description: 'A person or an organisation that gets a share when the owner dies; not a payee.',
  implements: Node,
  simpleResolvers: true,
})
export class Beneficiary {
  [OptionalProps]?: SealedField;

  @OfAccount()
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, {
    description: 'The id that the gateway assigned.',
  })
  beneficiaryId!: string;

  /** In its account: the order in which beneficiaries were added. */
  @Property({ type: 'integer' }) position!: number;

  @Embedded(() => PersonName, { prefix: 'name_' })
  @Field(() => PersonName, { description: 'The name of the person or the organisation.' })
  name!: PersonName;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The tax id, masked except for its last four digits, such as `*****6789`.',
  })
  taxId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => TaxIdType, {
    nullable: true,
    description: 'The kind of number in `taxId`.',
  })
  taxIdType!: TaxIdType | null;

  // A sealed value is opened when it is asked for. Without its key that fails, and only a resolver's failure is told,
  // not a property's.
  @Field(() => LocalDate, {
    simple: false,
    nullable: true,
    description: 'The date of birth; null if it is not known, and for agents.',
  })
  dateOfBirth!: string | null;

  @Field(() => [Address], {
    simple: false,
    description: 'The postal addresses at which the beneficiary lives or gets letters.',
  })
  addresses!: readonly Address[];

  @Field(() => [Email], { simple: false, description: 'The e-mail addresses, each with its use.' })
  emails!: readonly Email[];

  @Field(() => [Phone], { simple: false, description: 'The telephone numbers, each with its kind.' })
  phones!: readonly Phone[];

  @Property({ type: 'text' })
  @Field(() => BeneficiaryType, {
    description: 'The rank: primary or contingent.',
  })
  beneficiaryType!: BeneficiaryType;

  @Property({ type: 'text' })
  @Field(() => Relationship, { description: 'The relationship to the owner of the account.' })
  relationship!: Relationship;

  @Property({ type: 'integer' })
  @Field(() => Int, {
    description: 'The share in whole percent, 0 to 100. Shares need not sum to 100.',
  })
  sharePercentage!: number;

  @SetByDatabase()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, { description: UPDATED_AT })
  updatedAt!: Opt<Date>;

  /** `BeneficiarySecrets`: tax id, date of birth, addresses, e-mails, telephones. */
  @Sealed({ as: 'secrets', shows: BENEFICIARY_SECRETS })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

/** A beneficiary as it is shown. */
export type BeneficiaryView = Readonly<
  Omit<Beneficiary, 'position' | 'sealed' | 'updatedAt' | typeof OptionalProps> & {
    /** ISO 8601 in UTC. */
    updatedAt: string;
  }
>;
/** The fields that the contract's record lacks: REST has the version in the tag of the record. */
export const UNCONTRACTED = ['version', 'updatedAt'] as const;
/** The contract's record of a beneficiary. It does not name the account, of which it is a part. */
export type BeneficiaryFields = Omit<BeneficiaryView, 'accountId' | (typeof UNCONTRACTED)[number]>;

/** The fields of the contract's record, in their order. */
export const BENEFICIARY_FIELDS = fieldNamesOf(Beneficiary).filter(
  name => !(UNCONTRACTED as readonly string[]).includes(name),
);

/** Contract 2.1: a list over REST has neither what is sealed nor the kind of the tax id. */
export const NOT_LISTED: readonly string[] = ['taxIdType', ...BENEFICIARY_SECRETS];
