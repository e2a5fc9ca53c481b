import { OptionalProps, type Opt } from '@mikro-orm/core';
import { Embedded, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { Address, PersonName, Phone } from '../person/person.entity.js';
import { VERSION } from '../platform/graphql/expected-version.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { Shareable } from '../platform/graphql/shareable.js';
import { CountryCode, LocalDate, UUID } from '../platform/scalars/scalars.js';
import { Counted, Sealed } from '../platform/repository/declarations.js';

/** A country gives its documents numbers of some length. */
export const MAX_GOVERNMENT_ID_CHARACTERS = 40;

/**
 * A name as SQL as it is compared: in any case, composed or not, and with single spaces. Which letters have a case is a
 * matter of the locale of the database: under `C` those of ASCII alone.
 */
export function folded(name: string): string {
  return `lower(normalize(btrim(regexp_replace(${name}, '\\s+', ' ', 'g')), NFC))`;
}
export const LAST_NAME = folded('name_last');
export const FULL_NAME = folded("name_first || ' ' || name_last");
/** Of the masked number, which shows no more of it. */
export const LAST_FOUR_OF_TAX_ID = '"right"(tax_id, 4)';

/** An index that finds customers of a program by an expression, in the order of their ids. */
function Found(name: string, by: string): ClassDecorator {
  const expression = `create index "${name}" on "customer" ("program", (${by}), "customer_id")`;
  return Index({ name, expression }) as ClassDecorator;
}

/** What is sealed of a customer. */
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

const TAX_ID =
  'The tax id, always masked except for its last four characters, such as `*****6789`; null if the bank has none.';
const TAX_ID_COUNTRY = 'The country that issued the tax id, such as `US`; null if there is no tax id.';
/** How the schema describes the field that `OwnerService.governmentId` gives. */
export const GOVERNMENT_ID =
  'The number of a passport, identity card or similar document, masked except for its last four characters, such as `*****4321`, and unmasked with the scope `pii.read`; null if the bank has none.';

/** The fields that are opened when they are asked for. */
type Opened = 'dateOfBirth' | 'contact' | 'addresses';

/** A customer of a program: a person who can own accounts. Operators create it, or it comes by import. */
@Entity({ tableName: 'customer' })
@Found('customer_last_name', LAST_NAME)
@Found('customer_full_name', FULL_NAME)
@Found('customer_tax_id', LAST_FOUR_OF_TAX_ID)
@NodeKey('customerId')
@ObjectType({
  description: 'A customer of the program: a person who can own accounts. Some personal data is masked.',
  implements: Node,
  simpleResolvers: true,
})
export class Customer {
  [OptionalProps]?: Opened;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the customer, such as `0000d001-0000-4000-8000-000000000000`.' })
  customerId!: string;

  @Index()
  @Property({ type: 'text' })
  program!: string;

  @Embedded(() => PersonName, { prefix: 'name_' })
  @Field(() => PersonName, { description: 'The first, middle and last name of the customer.' })
  name!: PersonName;

  /** Masked; the number itself is sealed. */
  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: TAX_ID })
  taxId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => CountryCode, { nullable: true, description: TAX_ID_COUNTRY })
  taxIdCountry!: string | null;

  /** Masked; the number itself is sealed, and the resolver shows it whole to a caller with `pii.read`. */
  @Property({ type: 'text', nullable: true }) governmentId!: string | null;

  // What is sealed is opened when it is asked for. Without its key that fails, and only a resolver's failure is told,
  // not a property's.
  @Field(() => LocalDate, {
    simple: false,
    nullable: true,
    description: 'The date of birth, such as `1970-02-03`; null if it is not known.',
  })
  dateOfBirth!: string | null;

  @Field(() => Contact, { simple: false, description: 'E-mail addresses and telephone numbers.' })
  contact!: Contact;

  @Field(() => [Address], { simple: false, description: 'The postal addresses of the customer; may be empty.' })
  addresses!: readonly Address[];

  @Counted()
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  /** `CustomerSecrets`. */
  @Sealed({ as: 'secrets', shows: ['dateOfBirth', 'contact', 'addresses'] })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

/** A customer as it is shown. */
export type CustomerView = Readonly<Omit<Customer, 'program' | 'sealed' | typeof OptionalProps>>;

@NodeKey('accountId', 'customerId')
@ObjectType({
  description: 'A customer who owns an account. Some personal data is masked.',
  implements: Node,
  simpleResolvers: true,
})
export class Owner {
  /** The account that is owned: another account has the same customer as another owner. */
  accountId!: string;
  @Field(() => UUID, {
    description: 'The id of the customer, the same on every account, such as `0000d001-0000-4000-8000-000000000000`.',
  })
  customerId!: string;
  @Field(() => PersonName, { nullable: true, description: 'The first, middle and last name of the owner.' })
  name!: PersonName | null;
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
    description:
      'E-mail addresses and telephone numbers. Null only together with an error, if they cannot be decrypted.',
  })
  contact!: Contact | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'True for the primary owner, who is first in the list of owners and is the recipient of tax forms.',
  })
  isPrimary!: boolean | null;
}
