import { Embedded, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { type Address, PersonName, Phone } from '../person/person.entity.js';
import { CountryCode, UUID } from '../platform/scalars/scalars.js';
import { Sealed } from '../platform/repository/declarations.js';

/** A country gives its documents numbers of some length. */
export const MAX_GOVERNMENT_ID_CHARACTERS = 40;

/** What is sealed of a customer. */
export interface CustomerSecrets {
  readonly taxId: string | null;
  readonly governmentId: string | null;
  readonly dateOfBirth: string | null;
  readonly contact: { readonly email: readonly string[]; readonly telephones: readonly Phone[] };
  readonly addresses: readonly Address[];
}

/**
 * A customer of a program: a person who can own accounts. Comes by import, since the bank opens customers elsewhere.
 */
@Entity({ tableName: 'customer' })
export class Customer {
  @PrimaryKey({ type: 'uuid' }) customerId!: string;

  @Index()
  @Property({ type: 'text' })
  program!: string;

  @Embedded(() => PersonName, { prefix: 'name_' }) name!: PersonName;
  /** Masked; the number itself is sealed. */
  @Property({ type: 'text', nullable: true }) taxId!: string | null;
  @Property({ type: 'text', nullable: true }) taxIdCountry!: string | null;
  /** Masked; the number itself is sealed. */
  @Property({ type: 'text', nullable: true }) governmentId!: string | null;
  /** `CustomerSecrets`. */
  @Sealed({ as: 'secrets', shows: ['contact'] })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

@ObjectType({ description: 'E-mail addresses and telephone numbers of an owner.', simpleResolvers: true })
export class Contact {
  @Field(() => [String], { description: 'The e-mail addresses, such as `maren@example.com`; may be empty.' })
  email!: readonly string[];
  @Field(() => [Phone], { description: 'The telephone numbers; may be empty.' }) telephones!: readonly Phone[];
}

@ObjectType({
  description: 'A customer who owns an account. Some personal data is masked.',
  simpleResolvers: true,
})
export class Owner {
  @Field(() => UUID, {
    description: 'The id of the customer, the same on every account, such as `0000d001-0000-4000-8000-000000000000`.',
  })
  customerId!: string;
  @Field(() => PersonName, { nullable: true, description: 'The first, middle and last name of the owner.' })
  name!: PersonName | null;
  @Field(() => String, {
    nullable: true,
    description:
      'The tax id, always masked except for its last four characters, such as `*****6789`; null if the bank has none.',
  })
  taxId!: string | null;
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country that issued the tax id, such as `US`; null if there is no tax id.',
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
