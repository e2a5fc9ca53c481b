import { Embeddable, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Shareable } from '../../platform/graphql/shareable.js';
import { CountryCode } from '../../platform/scalars/scalars.js';

/** The parts that the records of owners and beneficiaries have in common: how a person is called and reached. */

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
  description: 'The user of an e-mail address.',
  valuesConfig: {
    HOME: { description: 'The household of the person uses it.' },
    BUSINESS: { description: 'The person uses it at work.' },
    PERSONAL: { description: 'The person alone uses it.' },
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
    HOME: { description: 'The household of the person uses it.' },
    BUSINESS: { description: 'The person uses it at work.' },
    PERSONAL: { description: 'The person alone uses it.' },
    CELL: { description: 'A mobile telephone, which receives text messages.' },
    FAX: { description: 'A telefax machine.' },
  },
});

@Embeddable()
@Shareable()
@ObjectType('Name', {
  description: 'The name of a person, or of an organisation.',
  simpleResolvers: true,
})
export class PersonName {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'The first name; empty for a person who has one name.' })
  first!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'The middle name or its initial.' })
  middle!: string | null;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The family name, or the only name.' })
  last!: string;

  /** Only in GraphQL. */
  organization?: string | null;
}

@Shareable()
@ObjectType({ description: 'A postal address.', simpleResolvers: true })
export class Address {
  @Field(() => String, { description: 'The first line: street and number.' }) line1!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The second line, such as the apartment.',
  })
  line2!: string | null;
  @Field(() => String, { nullable: true, description: 'The third line; null if there is none.' }) line3!: string | null;
  @Field(() => String, { description: 'The city or town.' }) city!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The state, province or region, such as `OR`.',
  })
  state!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The postal code, such as `97201`.',
  })
  postalCode!: string | null;
  @Field(() => CountryCode, { description: 'The country of the street or post office box.' }) country!: string;
  @Field(() => AddressType, { description: 'The purpose of the address.' }) type!: AddressType;
}

@Shareable()
@ObjectType({ description: 'An e-mail address and who uses it.', simpleResolvers: true })
export class Email {
  @Field(() => EmailType, { description: 'The user of the address.' }) type!: EmailType;
  @Field(() => String, { description: 'The address (RFC 5321), such as `juniper@example.com`.' }) email!: string;
}

@Shareable()
@ObjectType({ description: 'A telephone number and its kind.', simpleResolvers: true })
export class Phone {
  @Field(() => PhoneType, { description: 'The user or the kind of the number.' }) type!: PhoneType;
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country of the number.',
  })
  country!: string | null;
  @Field(() => String, { description: 'The number as it was sent, such as `+1 503 555 0142`.' })
  number!: string;
}
