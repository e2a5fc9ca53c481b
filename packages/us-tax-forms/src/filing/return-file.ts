import type { Database, TaxFormService } from 'tillgate/noun';
import { irisFormatOf, type IrisFormat } from '../iris/iris-format.js';
import { CLOSING, detailOf, openingOf, type TransmittedForm } from '../iris/iris-xml.js';
import { portalLine } from '../iris/portal-csv.js';
import { returnedForm } from '../iris/returned-form.js';
import { TaxFilingForm, type FilingSender, type TaxFilingRead, type TaxTransmission } from '../tax-filing.entity.js';

/** The facts of a file that its opening tells. */
export type TransmissionFacts = Pick<TaxTransmission, 'part' | 'transmissionId' | 'originalReceiptId' | 'forms'> & {
  /** The sums of its returns, by their boxes. */
  readonly cents: Readonly<Record<number, bigint>>;
};

/** The number of returns that are read at a time, which is some megabytes. */
const RETURNS_AT_ONCE = 500;

/** The text before the returns of a file. */
export function openingOfFile(
  format: IrisFormat,
  { kind, isTest, sender: { payer, by } }: Pick<TaxFilingRead, 'kind' | 'isTest' | 'sender'>,
  { transmissionId, originalReceiptId, forms, cents }: TransmissionFacts,
): string {
  if ('template' in by) return by.template.head;
  const head = { transmissionId, kind, isTest, originalReceiptId };
  return openingOf(format, head, by.transmitter, payer, { forms, cents });
}

/** The text of a return. */
export function lineOf(format: IrisFormat, { payer, by }: FilingSender, of: TransmittedForm): string {
  return 'template' in by ? portalLine(format, by.template, payer, of.form) : detailOf(format, of);
}

/** The text behind the returns of a file. */
export function closingOf({ by }: FilingSender): string {
  return 'template' in by ? '' : CLOSING;
}

/**
 * Makes a file of a filing from the forms as they were issued, some hundred returns at a time, so that no whole tax id
 * is stored a second time. Each time it is the same. Throws where a form is no longer there.
 */
export async function* returnFile(
  { database, taxForms }: { readonly database: Database; readonly taxForms: TaxFormService },
  filing: TaxFilingRead,
  file: TaxTransmission,
): AsyncGenerator<Buffer> {
  const { filingId, sender } = filing;
  const { part, transmissionId, originalReceiptId, forms } = file;
  const format = irisFormatOf(filing.taxYear);
  const cents = { 1: file.interestMinor, 2: file.penaltyMinor, 4: file.withheldMinor, 17: file.stateWithheldMinor };
  yield Buffer.from(openingOfFile(format, filing, { part, transmissionId, originalReceiptId, forms, cents }));
  for (let after = 0; after < forms; after += RETURNS_AT_ONCE) {
    const rows: TaxFilingForm[] = await database
      .primary()
      .find(
        TaxFilingForm,
        { filingId, part, recordId: { $gt: after } },
        { orderBy: { recordId: 'asc' }, limit: RETURNS_AT_ONCE },
      );
    const issued = await taxForms.each(rows);
    const lines = rows.map(({ accountId, recordId, isZero, corrects }, index) => {
      const found = issued[index];
      const form = found ? returnedForm(format, accountId, found.form, isZero) : 'unfilable_form';
      if (typeof form === 'string') throw new Error('A form of the filing is no longer there as it was filed.');
      return lineOf(format, sender, { recordId, form, corrects });
    });
    yield Buffer.from(lines.join(''));
  }
  yield Buffer.from(closingOf(sender));
}
