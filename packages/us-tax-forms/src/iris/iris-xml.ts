import { decimalOf } from 'tillgate/noun';
import { escaped } from '../../../../lib/account-report/texts.js';
import type { IrisFormat } from './iris-format.js';
import { businessName, businessNameControl } from './iris-texts.js';
import type { ReturnedAddress, ReturnedForm } from './returned-form.js';

/** The sender of returns to the IRS: a payer itself, or a service for it. */
export interface Transmitter {
  /** The Transmitter Control Code, five letters and digits. */
  readonly tcc: string;
  /** As the IRS gave it to who made the software. */
  readonly softwareId: string;
  readonly taxId: string;
  readonly name: string;
  readonly address: ReturnedAddress;
  readonly contact: { readonly name: string; readonly email: string; readonly telephone: string };
}

/** The payer as returns name it. */
export interface ReturnedPayer {
  readonly name: string;
  readonly taxId: string;
  readonly address: ReturnedAddress;
  readonly telephone: string;
}

/** The head of a transmission. */
export interface TransmissionHead {
  readonly transmissionId: string;
  readonly kind: 'ORIGINAL' | 'CORRECTION' | 'REPLACEMENT';
  readonly isTest: boolean;
  /** The transmission that this one replaces as a whole. */
  readonly originalReceiptId: string | null;
}

/** A form in a transmission. */
export interface TransmittedForm {
  readonly recordId: number;
  readonly form: ReturnedForm;
  /** `receipt|submission|record` of the form that this one corrects; null for an original. */
  readonly corrects: string | null;
}

/** The sums of a transmission: forms, and cents by their boxes. */
export interface TransmissionTotals {
  readonly forms: number;
  readonly cents: Readonly<Record<number, bigint>>;
}

const KINDS = { ORIGINAL: 'O', CORRECTION: 'C', REPLACEMENT: 'R' } as const;
/** A transmission has one submission: one payer, one form, one year. */
export const SUBMISSION_ID = '1';

/** Writes what stands before the forms. */
export function openingOf(
  format: IrisFormat,
  head: TransmissionHead,
  transmitter: Transmitter,
  payer: ReturnedPayer,
  totals: TransmissionTotals,
): string {
  const { namespace, schemaVersion, taxYear, formType, parentFormType, detail } = format;
  const { contact } = transmitter;
  const manifest = [
    text('SchemaVersionNum', schemaVersion),
    text('UniqueTransmissionId', head.transmissionId),
    text('TaxYr', String(taxYear)),
    text('PriorYearDataInd', '0'),
    text('TransmissionTypeCd', KINDS[head.kind]),
    text('TestCd', head.isTest ? 'T' : 'P'),
    head.originalReceiptId === null ? '' : text('OriginalReceiptId', head.originalReceiptId),
    group('TransmitterGrp', [
      text('TIN', transmitter.taxId.replaceAll('-', '')),
      text('TINSubmittedTypeCd', 'BUSINESS_TIN'),
      text('TransmitterControlCd', transmitter.tcc),
      text('ForeignEntityInd', '0'),
      businessOf(businessName(transmitter.name, format.limits.businessName)),
      group('CompanyGrp', [
        businessOf(businessName(transmitter.name, format.limits.businessName)),
        addressOf(transmitter.address),
      ]),
      group('ContactNameGrp', [text('PersonNm', contact.name)]),
      text('ContactEmailAddressTxt', contact.email),
      text('ContactPhoneNum', contact.telephone),
    ]),
    text('VendorCd', 'I'),
    text('SoftwareId', transmitter.softwareId),
    text('TotalIssuerFormCnt', '1'),
    text('TotalRecipientFormCnt', String(totals.forms)),
    text('PaperSubmissionInd', '0'),
    text('MediaSourceCd', 'M'),
    text('SubmissionChannelCd', 'A2A'),
  ];
  const header = [
    text('SubmissionId', SUBMISSION_ID),
    text('TaxYr', String(taxYear)),
    group('IssuerDetail', [
      text('ForeignEntityInd', '0'),
      text('TIN', payer.taxId.replaceAll('-', '')),
      text('TINSubmittedTypeCd', 'BUSINESS_TIN'),
      text('BusinessNameControlTxt', businessNameControl(payer.name)),
      businessOf(businessName(payer.name, format.limits.businessName)),
      addressOf(payer.address),
      text('PhoneNum', payer.telephone),
    ]),
    group('ContactPersonInformationGrp', [
      text('ContactPersonNm', contact.name),
      text('ContactPhoneNum', contact.telephone),
      text('ContactEmailAddressTxt', contact.email),
    ]),
    text('FormTypeCd', formType),
    text('ParentFormTypeCd', parentFormType),
    text('CFSFElectionInd', '0'),
    text('TotalReportedRcpntFormCnt', String(totals.forms)),
    group('IRSubmission1FormTotals', [group(detail.totals, totalsOf(format, totals.cents))]),
  ];
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<IRTransmission xmlns="${namespace}">\n` +
    `${group('IRTransmissionManifest', manifest)}\n<IRSubmission1Grp>\n` +
    `${group('IRSubmission1Header', header)}\n<IRSubmission1Detail>\n`
  );
}

/** The text behind the forms. */
export const CLOSING = '</IRSubmission1Detail>\n</IRSubmission1Grp>\n</IRTransmission>\n';

/** A form, in a line of its own. */
export function detailOf({ taxYear, detail }: IrisFormat, { recordId, form, corrects }: TransmittedForm): string {
  const [stateGroup, stateCode, taxGroup, stateNumber, stateTax] = detail.state;
  const { state, cents } = form;
  const parts = [
    text('TaxYr', String(taxYear)),
    text('RecordId', String(recordId)),
    text('VoidInd', '0'),
    text('CorrectedInd', corrects === null ? '0' : '1'),
    corrects === null ? '' : group('PrevSubmittedRecRecipientGrp', [text('UniqueRecordId', corrects)]),
    group('RecipientDetail', [
      text('TIN', form.taxId),
      text('TINSubmittedTypeCd', 'business' in form.name ? 'UNKNOWN' : 'INDIVIDUAL_TIN'),
      'business' in form.name
        ? businessOf(form.name.business)
        : group('PersonName', [
            text('PersonFirstNm', form.name.first),
            text('PersonMiddleNm', form.name.middle),
            text('PersonLastNm', form.name.last),
          ]),
      addressOf(form.address),
    ]),
    text('RecipientAccountNum', form.accountNumber),
    text('SecondTINNoticeInd', form.secondTinNotice ? '1' : '0'),
    text('FATCAFilingRequirementInd', '0'),
    ...detail.boxes.map(([element, box]) => text(element, amount(cents[box]))),
    state === null
      ? ''
      : group(stateGroup, [
          text(stateCode, state.code),
          group(taxGroup, [text(stateNumber, state.number), text(stateTax, amount(cents[17]))]),
        ]),
  ];
  return `${group(detail.element, parts)}\n`;
}

function totalsOf({ detail }: IrisFormat, cents: Readonly<Record<number, bigint>>): string[] {
  const byElement = new Map(detail.boxes.map(([element, box]) => [element, cents[box] ?? 0n]));
  const reported = detail.totalReported.reduce((sum, box) => sum + (cents[box] ?? 0n), 0n);
  byElement.set('TotalReportedAmt', reported);
  return detail.totalsOrder.map(element => text(element, amount(byElement.get(element))));
}

function amount(cents = 0n): string {
  return decimalOf(cents, 'USD');
}

function businessOf([first = '', second = '']: readonly string[]): string {
  return group('BusinessName', [text('BusinessNameLine1Txt', first), text('BusinessNameLine2Txt', second)]);
}

function addressOf(address: ReturnedAddress): string {
  const [line1 = '', line2 = ''] = address.lines;
  const lines = [text('AddressLine1Txt', line1), text('AddressLine2Txt', line2), text('CityNm', address.city)];
  const one =
    'zip' in address
      ? group('USAddress', [...lines, text('StateAbbreviationCd', address.state), text('ZIPCd', address.zip)])
      : group('ForeignAddress', [
          ...lines,
          text('ProvinceOrStateNm', address.province),
          text('CountryCd', address.country),
          text('ForeignPostalCd', address.postalCode),
        ]);
  return group('MailingAddressGrp', [one]);
}

/** An element with a text; nothing where the text is empty, which the schema does not take. */
function text(name: string, value: string): string {
  if (value === '') return '';
  return `<${name}>${escaped(value)}</${name}>`;
}

function group(name: string, parts: readonly string[]): string {
  return `<${name}>${parts.join('')}</${name}>`;
}
