import { Field } from 'type-graphql';
import { MAX_GOVERNMENT_ID_CHARACTERS } from './owner.entity.js';
import { AddressInput, EMAIL, MAX_CONTACTS, PersonNameInput, PhoneInput } from '../person/person.inputs.js';
import { CountryCode, LocalDate, UUID } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachMatches, Matches, PastDate, Size, Text, Together } from '../platform/input/rules.js';

/** Any country's: 4 to 20 letters, digits and single hyphens between them, at least four of them no hyphens. */
const TAX_ID = /^(?=.{4,20}$)[A-Za-z0-9](-?[A-Za-z0-9]){3,19}$/;
/** RFC 5321, section 4.5.3.1.3. */
export const MAX_EMAIL_CHARACTERS = 254;
const SHORT_EMAIL = new RegExp(`^(?=.{1,${MAX_EMAIL_CHARACTERS}}$)${EMAIL.source.slice(1)}`);

@Input('E-mail addresses and telephone numbers of a customer.')
export class ContactRecord {
  @EachMatches(SHORT_EMAIL, `an e-mail address of up to ${MAX_EMAIL_CHARACTERS} characters`)
  @Size(0, MAX_CONTACTS)
  @Field(() => [String], { nullable: true })
  email?: string[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], { nullable: true })
  telephones?: PhoneInput[] | null;
}

@Input('A customer in the records of the bank.')
export class CustomerRecord {
  @Field(() => UUID)
  customerId!: string;

  @Field(() => PersonNameInput)
  name!: PersonNameInput;

  @Matches(TAX_ID, '4 to 20 letters and digits, with or without hyphens between them')
  @Together('taxIdCountry')
  @Field(() => String, { nullable: true })
  taxId?: string | null;

  @Together('taxId')
  @Field(() => CountryCode, { nullable: true })
  taxIdCountry?: string | null;

  @Text(4, MAX_GOVERNMENT_ID_CHARACTERS)
  @Field(() => String, { nullable: true })
  governmentId?: string | null;

  @PastDate()
  @Field(() => LocalDate, { nullable: true })
  dateOfBirth?: string | null;

  @Field(() => ContactRecord, { nullable: true })
  contact?: ContactRecord | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], { nullable: true })
  addresses?: AddressInput[] | null;
}
