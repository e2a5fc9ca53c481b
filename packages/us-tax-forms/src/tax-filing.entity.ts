import { OptionalProps } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Currency, DataClasses, DateTimeISO, Decimal, Node, NodeKey, Sealed, UUID, Renamed } from 'tillgate/noun';
import type { PortalTemplate } from './iris/portal-csv.js';
import type { ReturnedPayer, Transmitter } from './iris/iris-xml.js';

export const TaxFilingState = {
  DRAFT: 'DRAFT',
  EXPORTED: 'EXPORTED',
  SENT: 'SENT',
  ACCEPTED: 'ACCEPTED',
  ACCEPTED_WITH_ERRORS: 'ACCEPTED_WITH_ERRORS',
  REJECTED: 'REJECTED',
  REPLACED: 'REPLACED',
} as const;
export type TaxFilingState = keyof typeof TaxFilingState;
registerEnumType(TaxFilingState, {
  name: 'TaxFilingStatus',
  description: 'The state of returns that are filed with the IRS.',
  valuesConfig: {
    DRAFT: { description: 'The files are being written.' },
    EXPORTED: { description: 'The files are written, and nobody has sent them yet.' },
    SENT: { description: 'The IRS has received the files and not answered yet.' },
    ACCEPTED: { description: 'The IRS has accepted the returns.' },
    ACCEPTED_WITH_ERRORS: {
      description: 'The IRS has accepted the returns, and some have errors that must be corrected.',
    },
    REJECTED: { description: 'The IRS has rejected the returns. They must be filed again.' },
    REPLACED: { description: 'Another filing took the place of this one.' },
  },
});

export const TaxFilingKind = { ORIGINAL: 'ORIGINAL', CORRECTION: 'CORRECTION', REPLACEMENT: 'REPLACEMENT' } as const;
export type TaxFilingKind = keyof typeof TaxFilingKind;
registerEnumType(TaxFilingKind, {
  name: 'TaxFilingKind',
  description: 'The reason for which returns are filed.',
  valuesConfig: {
    ORIGINAL: { description: 'The returns were not filed before (O).' },
    CORRECTION: { description: 'The returns correct returns that were accepted (C).' },
    REPLACEMENT: { description: 'The returns replace files that were rejected (R).' },
  },
});

export const TaxFilingFormat = { XML: 'XML', CSV: 'CSV' } as const;
export type TaxFilingFormat = keyof typeof TaxFilingFormat;
registerEnumType(TaxFilingFormat, {
  name: 'TaxFilingFormat',
  description: 'The way in which returns get to the IRS.',
  valuesConfig: {
    XML: { description: 'XML, which goes from system to system (IRIS A2A).' },
    CSV: { description: 'CSV, which people upload in the IRIS Taxpayer Portal.' },
  },
});

/** An error that the IRS found. */
@ObjectType({ description: 'An error that the IRS found in returns.', simpleResolvers: true })
export class TaxFilingError {
  @Field(() => String, { description: 'The code of the IRS, such as `RECIPIENT_TIN_MISMATCH`.' })
  code!: string;

  @Field(() => String, { description: 'The message of the IRS, without values of the return.' })
  message!: string;
}

/** The sums of returns, in cents. */
abstract class ReturnSums {
  @Property({ type: 'bigint', default: 0 }) interestMinor!: bigint;
  @Property({ type: 'bigint', default: 0 }) penaltyMinor!: bigint;
  @Property({ type: 'bigint', default: 0 }) withheldMinor!: bigint;
  @Property({ type: 'bigint', default: 0 }) stateWithheldMinor!: bigint;
}

const SUMS = ['interestMinor', 'penaltyMinor', 'withheldMinor', 'stateWithheldMinor'] as const;

/** The payer as it was when its returns were filed, and who sends them: XML from system to system, or CSV by a person. */
export interface FilingSender {
  readonly payer: ReturnedPayer;
  readonly by: { readonly transmitter: Transmitter } | { readonly template: PortalTemplate };
}

/** The returns of a payer and a tax year that go to the IRS at one time. */
@Entity({ tableName: 'tax_filing' })
@DataClasses<TaxFiling>({
  kept: 'without end; a draft until it is replaced',
  internal: ['program', 'taxYear', 'kind', 'format', 'state', 'isTest', 'forms', 'createdAt', 'changedAt'],
  identifier: ['filingId', 'replaces'],
  ledger: SUMS,
  personal: { sealed: 'sealed' },
})
@Index({ properties: ['program', 'taxYear', 'createdAt', 'filingId'] })
@NodeKey('filingId')
@ObjectType({
  description: 'The returns of a payer and a tax year that go to the IRS at one time.',
  implements: Node,
  simpleResolvers: true,
})
export class TaxFiling extends ReturnSums {
  [OptionalProps]?: 'currency' | 'interest' | 'federalTaxWithheld';

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the filing, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`.' })
  filingId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The tax year, such as 2026.' })
  taxYear!: number;

  @Property({ type: 'text' })
  @Field(() => TaxFilingKind, { description: 'The reason for which the returns are filed.' })
  kind!: TaxFilingKind;

  @Property({ type: 'text' })
  @Field(() => TaxFilingFormat, { description: 'The way in which the returns get to the IRS.' })
  format!: TaxFilingFormat;

  @Property({ type: 'text' })
  @Field(() => TaxFilingState, { description: 'The state of the returns with the IRS.' })
  @Renamed('status')
  state!: TaxFilingState;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True if the files are for the test system of the IRS.' })
  isTest!: boolean;

  @Property({ type: 'uuid', nullable: true })
  @Field(() => UUID, {
    nullable: true,
    description:
      'The rejected filing that this one replaces, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11`; null for none.',
  })
  @Renamed('previousFilingId')
  replaces!: string | null;

  @Property({ type: 'integer', default: 0 })
  @Field(() => Int, { description: 'The number of returns.' })
  @Renamed('formCount')
  forms!: number;

  /** `FilingSender`, of which the files are made again each time. */
  @Sealed({ as: 'sender' })
  @Property({ type: 'blob' })
  sealed!: Buffer;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, {
    description: 'The time at which the filing was made, such as `2027-02-01T18:05:00.000Z`.',
  })
  createdAt!: Date;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  @Field(() => DateTimeISO, {
    description: 'The time at which its state was last changed, such as `2027-02-01T18:05:00.000Z`.',
  })
  @Renamed('updatedAt')
  changedAt!: Date;

  @Field(() => Currency, { description: 'The currency of the sums: returns are in US dollars.' })
  currency!: string;

  @Field(() => Decimal, { description: 'The sum of box 1 of the returns, such as `1234.56`.' })
  interest!: string;

  @Field(() => Decimal, {
    description: 'The sum of box 4, the federal income tax withheld, such as `12.30`.',
  })
  federalTaxWithheld!: string;
}

/** A file of a filing. */
@Entity({ tableName: 'tax_transmission' })
@DataClasses<TaxTransmission>({
  kept: 'as long as its filing',
  internal: ['part', 'state', 'forms', 'sizeBytes', 'fileName'],
  identifier: ['filingId', 'transmissionId', 'receiptId', 'originalReceiptId'],
  ledger: SUMS,
  personal: { errors: 'in the clear: the words of the IRS, by which operators correct' },
})
@ObjectType({ description: 'A file of a filing, which is sent alone.', simpleResolvers: true })
export class TaxTransmission extends ReturnSums {
  [OptionalProps]?: 'downloadPath';

  @PrimaryKey({ type: 'uuid' }) filingId!: string;

  @PrimaryKey({ type: 'integer' })
  @Field(() => Int, { description: 'The number of the file in the filing, from 1.' })
  part!: number;

  @Unique()
  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The unique id of the file, such as `7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11:IRIS:ABC12::A`.',
  })
  transmissionId!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The receipt of the IRS; null until the file was sent.',
  })
  receiptId!: string | null;

  /** The receipt of the rejected file that this one replaces. */
  @Property({ type: 'text', nullable: true }) originalReceiptId!: string | null;

  @Property({ type: 'text' })
  @Field(() => TaxFilingState, { description: 'The state of the file with the IRS.' })
  @Renamed('status')
  state!: TaxFilingState;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The number of returns in the file.' })
  @Renamed('formCount')
  forms!: number;

  @Property({ type: 'bigint' }) sizeBytes!: bigint;

  @Field(() => String, {
    description:
      'The path of the file, such as `/tax-filings/7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11/files/1`, which takes the scope `operations`.',
  })
  get downloadPath(): string {
    return `/tax-filings/${this.filingId}/files/${this.part}`;
  }

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The name of the file, such as `1099-int-2026-original-1.xml`.' })
  fileName!: string;

  @Property({ type: 'json' })
  @Field(() => [TaxFilingError], { description: 'The errors that the IRS found in the file as a whole; may be empty.' })
  errors!: readonly TaxFilingError[];
}

/** A return in a filing. */
@Entity({ tableName: 'tax_filing_form' })
@DataClasses<TaxFilingForm>({
  kept: 'as long as the account',
  internal: ['part', 'recordId', 'program', 'taxYear', 'isZero', 'filedAt', 'state'],
  identifier: ['filingId', 'accountId', 'statementId', 'corrects'],
  ledger: ['interestMinor'],
  personal: { errors: 'in the clear: the words of the IRS, by which operators correct' },
})
@Index({ properties: ['program', 'taxYear', 'accountId', 'filingId'] })
@Index({ properties: ['filingId', 'state', 'part', 'recordId'] })
@ObjectType({ description: 'A Form 1099-INT in a filing.', simpleResolvers: true })
export class TaxFilingForm {
  [OptionalProps]?: 'currency' | 'interest';

  @PrimaryKey({ type: 'uuid' }) filingId!: string;

  @PrimaryKey({ type: 'integer' })
  @Field(() => Int, { description: 'The number of the file in the filing.' })
  part!: number;

  @PrimaryKey({ type: 'integer' })
  @Field(() => Int, { description: 'The number of the return in the file.' })
  recordId!: number;

  @Property({ type: 'text' }) program!: string;
  @Property({ type: 'integer' }) taxYear!: number;

  @Property({ type: 'text' })
  @Field(() => ID, { description: 'The id of the account, such as `demo-1001`.' })
  accountId!: string;

  @Property({ type: 'uuid' })
  @Field(() => ID, {
    description:
      'The id of the form among the documents of the account, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`.',
  })
  statementId!: string;

  /** `receipt|submission|record` of the return that this one corrects. */
  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The return that this one corrects, by the ids of the IRS; null if it corrects none.',
  })
  corrects!: string | null;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True if the return takes back another one: its amounts are zero.' })
  isZero!: boolean;

  @Property({ type: 'bigint' }) interestMinor!: bigint;

  /** The order of returns of an account; a correction of a filing stands before the originals of the same command. */
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) filedAt!: Date;

  @Property({ type: 'text' })
  @Field(() => TaxFilingState, { description: 'The state of the return with the IRS.' })
  @Renamed('status')
  state!: TaxFilingState;

  @Property({ type: 'json' })
  @Field(() => [TaxFilingError], { description: 'The errors that the IRS found in the return; may be empty.' })
  errors!: readonly TaxFilingError[];

  @Field(() => Currency, { description: 'The currency of the amounts: returns are in US dollars.' })
  currency!: string;

  @Field(() => Decimal, { description: 'Box 1 of the return, such as `12.33`.' })
  interest!: string;
}

/** A filing as it is shown. */
export type TaxFilingView = Readonly<
  Omit<
    TaxFiling,
    | typeof OptionalProps
    | 'program'
    | 'sealed'
    | 'createdAt'
    | 'changedAt'
    | 'interestMinor'
    | 'penaltyMinor'
    | 'withheldMinor'
    | 'stateWithheldMinor'
  >
> & { readonly createdAt: string; readonly changedAt: string };
/** A filing as its files are made. */
export type TaxFilingRead = Readonly<
  Pick<TaxFiling, 'filingId' | 'program' | 'taxYear' | 'kind' | 'format' | 'state' | 'isTest' | 'replaces'>
> & { readonly sender: FilingSender };
/** A return as it is shown. */
export type TaxFilingFormView = Readonly<
  Omit<TaxFilingForm, typeof OptionalProps | 'filingId' | 'program' | 'taxYear' | 'interestMinor' | 'filedAt'>
>;
