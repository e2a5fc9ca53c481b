import { Embeddable, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { CountryCode } from '../platform/graphql/scalars.js';

/** What the records of owners and beneficiaries have in common: how a person is called and reached. */

export const AddressType = { HOME: 'HOME', BUSINESS: 'BUSINESS', DELIVERY: 'DELIVERY', MAILING: 'MAILING' } as const;
export type AddressType = keyof typeof AddressType;
registerEnumType(AddressType, {
  name: 'AddressType',
  description: 'What is done at a postal address.',
  valuesConfig: {
    HOME: { description: 'The person lives there.' },
    BUSINESS: { description: 'The person works there.' },
    DELIVERY: { description: 'Parcels go there.' },
    MAILING: { description: 'Letters go there.' },
  },
});

export const EmailType = { HOME: 'HOME', BUSINESS: 'BUSINESS', PERSONAL: 'PERSONAL' } as const;
export type EmailType = keyof typeof EmailType;
registerEnumType(EmailType, {
  name: 'EmailType',
  description: 'Who reads what comes to an e-mail address.',
  valuesConfig: {
    HOME: { description: 'The whole household.' },
    BUSINESS: { description: 'The person at work.' },
    PERSONAL: { description: 'The person, and nobody else.' },
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
  description: 'Who or what answers at a telephone number.',
  valuesConfig: {
    HOME: { description: 'The whole household.' },
    BUSINESS: { description: 'The person at work.' },
    PERSONAL: { description: 'The person, and nobody else.' },
    CELL: { description: 'A mobile telephone, which can be sent text messages.' },
    FAX: { description: 'A telefax machine.' },
  },
});

@Embeddable()
@ObjectType({
  description: 'The parts of the name under which somebody is on record.',
  simpleResolvers: true,
})
export class PersonName {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'The given name.' })
  first!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'The middle name or its initial; null where there is none.' })
  middle!: string | null;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The family name.' })
  last!: string;
}

@ObjectType({ description: 'Where letters and parcels reach a person.', simpleResolvers: true })
export class Address {
  @Field(() => String, { description: 'Street and number, the first line.' }) line1!: string;
  @Field(() => String, {
    nullable: true,
    description: 'A second line, such as the apartment; null where there is none.',
  })
  line2!: string | null;
  @Field(() => String, { nullable: true, description: 'A third line; null where there is none.' }) line3!:
    string | null;
  @Field(() => String, { description: 'The city or town.' }) city!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The state, province or region, such as `OR`; null where nobody gave one.',
  })
  state!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The code that the post sorts by, such as `97201`; null where nobody gave one.',
  })
  postalCode!: string | null;
  @Field(() => CountryCode, { description: 'The country, such as `US`.' }) country!: string;
  @Field(() => AddressType, { description: 'Whether the person lives, works or receives there.' }) type!: AddressType;
}

@ObjectType({ description: 'Where e-mail reaches a person, and in which role.', simpleResolvers: true })
export class Email {
  @Field(() => EmailType, { description: 'Who reads what comes there.' }) type!: EmailType;
  @Field(() => String, { description: 'The address itself (RFC 5321), such as `juniper@example.com`.' }) email!: string;
}

@ObjectType({ description: 'Where calls reach a person, and in which role.', simpleResolvers: true })
export class Phone {
  @Field(() => PhoneType, { description: 'Who or what answers there.' }) type!: PhoneType;
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country whose number it is, such as `US`; null where nobody said.',
  })
  country!: string | null;
  @Field(() => String, { description: 'The number as it was given, in any notation, such as `+1 503 555 0142`.' })
  number!: string;
}
