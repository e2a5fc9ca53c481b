import { OptionalProps, type Opt } from '@mikro-orm/core';
import { Embedded, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Address, PersonName, Phone } from '../person/person.entity.js';
import { UPDATED_AT, VERSION } from '../../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { Shareable } from '../../platform/graphql/shareable.js';
import { contactDigests } from './contact-forms.js';
import { nameKey } from './name-key.js';
import { CountryCode, DateTimeISO, LocalDate, UUID } from '../../platform/scalars/scalars.js';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { MetadataColumn, MetadataIndex } from '../../platform/repository/metadata-column.js';
import type { Metadata } from '../../shared/metadata.js';
import { SetByDatabase, Sealed, Unread } from '../../platform/repository/declarations.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';

export { nameKey } from './name-key.js';

/** A country gives its documents numbers of some length. */
export const MAX_GOVERNMENT_ID_CHARACTERS = 40;

export const LAST_NAME = nameKey('name_last');
export const FULL_NAME = nameKey("coalesce(name_first, '') || name_last");
export const FIRST_NAME = nameKey('name_first');
/** Its beginnings are those of the last name. */
export const LAST_FIRST_NAME = nameKey("name_last || coalesce(name_first, '')");
export const BANK_NUMBER = nameKey('bank_number');
/** The words of the digests of a customer's e-mail addresses and telephone numbers. */
export const CONTACT_WORDS = "string_to_array(split_part(contact_digests, ':', 2), ' ')";
/** As the label of a hit has it. */
export const WHOLE_NAME = nameKey("coalesce(name_first, '') || coalesce(name_middle, '') || name_last");
/** The condition for a customer without a tax id of the United States. */
export const WITHOUT_TAX_ID = "(tax_id is null or tax_id_country <> 'US')";
/** The last four characters of the masked number, which shows no more of it. */
export const LAST_FOUR_OF_TAX_ID = '"right"(tax_id, 4)';

export const TaxStatus = { CERTIFIED: 'CERTIFIED', UNCERTIFIED: 'UNCERTIFIED', FOREIGN: 'FOREIGN' } as const;
export type TaxStatus = keyof typeof TaxStatus;
registerEnumType(TaxStatus, {
  name: 'TaxStatus',
  description: 'The certification of a customer about taxes of the United States.',
  valuesConfig: {
    CERTIFIED: { description: 'The customer certified the tax id (Form W-9).' },
    UNCERTIFIED: {
      description: 'The customer certified nothing when asked: backup withholding applies (26 USC 3406).',
    },
    FOREIGN: {
      description: 'The customer certified to be no person of the United States (W-8BEN): Form 1042-S applies.',
    },
  },
});

/**
 * An index that finds customers of a program by an expression, in the order of their ids; by a beginning as well. The
 * order is one that the primary key does not have: PostgreSQL would read all customers by that where it expects enough
 * of them to have one value, such as the empty first name of organisations.
 */
function Found(name: string, by: string, order: '' | ' text_pattern_ops' = ''): ClassDecorator {
  const expression = `create index "${name}" on "customer" ("program", (${by})${order}, "customer_id" nulls first)`;
  return Index({ name, expression }) as ClassDecorator;
}

/** The sealed part of a customer. */
export interface CustomerSecrets {
  readonly taxId: string | null;
  readonly governmentId: string | null;
  readonly dateOfBirth: string | null;
  readonly contact: { readonly email: readonly string[]; readonly telephones: readonly Phone[] };
  readonly addresses: readonly Address[];
}

@Shareable()
@ObjectType({ description: 'E-mail addresses and telephone numbers of a customer.', simpleResolvers: true })
export class Contact {
  @Field(() => [String], { description: 'The e-mail addresses, such as `maren@example.com`; may be empty.' })
  email!: readonly string[];
  @Field(() => [Phone], { description: 'The telephone numbers; may be empty.' }) telephones!: readonly Phone[];
}

const TAX_ID = 'The tax id, masked except for its last four characters, such as `*****6789`.';
const TAX_ID_COUNTRY = 'The country that issued `taxId`.';
/** The description of the field that `OwnerService.governmentId` gives. */
export const GOVERNMENT_ID =
  'The number of a passport or the like, such as `*****4321`; whole with the scope `pii.read`.';

const TAX_ID_DIGEST = 'customer tax id';

/** The keyed digest that finds the customers who have a tax id of the United States; null where there is none. */
export function taxIdDigest(keys: KeyRing, secrets: unknown): Buffer | null {
  const { taxId } = secrets as CustomerSecrets;
  return taxId === null ? null : keys.digest(TAX_ID_DIGEST, taxId);
}

/** Every keyed digest under which a tax id may be on record, since keys may be changing. */
export function taxIdDigests(keys: KeyRing, taxId: string): Buffer[] {
  return keys.digests(TAX_ID_DIGEST, taxId);
}

/** The fields that are opened when they are asked for. */
type SealedOwnerField = 'dateOfBirth' | 'contact' | 'addresses';

/** A customer of a program: a person who can own accounts. Operators create it, or it comes by import. */
@Entity({ tableName: 'customer' })
@DataClasses<Customer>({
  kept: 'until the customer is erased',
  shownAs: ['Owner', 'AddedOwner'],
  internal: ['program', 'erasedAt', 'accountEndedAt', 'version', 'updatedAt'],
  identifier: ['customerId', 'bankNumber', 'metadata'],
  personal: {
    name: 'in the clear: lists show it, and operators search by it',
    isOrganization: 'in the clear: it tells how the name is shown',
    taxId: 'masked: last four characters',
    taxIdCountry: 'in the clear: lists show it beside the masked number',
    governmentId: 'masked: last four characters',
    taxStatus: 'in the clear: runs of tax forms select by it',
    taxStatusOn: 'in the clear: runs of tax forms select by it',
    secondTinNoticeOn: 'in the clear: runs of tax forms select by it',
    electronicTaxFormsOn: 'in the clear: runs of tax forms select by it',
    taxIdDigest: 'hashed: keyed, to find one payee in several records',
    contactDigests: 'hashed: keyed, to find people by e-mail and telephone',
    sealed: 'sealed',
  },
})
@Found('customer_last_name_key', LAST_NAME)
@Found('customer_full_name_key', FULL_NAME)
@Found('customer_whole_name_key', WHOLE_NAME)
@Found('customer_first_name_key', FIRST_NAME)
@Found('customer_last_first_name_key', LAST_FIRST_NAME, ' text_pattern_ops')
@Found('customer_bank_number_key', BANK_NUMBER)
@Found('customer_tax_id', LAST_FOUR_OF_TAX_ID)
@Index({
  name: 'customer_contact_words',
  expression: `create index "customer_contact_words" on "customer" using gin ((${CONTACT_WORDS}))`,
})
@Index({ properties: ['program', 'customerId'] })
@MetadataIndex('customer', 'program')
@Index({ name: 'customer_tax_id_digest', properties: ['program', 'taxIdDigest'] })
@Index({
  name: 'customer_tax_id_digest_missing',
  expression: `create index "customer_tax_id_digest_missing" on "customer" ("program", "customer_id") where tax_id is not null and tax_id_digest is null`,
})
@Index({
  name: 'customer_tax_status',
  expression: `create index "customer_tax_status" on "customer" ("program", "tax_status", "customer_id") where tax_status is not null`,
})
@Index({
  name: 'customer_without_tax_id',
  expression: `create index "customer_without_tax_id" on "customer" ("program", "customer_id") where ${WITHOUT_TAX_ID}`,
})
@Index({
  name: 'customer_account_ended',
  expression: `create index "customer_account_ended" on "customer" ("customer_id") where account_ended_at is not null and erased_at is null`,
})
@NodeKey('customerId')
@ObjectType({
  description: 'A person who can own accounts, partly masked.',
  implements: Node,
  simpleResolvers: true,
})
export class Customer {
  [OptionalProps]?: SealedOwnerField;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: "The id of the customer: the bank's own, or one that the gateway assigned." })
  customerId!: string;

  @Property({ type: 'text' })
  program!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The number under which the bank knows the customer, such as `KD-004711`.',
  })
  bankNumber!: string | null;

  @Embedded(() => PersonName, { prefix: 'name_' })
  @Field(() => PersonName, { description: 'The name of the customer: a person or an organisation.' })
  name!: PersonName;

  /** True for an organisation, whose one name is the last one. */
  @Property({ type: 'boolean', default: false })
  isOrganization!: Opt<boolean>;

  /** Masked; the number itself is sealed. */
  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: TAX_ID })
  taxId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => CountryCode, { nullable: true, description: TAX_ID_COUNTRY })
  taxIdCountry!: string | null;

  /** Masked; the number itself is sealed, and the resolver shows it whole to a caller with `pii.read`. */
  @Property({ type: 'text', nullable: true }) governmentId!: string | null;

  // A sealed value is opened when it is asked for. Without its key that fails, and only a resolver's failure is told,
  // not a property's.
  @Field(() => LocalDate, {
    simple: false,
    nullable: true,
    description: 'The date of birth; null if it is not known, and for agents.',
  })
  dateOfBirth!: string | null;

  @Field(() => Contact, { simple: false, description: 'E-mail addresses and telephone numbers.' })
  contact!: Contact;

  @Field(() => [Address], { simple: false, description: 'The postal addresses for letters and parcels.' })
  addresses!: readonly Address[];

  @Property({ type: 'text', nullable: true })
  @Field(() => TaxStatus, {
    nullable: true,
    description: 'The certification about taxes; null counts as certified.',
  })
  taxStatus!: TaxStatus | null;

  @Property({ type: 'date', nullable: true })
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day from which `taxStatus` applies.',
  })
  taxStatusOn!: string | null;

  @Property({ type: 'date', nullable: true })
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day on which the IRS said a second time that the tax id is wrong.',
  })
  secondTinNoticeOn!: string | null;

  @Property({ type: 'date', nullable: true })
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day on which the customer agreed to electronic tax forms alone.',
  })
  electronicTaxFormsOn!: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the personal data was erased; null while it is on record.',
  })
  erasedAt!: Date | null;

  /** When an account that this person owned or used was deleted last, by the retention of its program. */
  @Unread()
  @Property({ type: 'datetime', length: 3, nullable: true })
  accountEndedAt!: Opt<Date> | null;

  @MetadataColumn()
  metadata!: Opt<Metadata>;

  @SetByDatabase()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, { description: UPDATED_AT })
  updatedAt!: Opt<Date>;

  /** A payee of interest is found by it, who may have several customer records. */
  @Property({ type: 'blob', nullable: true })
  taxIdDigest!: Buffer | null;

  /** `id:word word`: see `contactDigests`. */
  @Property({ type: 'text', nullable: true })
  contactDigests!: string | null;

  /** `CustomerSecrets`: tax id, government id, date of birth, contact, addresses. */
  @Sealed({
    as: 'secrets',
    shows: ['dateOfBirth', 'contact', 'addresses'],
    digests: { taxIdDigest, contactDigests },
  })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

/** A customer as it is shown. */
export type CustomerView = Readonly<
  Omit<
    Customer,
    | 'program'
    | 'sealed'
    | 'taxIdDigest'
    | 'contactDigests'
    | 'erasedAt'
    | 'updatedAt'
    | 'metadata'
    | 'isOrganization'
    | 'accountEndedAt'
    | typeof OptionalProps
  > & {
    /** ISO 8601 in UTC; null while the personal data is on record. */
    erasedAt: string | null;
    /** ISO 8601 in UTC. */
    updatedAt: string;
    metadata: Metadata;
    isOrganization: boolean;
  }
>;

@NodeKey('accountId', 'customerId')
@ObjectType({
  description: 'A customer who owns an account, partly masked.',
  implements: Node,
  simpleResolvers: true,
})
export class Owner {
  /** The account that is owned: another account has the same customer as another owner. */
  accountId!: string;
  @Field(() => UUID, {
    description: "The bank's id of the customer, alike on every account.",
  })
  customerId!: string;
  @Field(() => PersonName, { nullable: true, description: 'The name of the owner: a person or an organisation.' })
  name!: PersonName | null;
  /** True for an organisation, whose one name is the last one. */
  isOrganization!: boolean;
  @Field(() => String, {
    nullable: true,
    description: TAX_ID,
  })
  taxId!: string | null;
  @Field(() => CountryCode, {
    nullable: true,
    description: TAX_ID_COUNTRY,
  })
  taxIdCountry!: string | null;
  /** Masked here; the resolver shows it whole to a caller with `pii.read`. */
  governmentId!: string | null;
  // Sealed, and opened when it is asked for, which fails where the key is gone: a resolver's failure is told, a
  // property's is not.
  @Field(() => Contact, {
    simple: false,
    nullable: true,
    description: 'The e-mail addresses and telephone numbers; null with an error if they cannot be decrypted.',
  })
  contact!: Contact | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'True for the first owner, who is the recipient of tax forms.',
  })
  isPrimary!: boolean | null;
}
