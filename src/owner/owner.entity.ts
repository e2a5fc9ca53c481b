import { Embedded, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { type Address, PersonName, Phone } from '../person/person.entity.js';
import { CountryCode, UUID } from '../platform/graphql/scalars.js';

/** What is sealed of a customer. */
export interface CustomerSecrets {
  readonly taxId: string | null;
  readonly governmentId: string | null;
  readonly dateOfBirth: string | null;
  readonly contact: { readonly email: readonly string[]; readonly telephones: readonly Phone[] };
  readonly addresses: readonly Address[];
}

/** A customer of a program: a person who can own accounts. Comes by import, since the bank opens customers elsewhere. */
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
  /** `CustomerSecrets`, sealed under this customer's identity. */
  @Property({ type: 'blob' }) sealed!: Buffer;
}

@ObjectType({ description: 'How to reach a person.', simpleResolvers: true })
export class Contact {
  @Field(() => [String], { description: 'E-mail addresses.' }) email!: readonly string[];
  @Field(() => [Phone], { description: 'Telephone numbers.' }) telephones!: readonly Phone[];
}

@ObjectType({ description: 'An owner of an account.', simpleResolvers: true })
export class Owner {
  @Field(() => UUID, { description: 'Identifies the customer.' }) customerId!: string;
  @Field(() => PersonName, { nullable: true, description: 'How the owner is called.' }) name!: PersonName | null;
  @Field(() => String, {
    nullable: true,
    description: 'Masked: only the last four characters are readable, for example "*****6789".',
  })
  taxId!: string | null;
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country that gave the tax id (ISO 3166-1, two letters).',
  })
  taxIdCountry!: string | null;
  /** Masked here; the resolver shows it whole to a caller with `pii.read`. */
  governmentId!: string | null;
  // Sealed, and opened when it is asked for, which fails where the key is gone: a resolver's failure is told, a property's is not.
  @Field(() => Contact, { simple: false, nullable: true, description: 'How to reach the owner.' })
  contact!: Contact | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'True for the primary owner: the first of those who own the account.',
  })
  isPrimary!: boolean | null;
}
