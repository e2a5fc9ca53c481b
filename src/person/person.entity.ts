import { Embeddable, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { CountryCode } from '../platform/graphql/scalars.js';

/** What the records of owners and beneficiaries have in common: how a person is called and reached. */

export const AddressType = { HOME: 'HOME', BUSINESS: 'BUSINESS', DELIVERY: 'DELIVERY', MAILING: 'MAILING' } as const;
export type AddressType = keyof typeof AddressType;
registerEnumType(AddressType, {
  name: 'AddressType',
  description: 'What an address is for.',
  valuesConfig: {
    HOME: { description: 'Where the person lives.' },
    BUSINESS: { description: 'Where the person works.' },
    DELIVERY: { description: 'Where parcels go.' },
    MAILING: { description: 'Where letters go.' },
  },
});

export const EmailType = { HOME: 'HOME', BUSINESS: 'BUSINESS', PERSONAL: 'PERSONAL' } as const;
export type EmailType = keyof typeof EmailType;
registerEnumType(EmailType, {
  name: 'EmailType',
  description: 'What an e-mail address is for.',
  valuesConfig: {
    HOME: { description: 'The household.' },
    BUSINESS: { description: 'Work.' },
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
  description: 'What a telephone number is for.',
  valuesConfig: {
    HOME: { description: 'The household.' },
    BUSINESS: { description: 'Work.' },
    PERSONAL: { description: 'The person alone.' },
    CELL: { description: 'A mobile telephone.' },
    FAX: { description: 'A telefax.' },
  },
});

@Embeddable()
@ObjectType({ description: 'How a person is called.', simpleResolvers: true })
export class PersonName {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'Given name.' })
  first!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Middle name or initial.' })
  middle!: string | null;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'Family name.' })
  last!: string;
}

@ObjectType({ description: 'A postal address.', simpleResolvers: true })
export class Address {
  @Field(() => String, { description: 'Street and number.' }) line1!: string;
  @Field(() => String, { nullable: true, description: 'Second line.' }) line2!: string | null;
  @Field(() => String, { nullable: true, description: 'Third line.' }) line3!: string | null;
  @Field(() => String, { description: 'City or town.' }) city!: string;
  @Field(() => String, { nullable: true, description: 'State, province or region.' }) state!: string | null;
  @Field(() => String, { nullable: true, description: 'Postal code.' }) postalCode!: string | null;
  @Field(() => CountryCode, { description: 'Country (ISO 3166-1, two letters).' }) country!: string;
  @Field(() => AddressType, { description: 'What the address is for.' }) type!: AddressType;
}

@ObjectType({ description: 'An e-mail address.', simpleResolvers: true })
export class Email {
  @Field(() => EmailType, { description: 'What the address is for.' }) type!: EmailType;
  @Field(() => String, { description: 'The address.' }) email!: string;
}

@ObjectType({ description: 'A telephone number.', simpleResolvers: true })
export class Phone {
  @Field(() => PhoneType, { description: 'What the number is for.' }) type!: PhoneType;
  @Field(() => CountryCode, { nullable: true, description: 'Country (ISO 3166-1, two letters).' }) country!:
    string | null;
  @Field(() => String, { description: 'The number as its owner writes it.' }) number!: string;
}
