import { Embeddable, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Shareable } from '../platform/graphql/shareable.js';
import { CountryCode } from '../platform/scalars/scalars.js';

/** What the records of owners and beneficiaries have in common: how a person is called and reached. */

export const AddressType = { HOME: 'HOME', BUSINESS: 'BUSINESS', DELIVERY: 'DELIVERY', MAILING: 'MAILING' } as const;
export type AddressType = keyof typeof AddressType;
registerEnumType(AddressType, {
  name: 'AddressType',
  description: 'The purpose of a postal address.',
  valuesConfig: {
    HOME: { description: 'The home of the person.' },
    BUSINESS: { description: 'The workplace of the person.' },
    DELIVERY: { description: 'The address for parcels.' },
    MAILING: { description: 'The address for letters.' },
  },
});

export const EmailType = { HOME: 'HOME', BUSINESS: 'BUSINESS', PERSONAL: 'PERSONAL' } as const;
export type EmailType = keyof typeof EmailType;
registerEnumType(EmailType, {
  name: 'EmailType',
  description: 'Who uses an e-mail address.',
  valuesConfig: {
    HOME: { description: 'The household of the person.' },
    BUSINESS: { description: 'The person, at work.' },
    PERSONAL: { description: 'The person alone.' },
  },
});

export const PhoneType = {
  HOME: 'HOME',
  BUSINESS: 'BUSINESS',
  PERSONAL: 'PERSONAL',
  CELL: 'CELL',
  FAX: 'FAX',
} as const;
export type PhoneType = keyof typeof PhoneType;
registerEnumType(PhoneType, {
  name: 'PhoneType',
  description: 'The kind of a telephone number.',
  valuesConfig: {
    HOME: { description: 'The household of the person.' },
    BUSINESS: { description: 'The person, at work.' },
    PERSONAL: { description: 'The person alone.' },
    CELL: { description: 'A mobile telephone, which receives text messages.' },
    FAX: { description: 'A telefax machine.' },
  },
});

@Embeddable()
@Shareable()
@ObjectType({
  description: 'The first, middle and last name of a person.',
  simpleResolvers: true,
})
export class PersonName {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'The given name; empty for a person who has one name, which is `last`.' })
  first!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'The middle name or its initial; null if there is none.' })
  middle!: string | null;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The family name, or the one name of a person or an organisation.' })
  last!: string;

  /** Not stored, and only in GraphQL: it follows from the relationship of a beneficiary. */
  organization?: string | null;
}

@Shareable()
@ObjectType({ description: 'A postal address.', simpleResolvers: true })
export class Address {
  @Field(() => String, { description: 'Street and number, the first line.' }) line1!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The second line, such as the apartment; null if there is none.',
  })
  line2!: string | null;
  @Field(() => String, { nullable: true, description: 'The third line; null if there is none.' }) line3!: string | null;
  @Field(() => String, { description: 'The city or town.' }) city!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The state, province or region, such as `OR`; null if it is not known.',
  })
  state!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The postal code, such as `97201`; null if it is not known.',
  })
  postalCode!: string | null;
  @Field(() => CountryCode, { description: 'The country, such as `US`.' }) country!: string;
  @Field(() => AddressType, { description: 'The purpose of the address.' }) type!: AddressType;
}

@Shareable()
@ObjectType({ description: 'An e-mail address and who uses it.', simpleResolvers: true })
export class Email {
  @Field(() => EmailType, { description: 'Who uses the address.' }) type!: EmailType;
  @Field(() => String, { description: 'The address itself (RFC 5321), such as `juniper@example.com`.' }) email!: string;
}

@Shareable()
@ObjectType({ description: 'A telephone number and its kind.', simpleResolvers: true })
export class Phone {
  @Field(() => PhoneType, { description: 'The kind of the number.' }) type!: PhoneType;
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country of the number, such as `US`; null if it is not known.',
  })
  country!: string | null;
  @Field(() => String, { description: 'The number as it was sent, in any notation, such as `+1 503 555 0142`.' })
  number!: string;
}
