import { csvLine } from '../../../../lib/csv/csv.js';
import type { KeptTaxForm, TaxFormBox } from '../statement.content.js';
import type { IssuedDocument } from './issued-documents.js';

const BOXES = Array.from({ length: 17 }, (_, index) => (index + 1) as TaxFormBox);

const COLUMNS = [
  'accountId',
  'statementId',
  'taxYear',
  'issuedOn',
  'correctionKind',
  'correctsStatementId',
  'correctedByStatementId',
  'payerName',
  'payerTaxId',
  'payerAddress',
  'payerTelephone',
  'recipientName',
  'recipientTaxId',
  'recipientAddress',
  'accountNumber',
  'currency',
  'irsReportable',
  ...BOXES.map(box => `box${box}`),
];

/** One line for each form, corrections below what they correct. `told` is called after each. */
export async function* taxFormsCsv(
  documents: AsyncIterable<IssuedDocument>,
  bom: boolean,
  report: () => void,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${bom ? '\ufeff' : ''}${csvLine(COLUMNS)}`);
  for await (const issued of documents) {
    yield Buffer.from(csvLine(fieldsOf(issued, await issued.document.taxForm())));
    report();
  }
}

function fieldsOf({ document, correctedBy }: IssuedDocument, content: KeptTaxForm): string[] {
  const { accountId, statementId, correctsStatementId } = document.view;
  const { taxYear, issuedOn, payer, recipient, accountNumber, currency, irsReportable, boxes } = content;
  return [
    accountId,
    statementId,
    String(taxYear),
    issuedOn,
    content.correctionKind ?? '',
    correctsStatementId ?? '',
    correctedBy ?? '',
    payer.name,
    payer.taxId,
    payer.addressLines.join(', '),
    payer.telephone ?? '',
    recipient.name,
    content.recipientTaxId ?? recipient.taxId ?? '',
    recipient.addressLines.join(', '),
    accountNumber,
    currency,
    String(irsReportable),
    ...BOXES.map(box => boxes[box] ?? ''),
  ];
}
