import { Field, Int, registerEnumType } from 'type-graphql';
import { Base64, Between, Fits, Flag, Input, Matches, Size, Text, namesRecord } from 'tillgate/noun';
import { TaxFilingState, type TaxFilingState as TaxFilingStateWord } from './tax-filing.entity.js';
import { TaxPayeeList, type TaxPayeeList as TaxPayeeListWord } from './tax-year.entity.js';

const [FIRST_YEAR, LAST_YEAR] = [1900, 2999];

@Input('The filter of the filings with the IRS.')
export class TaxFilingFilter {
  @Between(FIRST_YEAR, LAST_YEAR)
  @Field(() => Int, { nullable: true, description: 'The tax year to list, such as 2026.' })
  taxYear?: number | null;
}

@Input('The filter of the returns of a filing.')
export class TaxReturnFilter {
  @Size(1, Object.keys(TaxFilingState).length)
  @Field(() => [TaxFilingState], { nullable: true, description: 'The statuses to list.' })
  statuses?: TaxFilingStateWord[] | null;
}

@Input('The state of the returns of a filing that are listed.')
export class TaxReturnQuery {
  @Field(() => TaxFilingState, { nullable: true, description: 'The state to list.' })
  state?: TaxFilingStateWord | null;
}

@Input('The filter of the customers of a tax year.')
export class TaxPayeeFilter {
  @Field(() => TaxPayeeList, { description: 'The list, which says for what reason the customers are listed.' })
  list!: TaxPayeeListWord;
}

/** The template of the portal is some thousand characters long. */
const MAX_TEMPLATE = 100_000;

@Input('An address of the United States.')
export class TransmitterAddressInput {
  @Text(1, 35)
  @Field(() => String, { description: 'Street and number, such as `3 Quay Street`.' })
  line1!: string;

  @Text(1, 40)
  @Field(() => String, { description: 'The city, such as `Port Ambergill`.' })
  city!: string;

  @Matches(/^[A-Z]{2}$/, 'two letters, such as OR')
  @Field(() => String, { description: 'The state, such as `OR`.' })
  state!: string;

  @Matches(/^\d{5}(-?\d{4})?$/, 'a ZIP code of five or nine digits')
  @Field(() => String, { description: 'The ZIP code, such as `97000`.' })
  postalCode!: string;
}

@Input('The person whom the IRS asks about returns.')
export class TransmitterContactInput {
  @Matches(/^[A-Za-z\- ]{1,35}$/, '1 to 35 letters from A to Z, hyphens and spaces')
  @Field(() => String, { description: 'The name, such as `Pat Quill`.' })
  name!: string;

  @Matches(/^[^\s@]{1,100}@[^\s@]{1,100}$/, 'an e-mail address')
  @Field(() => String, { description: 'The e-mail address, such as `tax@bank.example`.' })
  email!: string;

  @Matches(/^[\d ()+.-]{10,20}$/, 'a telephone number of ten digits')
  @Field(() => String, { description: 'The telephone number, such as `+1 503 555 0199`.' })
  telephone!: string;
}

@Input('The sender of returns from system to system (IRIS A2A): the payer itself, or a service for it.')
export class TransmitterInput {
  @Matches(/^[A-Z0-9]{5}$/, 'five letters and digits')
  @Field(() => String, { description: 'The Transmitter Control Code, such as `ABC12`.' })
  tcc!: string;

  @Matches(/^[A-Za-z0-9]{10}$/, 'ten letters and digits')
  @Field(() => String, { description: 'The id of the software, such as `26A0000001`.' })
  softwareId!: string;

  @Matches(/^\d{2}-?\d{7}$/, 'nine digits')
  @Field(() => String, { description: 'The employer identification number, such as `98-7654321`.' })
  taxId!: string;

  @Text(1, 75)
  @Field(() => String, { description: 'The name, such as `Harbor Filing Service`.' })
  name!: string;

  @Field(() => TransmitterAddressInput, { description: 'The office of the transmitter in the United States.' })
  address!: TransmitterAddressInput;

  @Field(() => TransmitterContactInput, { description: 'The person to ask.' })
  contact!: TransmitterContactInput;
}

/** The order of a filing, of which either a transmitter or a template says how the returns get to the IRS. */
@Input('The returns that are filed.')
export class StartTaxFilingInput {
  @Between(FIRST_YEAR, LAST_YEAR)
  @Field(() => Int, { description: 'The tax year whose returns are filed, such as 2026.' })
  taxYear!: number;

  @Field(() => TransmitterInput, { nullable: true, description: 'The sender of XML; absent for CSV.' })
  transmitter?: TransmitterInput | null;

  @Fits('text', text => text.length <= MAX_TEMPLATE, `Must be at most ${MAX_TEMPLATE} characters.`, {
    maxLength: MAX_TEMPLATE,
  })
  @Field(() => String, {
    nullable: true,
    description: 'The template of the year that the IRIS Taxpayer Portal gives, for CSV; absent for XML.',
  })
  template?: string | null;

  @Flag('True for the test system of the IRS, of which production knows nothing.')
  isTest?: boolean;
}

@Input('The answer of the IRS to a file.')
export class AcknowledgeTaxFilingInput {
  @Field(() => Base64, { description: 'The acknowledgement or the receipt of the IRS in XML, up to 10 MiB.' })
  answer!: Buffer;
}

export const TaxFilingMark = { SENT: 'SENT', ACCEPTED: 'ACCEPTED', REJECTED: 'REJECTED' } as const;
export type TaxFilingMark = keyof typeof TaxFilingMark;
registerEnumType(TaxFilingMark, {
  name: 'TaxFilingMark',
  description: 'The outcome that the IRIS Taxpayer Portal shows on its pages.',
  valuesConfig: {
    SENT: { description: 'The files are uploaded, and not answered yet.' },
    ACCEPTED: { description: 'The returns are accepted.' },
    REJECTED: { description: 'The returns are rejected.' },
  },
});

/** The outcome of an upload in the portal, as a body of REST has it, whose path names the filing. */
@Input('The outcome of files that were uploaded in the IRIS Taxpayer Portal.')
export class TaxFilingOutcomeInput {
  @Field(() => TaxFilingMark, { description: 'The state of the returns that the portal shows.' })
  outcome!: TaxFilingMark;

  @Text(1, 100)
  @Field(() => String, { nullable: true, description: 'The receipt of the portal, such as `2027-1234`.' })
  receiptId?: string | null;
}

export const FILING_ID = 'The id of the filing, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`.';

@Input('The outcome of files that were uploaded in the IRIS Taxpayer Portal.')
export class MarkTaxFilingInput extends namesRecord(
  'TaxFiling',
  { filingId: { description: FILING_ID, isUuid: true } },
  TaxFilingOutcomeInput,
) {}
