import { type TaxFormContent } from '../statement.content.js';
import { BODY, LABEL, lines, pageNumbers, SMALL } from '../../../lib/typeset/flow.js';
import { PAGE, Paper, type Style } from '../../../lib/typeset/paper.js';
import { showable, wrap } from '../../../lib/typeset/text.js';
import { boxes } from './tax-form.boxes.js';
import { instructions } from './tax-form.instructions.js';

const TITLE: Style = { ...BODY, weight: 'semibold', size: 12 };

/** A Form 1099-INT, Copy B, as PDF: the form, and on the next page its instructions. The same content always gives the same bytes. */
export function renderTaxForm(content: TaxFormContent): Buffer {
  const { taxYear, payer, correctedStatementId, issuedOn, statementId } = content;
  const kind = correctedStatementId === null ? 'Form 1099-INT' : 'Corrected Form 1099-INT';
  const paper = new Paper({
    title: `${kind} for ${taxYear} from ${showable(payer.name)}`,
    ...{ author: showable(payer.name), documentId: statementId, issuedOn, program: 'Tillgate' },
  });
  const bottom = boxes(paper, content);
  notes(paper, notesOf(content), bottom + 26);
  paper.addPage();
  paper.begin('H1');
  paper.line('Instructions for Recipient', PAGE.left, 62, TITLE);
  paper.begin('P');
  paper.line('Form 1099-INT (Rev. January 2024)', PAGE.right, 62, SMALL, 'right');
  paper.rule(PAGE.left, PAGE.right, 70);
  instructions(paper, 86);
  pageNumbers(paper, statementId);
  return paper.finish();
}

function notesOf({ correctedStatementId, irsReportable, currency }: TaxFormContent): string[] {
  const found: string[] = [];
  if (correctedStatementId !== null) {
    found.push(`This form is corrected. It replaces document ${correctedStatementId}; please use this one instead.`);
  }
  if (!irsReportable) {
    found.push(
      'The interest in box 1 is below the filing threshold of 10.00, so the payer does not have to file this form with the IRS. ' +
        'It is for your records; interest is taxable income whether or not it is reported on a form.',
    );
  }
  if (currency !== 'USD') found.push(`The amounts on this form are in ${currency}, the currency of the account.`);
  return found;
}

function notes(paper: Paper, texts: readonly string[], top: number): void {
  if (texts.length === 0) return;
  paper.begin('P');
  paper.line(texts.length === 1 ? 'Note' : 'Notes', PAGE.left, top, LABEL);
  let y = top + 14;
  for (const text of texts) {
    y = lines(paper, wrap(text, BODY.weight, BODY.size, PAGE.right - PAGE.left, 8), PAGE.left, y, BODY, 12) + 4;
  }
}
