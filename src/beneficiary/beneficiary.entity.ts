import { OptionalProps, type Opt } from '@mikro-orm/core';
import { Check, Embedded, Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { OfAccount } from '../account/account.entity.js';
import { Address, Email, PersonName, Phone } from '../person/person.entity.js';
import { VERSION } from '../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { LocalDate, UUID } from '../platform/scalars/scalars.js';
import { fieldNamesOf } from '../platform/repository/fields.js';
import { SetByDatabase, Sealed } from '../platform/repository/declarations.js';

export const TaxIdType = { SSN: 'SSN', ITIN: 'ITIN', ATIN: 'ATIN', EIN: 'EIN' } as const;
export type TaxIdType = keyof typeof TaxIdType;
registerEnumType(TaxIdType, {
  name: 'TaxIdType',
  description: 'The kind of a United States tax id.',
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
  description: 'The order in which beneficiaries receive.',
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
  description: 'The relationship of a beneficiary to the owner of the account.',
  valuesConfig: {
    SPOUSE: { description: 'Husband, wife or partner.' },
    CHILD: { description: 'Son or daughter.' },
    PARENT: { description: 'Father or mother.' },
    SIBLING: { description: 'Brother or sister.' },
    FAMILY_RELATIVE: { description: 'Any other relative.' },
    FRIEND: { description: 'A person who is not a relative.' },
    TRUST: { description: 'A trust: a legal arrangement that holds property for others.' },
    CHARITY: { description: 'A charitable organisation.' },
    ESTATE: { description: 'The estate of the owner, which is distributed by will or by law.' },
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
@Unique({ properties: ['accountId', 'position'] })
@Check({ name: 'beneficiary_share_percentage', expression: 'share_percentage BETWEEN 0 AND 100' })
@NodeKey('accountId', 'beneficiaryId')
@ObjectType({
  description:
    'Someone who receives a share of the account when its owner dies (pay on death). A beneficiary is not a payee: nothing is paid before the owner dies.',
  implements: Node,
  simpleResolvers: true,
})
export class Beneficiary {
  [OptionalProps]?: SealedField;

  @OfAccount()
  accountId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, {
    description:
      'The id that the gateway assigned when the beneficiary was added, such as `e1b429a2-df64-8f14-8412-4059b8002e92`.',
  })
  beneficiaryId!: string;

  /** In its account: the order in which beneficiaries were added. */
  @Property({ type: 'integer' }) position!: number;

  @Embedded(() => PersonName, { prefix: 'name_' })
  @Field(() => PersonName, { description: 'The name of the beneficiary: of a person or of an organisation.' })
  name!: PersonName;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description:
      'The tax id, always masked except for its last four digits, such as `*****6789`; null if there is none.',
  })
  taxId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => TaxIdType, {
    nullable: true,
    description: 'The kind of the number in `taxId`; null if there is no tax id.',
  })
  taxIdType!: TaxIdType | null;

  // What is sealed is opened when it is asked for. Without its key that fails, and only a resolver's failure is told,
  // not a property's.
  @Field(() => LocalDate, {
    simple: false,
    nullable: true,
    description: 'The date of birth, such as `1994-07-21`; null if it is not known.',
  })
  dateOfBirth!: string | null;

  @Field(() => [Address], {
    simple: false,
    description: 'The postal addresses of the beneficiary; may be empty.',
  })
  addresses!: readonly Address[];

  @Field(() => [Email], { simple: false, description: 'The e-mail addresses of the beneficiary; may be empty.' })
  emails!: readonly Email[];

  @Field(() => [Phone], { simple: false, description: 'The telephone numbers of the beneficiary; may be empty.' })
  phones!: readonly Phone[];

  @Property({ type: 'text' })
  @Field(() => BeneficiaryType, {
    description: 'Whether the beneficiary is a primary or a contingent one.',
  })
  beneficiaryType!: BeneficiaryType;

  @Property({ type: 'text' })
  @Field(() => Relationship, { description: 'The relationship of the beneficiary to the owner of the account.' })
  relationship!: Relationship;

  @Property({ type: 'integer' })
  @Field(() => Int, {
    description:
      'The share of the account in whole percent, 0 to 100. The shares of an account do not have to sum to 100.',
  })
  sharePercentage!: number;

  @SetByDatabase()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  /** `BeneficiarySecrets`. */
  @Sealed({ as: 'secrets', shows: BENEFICIARY_SECRETS })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

/** A beneficiary as it is shown. */
export type BeneficiaryView = Readonly<Omit<Beneficiary, 'position' | 'sealed' | typeof OptionalProps>>;
/** The contract's record of a beneficiary. It does not name the account, of which it is a part. */
export type BeneficiaryFields = Omit<BeneficiaryView, 'accountId' | 'version'>;

/** The fields of the contract's record, in their order: REST has the version in the tag of the record. */
export const BENEFICIARY_FIELDS = fieldNamesOf(Beneficiary).filter(name => name !== 'version');

/** Contract 2.1: a list over REST has neither what is sealed nor the kind of the tax id. */
export const NOT_LISTED: readonly string[] = ['taxIdType', ...BENEFICIARY_SECRETS];
