import { Field } from 'type-graphql';
import { CountryCode } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { Matches, NotCleared, Text } from '../platform/input/rules.js';
import { AddressType, EmailType, PhoneType } from './person.entity.js';

/** The longest lists of a person's addresses, e-mails and telephones. */
export const MAX_CONTACTS = 10;
export const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

@Input('How a person is called.')
export class PersonNameInput {
  @Text(1, 100)
  @Field(() => String, { description: 'Given name, up to 100 characters.' })
  first!: string;

  @Text(0, 100)
  @Field(() => String, { nullable: true, description: 'Middle name or initial, up to 100 characters.' })
  middle?: string | null;

  @Text(1, 100)
  @Field(() => String, { description: 'Family name, up to 100 characters.' })
  last!: string;
}

@Input('Changes to a name: an absent part stays as it is.')
export class PersonNamePatch {
  @NotCleared()
  @Text(1, 100)
  @Field(() => String, { nullable: true, description: 'Given name, up to 100 characters.' })
  first?: string;

  @Text(0, 100)
  @Field(() => String, { nullable: true, description: 'Middle name or initial; null clears it.' })
  middle?: string | null;

  @NotCleared()
  @Text(1, 100)
  @Field(() => String, { nullable: true, description: 'Family name, up to 100 characters.' })
  last?: string;
}

@Input('A postal address.')
export class AddressInput {
  @Text(1, 200)
  @Field(() => String, { description: 'Street and number, up to 200 characters.' })
  line1!: string;

  @Text(0, 200)
  @Field(() => String, { nullable: true, description: 'Second line, up to 200 characters.' })
  line2?: string | null;

  @Text(0, 200)
  @Field(() => String, { nullable: true, description: 'Third line, up to 200 characters.' })
  line3?: string | null;

  @Text(1, 100)
  @Field(() => String, { description: 'City or town, up to 100 characters.' })
  city!: string;

  @Text(0, 100)
  @Field(() => String, { nullable: true, description: 'State, province or region, up to 100 characters.' })
  state?: string | null;

  @Text(0, 20)
  @Field(() => String, { nullable: true, description: 'Postal code, up to 20 characters.' })
  postalCode?: string | null;

  @Field(() => CountryCode, { description: 'Country (ISO 3166-1, two letters).' })
  country!: string;

  @Field(() => AddressType, { description: 'What the address is for.' })
  type!: AddressType;
}

@Input('An e-mail address.')
export class EmailInput {
  @Field(() => EmailType, { description: 'What the address is for.' })
  type!: EmailType;

  @Matches(EMAIL, 'an e-mail address')
  @Text(1, 254)
  @Field(() => String, { description: 'The address, up to 254 characters (RFC 5321).' })
  email!: string;
}

@Input('A telephone number.')
export class PhoneInput {
  @Field(() => PhoneType, { description: 'What the number is for.' })
  type!: PhoneType;

  @Field(() => CountryCode, { nullable: true, description: 'Country (ISO 3166-1, two letters).' })
  country?: string | null;

  @Text(1, 40)
  @Field(() => String, { description: 'The number in any notation, up to 40 characters.' })
  number!: string;
}
