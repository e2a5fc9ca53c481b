import { Field } from 'type-graphql';
import { CountryCode } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { Matches, NotCleared, Text, rule, type Rule } from '../../platform/input/rules.js';
import { AddressType, EmailType, PhoneType } from './person.entity.js';

/** The longest lists of a person's addresses, e-mails and telephones. */
export const MAX_CONTACTS = 10;
export const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

/** The parts that both kinds of names have. */
@Input('The first and the middle name.')
class GivenNamesInput {
  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The first name, 1 to 100 characters; absent for a person who has one name.',
  })
  first?: string | null;

  @Text(0, 100)
  @Field(() => String, { nullable: true, description: 'The middle name, up to 100 characters.' })
  middle?: string | null;
}

@Input('The first, middle and last name of a person.')
export class PersonNameInput extends GivenNamesInput {
  @Text(1, 100)
  @Field(() => String, {
    description: 'The family name, or the only name, 1 to 100 characters.',
  })
  last!: string;
}

@Input('The name of a person, or of an organisation.')
export class NameInput extends GivenNamesInput {
  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The family name, or the only name, 1 to 100 characters; absent for an organisation alone.',
  })
  last?: string | null;

  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The name of an organisation, 1 to 100 characters, in place of the others.',
  })
  organization?: string | null;
}

/** A name that is either a person's or an organisation's. */
export function OneName(): Rule {
  return rule({
    code: 'alternatives',
    detail:
      'Must be the name of a person or of an organisation. Send last, with first and middle if there are any, or organization alone.',
    holds: name => {
      const { first, middle, last, organization } = (name ?? {}) as NameInput;
      return organization ? !first && !middle && !last : Boolean(last);
    },
  });
}

/** The parts that the changes of both kinds of names have. */
@Input('The changes of the first and the middle name.')
class GivenNamesPatch {
  @Text(1, 100)
  @Field(() => String, { nullable: true, description: 'The first name, 1 to 100 characters; null clears it.' })
  first?: string | null;

  @Text(0, 100)
  @Field(() => String, { nullable: true, description: 'The middle name, up to 100 characters; null clears it.' })
  middle?: string | null;
}

@Input('The changes of a name.')
export class NamePatch extends GivenNamesPatch {
  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The family name, or the only name, 1 to 100 characters. It makes an organisation a person.',
  })
  last?: string | null;

  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The name of an organisation, 1 to 100 characters. It makes a person an organisation.',
  })
  organization?: string | null;
}

@Input('The changes of a name.')
export class PersonNamePatch extends GivenNamesPatch {
  @NotCleared()
  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The family name, or the only name, 1 to 100 characters. It cannot be cleared.',
  })
  last?: string;
}

@Input('A postal address.')
export class AddressInput {
  @Text(1, 200)
  @Field(() => String, { description: 'The street and number, 1 to 200 characters.' })
  line1!: string;

  @Text(0, 200)
  @Field(() => String, { nullable: true, description: 'The second line, such as the apartment, up to 200 characters.' })
  line2?: string | null;

  @Text(0, 200)
  @Field(() => String, { nullable: true, description: 'The third line, up to 200 characters.' })
  line3?: string | null;

  @Text(1, 100)
  @Field(() => String, { description: 'The city or town, 1 to 100 characters.' })
  city!: string;

  @Text(0, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The state, province or region, up to 100 characters, such as `OR`.',
  })
  state?: string | null;

  @Text(0, 20)
  @Field(() => String, {
    nullable: true,
    description: 'The postal code, up to 20 characters, such as `97201`.',
  })
  postalCode?: string | null;

  @Field(() => CountryCode, { description: 'The country of the street or post office box.' })
  country!: string;

  @Field(() => AddressType, { description: 'The purpose of the address.' })
  type!: AddressType;
}

@Input('An e-mail address and who uses it.')
export class EmailInput {
  @Field(() => EmailType, { description: 'The user of the address.' })
  type!: EmailType;

  @Matches(EMAIL, 'an e-mail address')
  @Text(1, 254)
  @Field(() => String, {
    description: 'The address (RFC 5321), up to 254 characters, such as `juniper@example.com`.',
  })
  email!: string;
}

@Input('A telephone number and its kind.')
export class PhoneInput {
  @Field(() => PhoneType, { description: 'The user or the kind of the number.' })
  type!: PhoneType;

  @Field(() => CountryCode, { nullable: true, description: 'The country of the number.' })
  country?: string | null;

  @Text(1, 40)
  @Field(() => String, { description: 'The number in any notation, 1 to 40 characters, such as `+1 503 555 0142`.' })
  number!: string;
}
