import { Field, Int } from 'type-graphql';
import { ExpectedVersion } from '../../platform/graphql/expected-version.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { MAX_GOVERNMENT_ID_CHARACTERS, TaxStatus, type TaxStatus as TaxStatusWord } from './owner.entity.js';
import {
  AddressInput,
  EMAIL,
  MAX_CONTACTS,
  NameInput,
  NamePatch,
  OneName,
  PhoneInput,
} from '../person/person.inputs.js';
import { CountryCode, DateTimeISO, LocalDate, UUID } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { ChangedMetadata, ListedMetadata, NewMetadata } from '../../platform/input/metadata.js';
import type { MetadataChange } from '../../shared/metadata.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import {
  Between,
  EachMatches,
  Matches,
  NotCleared,
  PastDate,
  Size,
  Text,
  Together,
} from '../../platform/input/rules.js';

export const MAX_TAX_ID_CHARACTERS = 20;
/** Any country's: letters, digits and single hyphens or spaces between them, at least four of them neither. */
const TAX_ID = /^(?=.{4,20}$)[A-Za-z0-9]([- ]?[A-Za-z0-9]){3,19}$/;
const TAX_ID_FORM = `4 to ${MAX_TAX_ID_CHARACTERS} letters and digits, with or without hyphens or spaces between them`;
/** In a patch the masked number may come back as it was shown; the service compares it. */
const TAX_ID_OR_MASKED = new RegExp(String.raw`${TAX_ID.source}|\*`);
/** RFC 5321, section 4.5.3.1.3. */
export const MAX_EMAIL_CHARACTERS = 254;
const SHORT_EMAIL = new RegExp(`^(?=.{1,${MAX_EMAIL_CHARACTERS}}$)${EMAIL.source.slice(1)}`);

const MAX_BANK_NUMBER_CHARACTERS = 64;
const BANK_NUMBER = `The number under which the bank knows the customer, 1 to ${MAX_BANK_NUMBER_CHARACTERS} characters, such as \`KD-004711\`.`;

const DATE_OF_BIRTH = 'The date of birth; a day before today';

@Input('E-mail addresses and telephone numbers of a customer.')
export class ContactInput {
  @EachMatches(SHORT_EMAIL, `an e-mail address of up to ${MAX_EMAIL_CHARACTERS} characters`)
  @Size(0, MAX_CONTACTS)
  @Field(() => [String], {
    nullable: true,
    description: `The e-mail addresses, up to ${MAX_CONTACTS}, such as \`maren@example.com\`.`,
  })
  email?: string[] | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [PhoneInput], { nullable: true, description: `The telephone numbers, up to ${MAX_CONTACTS}.` })
  telephones?: PhoneInput[] | null;
}

/** The fields that the operations of the API and the import have in common. */
@Input('A new customer without its id.')
export class CustomerDetails {
  @OneName()
  @Field(() => NameInput, { description: 'The name of the person or the organisation.' })
  name!: NameInput;

  @Text(1, MAX_BANK_NUMBER_CHARACTERS)
  @Field(() => String, { nullable: true, description: BANK_NUMBER })
  bankNumber?: string | null;

  @Matches(TAX_ID, TAX_ID_FORM)
  @Together('taxIdCountry')
  @Field(() => String, {
    nullable: true,
    description: 'The tax id, 4 to 20 letters and digits, such as `900-12-6789`.',
  })
  taxId?: string | null;

  @Together('taxId')
  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country that issued `taxId`, together with it.',
  })
  taxIdCountry?: string | null;

  @Text(4, MAX_GOVERNMENT_ID_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The number of a passport or the like, 4 to 40 characters, such as `P87654321`.',
  })
  governmentId?: string | null;

  @PastDate()
  @Field(() => LocalDate, { nullable: true, description: `${DATE_OF_BIRTH}.` })
  dateOfBirth?: string | null;

  @Field(() => ContactInput, { nullable: true, description: 'E-mail addresses and telephone numbers.' })
  contact?: ContactInput | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `The postal addresses, at most ${MAX_CONTACTS}.`,
  })
  addresses?: AddressInput[] | null;

  @NewMetadata()
  metadata?: MetadataChange | null;

  @Together('taxStatusOn')
  @Field(() => TaxStatus, {
    nullable: true,
    description: 'The certification about taxes, together with `taxStatusOn`.',
  })
  taxStatus?: TaxStatusWord | null;

  @Together('taxStatus')
  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day from which `taxStatus` applies, together with `taxStatus`.',
  })
  taxStatusOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day on which the IRS said a second time that the tax id is wrong.',
  })
  secondTinNoticeOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day on which the customer agreed to electronic tax forms alone.',
  })
  electronicTaxFormsOn?: string | null;
}

@Input('A person or an organisation that can own accounts.')
export class CustomerInput extends CustomerDetails {
  @Field(() => UUID, {
    nullable: true,
    description: "The bank's own id of the customer, which no other customer has; assigned when absent.",
  })
  customerId?: string | null;
}

@Input('A customer in the records of the bank.')
export class CustomerRecord extends CustomerDetails {
  @Field(() => UUID)
  customerId!: string;
}

@Input('The changes of a customer.')
export class CustomerPatch {
  @Text(1, MAX_BANK_NUMBER_CHARACTERS)
  @Field(() => String, { nullable: true, description: `${BANK_NUMBER} Null clears it.` })
  bankNumber?: string | null;

  @NotCleared()
  @Field(() => NamePatch, {
    nullable: true,
    description: 'The parts of the name that change. The name cannot be cleared.',
  })
  name?: NamePatch;

  @Matches(TAX_ID_OR_MASKED, TAX_ID_FORM)
  @Field(() => String, {
    nullable: true,
    description: 'The tax id, such as `900-12-6789`. The masked number changes nothing.',
  })
  taxId?: string | null;

  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country that issued `taxId`. Null clears `taxId` as well.',
  })
  taxIdCountry?: string | null;

  @Text(4, MAX_GOVERNMENT_ID_CHARACTERS)
  @Field(() => String, {
    nullable: true,
    description: 'The number of a passport or the like, such as `P87654321`. The masked number changes nothing.',
  })
  governmentId?: string | null;

  @PastDate()
  @Field(() => LocalDate, { nullable: true, description: `${DATE_OF_BIRTH}. Null clears it.` })
  dateOfBirth?: string | null;

  @Field(() => ContactInput, {
    nullable: true,
    description: 'The e-mail addresses and telephone numbers. A list replaces that on record; null clears both.',
  })
  contact?: ContactInput | null;

  @Size(0, MAX_CONTACTS)
  @Field(() => [AddressInput], {
    nullable: true,
    description: `The postal addresses, up to ${MAX_CONTACTS}, which replace those on record.`,
  })
  addresses?: AddressInput[] | null;

  @ChangedMetadata()
  metadata?: MetadataChange | null;

  @Field(() => TaxStatus, {
    nullable: true,
    description: 'The certification about taxes. Null clears `taxStatusOn` as well.',
  })
  taxStatus?: TaxStatusWord | null;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day from which `taxStatus` applies. Null clears `taxStatus` as well.',
  })
  taxStatusOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day on which the IRS said a second time that the tax id is wrong; null clears it.',
  })
  secondTinNoticeOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day on which the customer agreed to electronic tax forms alone; null withdraws it.',
  })
  electronicTaxFormsOn?: string | null;
}

/** The most ids, and the most numbers, that a filter may have. */
const MAX_LISTED = 100;

@Input('A filter of customers.')
class CustomerCriteria {
  @Size(1, MAX_LISTED)
  @Field(() => [UUID], { nullable: true, description: `The ids to list, 1 to ${MAX_LISTED}.` })
  customerIds?: string[] | null;

  @EachMatches(/^.{1,64}$/, `1 to ${MAX_BANK_NUMBER_CHARACTERS} characters`)
  @Size(1, MAX_LISTED)
  @Field(() => [String], {
    nullable: true,
    description: `The numbers under which the bank knows customers, 1 to ${MAX_LISTED}, such as \`KD-004711\`.`,
  })
  bankNumbers?: string[] | null;
}

@Input('A filter of customers, which must match every field.')
export class CustomerFilter extends CustomerCriteria {
  @ListedMetadata()
  metadata?: MetadataChange | null;
}

@Input('The filter and the page of customers.')
export class CustomerQuery extends CustomerCriteria {
  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last answer: customers after it. From the first one when absent.',
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of customers; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;
}

@Input('Changes to a customer over REST. A complete record that was read can be sent back.')
export class CustomerChange extends CustomerPatch {
  @Field(() => UUID, { nullable: true, description: 'The id in the path; it can be left out.' })
  customerId?: string | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'The time in the record that was read; it is ignored.' })
  updatedAt?: string | null;
}

export const CUSTOMER_ID = { description: "The id of the customer: the bank's own, or one that the gateway assigned." };

/** The base of inputs that change a customer. */
const NamesCustomer = namesRecord('Customer', { customerId: { ...CUSTOMER_ID, isUuid: true } });

@Input('The customer who is created.')
export class CreateCustomerInput {
  @Field(() => CustomerInput, { description: 'The new customer.' })
  customer!: CustomerInput;
}

@Input('The customer who is changed, and the changes.')
export class UpdateCustomerInput extends NamesCustomer {
  @Field(() => CustomerPatch, { description: 'The changes.' })
  patch!: CustomerPatch;

  @ExpectedVersion()
  expectedVersion?: number | null;
}
