import { Field } from 'type-graphql';
import { MAX_GOVERNMENT_ID_CHARACTERS, TaxStatus, type TaxStatus as TaxStatusWord } from './owner.entity.js';
import {
  AddressInput,
  EMAIL,
  MAX_CONTACTS,
  PersonNameInput,
  PersonNamePatch,
  PhoneInput,
} from '../person/person.inputs.js';
import { CountryCode, LocalDate, UUID } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachMatches, Matches, NotCleared, PastDate, Size, Text, Together } from '../platform/input/rules.js';

export const MAX_TAX_ID_CHARACTERS = 20;
/** Any country's: letters, digits and single hyphens between them, at least four of them no hyphens. */
const TAX_ID = /^(?=.{4,20}$)[A-Za-z0-9](-?[A-Za-z0-9]){3,19}$/;
const TAX_ID_FORM = `4 to ${MAX_TAX_ID_CHARACTERS} letters and digits, with or without hyphens between them`;
/** In a patch the masked number may come back as it was shown; the service compares it. */
const TAX_ID_OR_MASKED = new RegExp(String.raw`${TAX_ID.source}|\*`);
/** RFC 5321, section 4.5.3.1.3. */
export const MAX_EMAIL_CHARACTERS = 254;
const SHORT_EMAIL = new RegExp(`^(?=.{1,${MAX_EMAIL_CHARACTERS}}$)${EMAIL.source.slice(1)}`);

const GOVERNMENT_ID = `The number of a passport, identity card or similar document, 4 to ${MAX_GOVERNMENT_ID_CHARACTERS} characters, such as \`P87654321\``;
const DATE_OF_BIRTH = 'The date of birth, such as `1970-02-03`; a day before today';

@Input('E-mail addresses and telephone numbers of a customer.')
export class ContactInput {
  @EachMatches(SHORT_EMAIL, `an e-mail address of up to ${MAX_EMAIL_CHARACTERS} characters`)
  @Size(0, MAX_CONTACTS)
  @Field(() => [String], {
    nullable: true,
    description: `The e-mail addresses, such as \`maren@example.com\`, up to ${MAX_CONTACTS}.`,
  })
  email?: string[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], { nullable: true, description: `The telephone numbers, up to ${MAX_CONTACTS}.` })
  telephones?: PhoneInput[] | null;
}

/** What the operations of the API and the import have in common. */
@Input('A new customer without its id.')
export class CustomerDetails {
  @Field(() => PersonNameInput, { description: 'The first, middle and last name of the customer.' })
  name!: PersonNameInput;

  @Matches(TAX_ID, TAX_ID_FORM)
  @Together('taxIdCountry')
  @Field(() => String, {
    nullable: true,
    description: `The tax id, such as \`900-12-6789\`: ${TAX_ID_FORM}. Send it together with \`taxIdCountry\`, or send neither. It is stored encrypted and shown masked.`,
  })
  taxId?: string | null;

  @Together('taxId')
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country that issued the tax id, such as `US`. Send both, or neither.',
  })
  taxIdCountry?: string | null;

  @Text(4, MAX_GOVERNMENT_ID_CHARACTERS)
  @Field(() => String, { nullable: true, description: `${GOVERNMENT_ID}. It is stored encrypted and shown masked.` })
  governmentId?: string | null;

  @PastDate()
  @Field(() => LocalDate, { nullable: true, description: `${DATE_OF_BIRTH}.` })
  dateOfBirth?: string | null;

  @Field(() => ContactInput, { nullable: true, description: 'E-mail addresses and telephone numbers.' })
  contact?: ContactInput | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `The postal addresses of the customer, up to ${MAX_CONTACTS}.`,
  })
  addresses?: AddressInput[] | null;

  @Together('taxStatusOn')
  @Field(() => TaxStatus, {
    nullable: true,
    description:
      'What the customer has certified about taxes of the United States. Send it together with `taxStatusOn`, or send neither.',
  })
  taxStatus?: TaxStatusWord | null;

  @Together('taxStatus')
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day from which the status is so, such as `2026-02-03`. Send both, or neither.',
  })
  taxStatusOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'The day of the second notice of the IRS within three years that the tax id is incorrect, such as `2026-10-01`.',
  })
  secondTinNoticeOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'The day on which the customer consented to tax forms by electronic means alone, such as `2026-02-03`.',
  })
  electronicTaxFormsOn?: string | null;
}

@Input('A new customer: a person who can own accounts.')
export class CustomerInput extends CustomerDetails {
  @Field(() => UUID, {
    nullable: true,
    description:
      "The bank's own id of the customer, such as `0000d001-0000-4000-8000-000000000000`; no other customer may have it, in any program. Assigned when absent.",
  })
  customerId?: string | null;
}

@Input('A customer in the records of the bank.')
export class CustomerRecord extends CustomerDetails {
  @Field(() => UUID)
  customerId!: string;
}

@Input(
  'Changes to a customer (JSON merge patch, RFC 7396): an absent field stays as it is, null clears an optional field, and a list is replaced.',
)
export class CustomerPatch {
  @NotCleared()
  @Field(() => PersonNamePatch, {
    nullable: true,
    description: 'The parts of the name that change; cannot be cleared.',
  })
  name?: PersonNamePatch;

  @Matches(TAX_ID_OR_MASKED, TAX_ID_FORM)
  @Field(() => String, {
    nullable: true,
    description: `The tax id, such as \`900-12-6789\`: ${TAX_ID_FORM}. The masked number that was shown changes nothing when it is sent back; null clears it, together with \`taxIdCountry\`.`,
  })
  taxId?: string | null;

  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country that issued the tax id, such as `US`; null clears it, together with `taxId`.',
  })
  taxIdCountry?: string | null;

  @Text(4, MAX_GOVERNMENT_ID_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: `${GOVERNMENT_ID}. The masked number that was shown changes nothing when it is sent back; null clears it.`,
  })
  governmentId?: string | null;

  @PastDate()
  @Field(() => LocalDate, { nullable: true, description: `${DATE_OF_BIRTH}. Null clears it.` })
  dateOfBirth?: string | null;

  @Field(() => ContactInput, {
    nullable: true,
    description:
      'E-mail addresses and telephone numbers: a list that is absent stays as it is, null or an empty list clears it, and null in place of both clears both.',
  })
  contact?: ContactInput | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `Postal addresses, up to ${MAX_CONTACTS}: they replace the ones on record, and null or an empty list clears them.`,
  })
  addresses?: AddressInput[] | null;

  @Field(() => TaxStatus, {
    nullable: true,
    description:
      'What the customer has certified about taxes of the United States; null clears it, together with `taxStatusOn`.',
  })
  taxStatus?: TaxStatusWord | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'The day from which the status is so, such as `2026-02-03`; null clears it, together with `taxStatus`.',
  })
  taxStatusOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'The day of the second notice of the IRS within three years that the tax id is incorrect, such as `2026-10-01`; null clears it.',
  })
  secondTinNoticeOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'The day on which the customer consented to tax forms by electronic means alone, such as `2026-02-03`; null clears it, for example when the consent is withdrawn.',
  })
  electronicTaxFormsOn?: string | null;
}

@Input('Changes to a customer over REST. A complete record that was read can be sent back.')
export class CustomerChange extends CustomerPatch {
  @Field(() => UUID, { nullable: true, description: 'The id in the path; it can be left out.' })
  customerId?: string | null;
}
