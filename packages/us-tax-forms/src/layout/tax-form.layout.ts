import type { CorrectionKind, TaxFormBox, TaxFormContent, TaxFormTextBox } from 'tillgate/noun';
import {
  amount,
  BODY,
  fitAll,
  grouped,
  LABEL,
  lines,
  pageNumbers,
  shownNumber,
  SMALL,
} from '../../../../lib/typeset/flow.js';
import { INK, PAGE, Paper, type Style } from '../../../../lib/typeset/paper.js';
import { showable, clip, widthOf, wrap } from '../../../../lib/typeset/text.js';
import { instructions } from './tax-form.instructions.js';

// The edges of the form from left to right: the parties and their tax ids, two columns of boxes, and the copy's own
// column.
const [LEFT, TAX_IDS, FIRST, SECOND, THIRD, RIGHT] = [PAGE.left, 163, 272, 364, 456, PAGE.right] as const;
const TOP = 92;
const ROW = 32;
const ROWS = TOP + 56;
const BOTTOM = ROWS + 7 * ROW + 34;

const TITLE: Style = { ...BODY, weight: 'semibold', size: 12 };
const CAPTION: Style = { weight: 'regular', size: 6.2, color: INK };
const NUMBER: Style = { ...CAPTION, weight: 'semibold' };
const VALUE: Style = { weight: 'regular', size: 9, color: INK };
const LONG_VALUE: Style = { ...VALUE, size: 8 };
const LONGEST_VALUE: Style = { ...VALUE, size: 6.8 };
/**
 * The setting of an entry of one, two or three lines: the place of its first line, and the distance to the next one.
 */
const ENTRY_LINES = [
  [VALUE, 22, 0],
  [LONG_VALUE, 17, 9],
  [LONGEST_VALUE, 15.6, 7],
] as const;
const FORM_NUMBER: Style = { weight: 'semibold', size: 15, color: INK };
const COPY: Style = { weight: 'semibold', size: 11, color: INK };

type Box = BoxPlace &
  (
    | { readonly number: TaxFormTextBox; readonly isText: true }
    | { readonly number: Exclude<TaxFormBox, TaxFormTextBox>; readonly isText?: never }
  );

interface BoxPlace {
  readonly caption: string;
  readonly from: number;
  readonly to: number;
  /** The number of the row under the form's head, from 0. */
  readonly row: number;
}

const BOXES: readonly Box[] = [
  { number: 2, caption: 'Early withdrawal penalty', from: FIRST, to: THIRD, row: 0 },
  { number: 3, caption: 'Interest on U.S. Savings Bonds and Treasury obligations', from: FIRST, to: THIRD, row: 1 },
  { number: 4, caption: 'Federal income tax withheld', from: FIRST, to: SECOND, row: 2 },
  { number: 5, caption: 'Investment expenses', from: SECOND, to: THIRD, row: 2 },
  { number: 6, caption: 'Foreign tax paid', from: FIRST, to: SECOND, row: 3 },
  { number: 7, isText: true, caption: 'Foreign country or U.S. territory', from: SECOND, to: THIRD, row: 3 },
  { number: 8, caption: 'Tax-exempt interest', from: FIRST, to: SECOND, row: 4 },
  { number: 9, caption: 'Specified private activity bond interest', from: SECOND, to: THIRD, row: 4 },
  { number: 10, caption: 'Market discount', from: FIRST, to: SECOND, row: 5 },
  { number: 11, caption: 'Bond premium', from: SECOND, to: THIRD, row: 5 },
  { number: 12, caption: 'Bond premium on Treasury obligations', from: FIRST, to: SECOND, row: 6 },
  { number: 13, caption: 'Bond premium on tax-exempt bond', from: SECOND, to: THIRD, row: 6 },
  { number: 14, isText: true, caption: 'Tax-exempt and tax credit bond CUSIP no.', from: FIRST, to: SECOND, row: 7 },
  { number: 15, isText: true, caption: 'State', from: SECOND, to: SECOND + 30, row: 7 },
  { number: 16, isText: true, caption: 'State identification no.', from: SECOND + 30, to: THIRD, row: 7 },
  { number: 17, caption: 'State tax withheld', from: THIRD, to: RIGHT, row: 7 },
];

/**
 * A Form 1099-INT, Copy B, on paper: the form, and its instructions on the next page. The same content always gives the
 * same bytes.
 */
export function layout(content: TaxFormContent): Paper {
  const { taxYear, payer, correctedStatementId, issuedOn, statementId } = content;
  const kind = correctedStatementId === null ? 'Form 1099-INT' : 'Corrected Form 1099-INT';
  const paper = new Paper({
    title: `${kind} for ${taxYear} from ${showable(payer.name)}`,
    author: showable(payer.name),
    documentId: statementId,
    issuedOn,
    program: 'Tillgate',
  });
  const bottom = boxes(paper, content);
  notes(paper, notesOf(content), bottom + 26);
  paper.addPage();
  paper.tag('H2', () => paper.line('Instructions for Recipient', PAGE.left, 62, TITLE));
  paper.tag('P', () => paper.line('Form 1099-INT (Rev. January 2024)', PAGE.right, 62, SMALL, 'right'));
  paper.rule(PAGE.left, PAGE.right, 70);
  instructions(paper, 86);
  pageNumbers(paper, statementId);
  return paper;
}

/** The words of a correction about the form before it. */
const WAS_WRONG: Readonly<Record<CorrectionKind, string>> = {
  AMOUNT: 'An amount was not correct.',
  RECIPIENT: 'The name or the taxpayer identification number of the recipient was not correct.',
  ADDRESS: 'The address of the recipient was not correct.',
  PAYER: 'The name or the taxpayer identification number of the payer was not correct.',
  FILING: 'It did not say correctly whether the payer files it with the IRS.',
};

function notesOf(content: TaxFormContent): string[] {
  const { correctedStatementId, correctionKind, irsReportable, reportedAsZero = false, currency } = content;
  const found: string[] = [];
  if (correctedStatementId !== null) {
    const wasWrong = WAS_WRONG[correctionKind ?? 'AMOUNT'];
    found.push(
      `This form is corrected. It replaces document ${correctedStatementId}; please use this one instead. ${wasWrong}`,
    );
  }
  if (!irsReportable && currency === 'USD') {
    found.push(
      'The interest that the payer paid you in all accounts is below the filing threshold of 10.00 dollars, so the payer does not have to file this form with the IRS. ' +
        'It is for your records; interest is taxable income whether or not it is reported on a form.',
    );
  }
  if (reportedAsZero) {
    found.push(
      'The payer takes back the form that it filed with the IRS: it files a correction with amounts of zero, since nothing had to be filed. ' +
        'The amounts on this copy are for your records; interest is taxable income whether or not it is reported on a form.',
    );
  }
  if (currency !== 'USD') {
    found.push(
      `The amounts on this form are in ${currency}, the currency of the account. The IRS takes amounts in US dollars only, so the payer does not file this form as it is.`,
    );
  }
  return found;
}

function notes(paper: Paper, texts: readonly string[], top: number): void {
  if (texts.length === 0) return;
  paper.tag('H2', () => paper.line(texts.length === 1 ? 'Note' : 'Notes', PAGE.left, top, LABEL));
  let y = top + 14;
  for (const text of texts) {
    const shown = wrap(text, BODY.weight, BODY.size, PAGE.right - PAGE.left, 8);
    paper.tag('P', () => lines(paper, shown, PAGE.left, y, BODY, 12));
    y += shown.length * 12 + 4;
  }
}

/** The form, laid out like the one of the IRS (Form 1099-INT, Rev. January 2024, Copy B). Gives its lower edge. */
function boxes(paper: Paper, content: TaxFormContent): number {
  const isCorrected = content.correctedStatementId !== null;
  head(paper, content);
  checkBox(paper, 262, TOP - 18, isCorrected, 'CORRECTED');
  paper.aside(() => paper.line('CORRECTED (if checked)', 276, TOP - 10, { ...CAPTION, size: 8 }));
  paper.frame(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, INK, 1);
  paper.pole(FIRST, TOP, BOTTOM, INK);
  paper.pole(THIRD, TOP, BOTTOM, INK, 1);
  parties(paper, content);
  entry(paper, "Payer's RTN (optional)", [''], FIRST, SECOND, TOP);
  cell(paper, { number: 1, caption: 'Interest income', from: FIRST, to: SECOND, row: -1 }, content);
  for (const box of BOXES) cell(paper, box, content);
  copy(paper);
  const y = BOTTOM + 10;
  paper.tag('P', () => {
    paper.line('Form 1099-INT', LEFT, y, { ...NUMBER, size: 8 });
    paper.line('(Rev. 1-2024)', LEFT + 54, y, CAPTION);
    paper.line('(keep for your records)', 196, y, CAPTION);
    paper.line('www.irs.gov/Form1099INT', 290, y, CAPTION);
    paper.line('Department of the Treasury - Internal Revenue Service', RIGHT, y, CAPTION, 'right');
  });
  return y;
}

/** A box to check, and how it is read aloud. */
function checkBox(paper: Paper, x: number, y: number, isChecked: boolean, of: string): void {
  paper.frame(x, y, 9, 9, INK, 0.75);
  const write = (): void => paper.line(isChecked ? 'X' : ' ', x + 1.9, y + 7.9, { ...NUMBER, size: 9.5 });
  paper.tag('P', write, { actualText: `${of}: ${isChecked ? 'checked' : 'not checked'}` });
}

function parties(paper: Paper, { payer, recipient, accountNumber }: TaxFormContent): void {
  const width = FIRST - LEFT - 8;
  const payerCaption =
    "PAYER'S name, street address, city or town, state or province, country, ZIP or foreign postal code, and telephone no.";
  const reach = [...payer.addressLines.slice(0, 6), ...(payer.telephone ? [payer.telephone] : [])];
  paper.tag('P', () => {
    caption(paper, payerCaption, LEFT, FIRST, TOP);
    lines(paper, fitAll([payer.name, ...reach], LONG_VALUE, width, 8), LEFT + 4, TOP + 25, LONG_VALUE, 8.4);
  });

  const taxIds = ROWS + ROW;
  paper.rule(LEFT, FIRST, taxIds, INK);
  paper.pole(TAX_IDS, taxIds, taxIds + ROW, INK);
  entry(paper, "PAYER'S TIN", [payer.taxId], LEFT, TAX_IDS, taxIds);
  entry(paper, "RECIPIENT'S TIN", [recipient.taxId ?? ''], TAX_IDS, FIRST, taxIds);

  const street = recipient.addressLines.slice(0, Math.max(1, recipient.addressLines.length - 1));
  const city = recipient.addressLines.slice(1).slice(-1);
  const cityCaption = 'City or town, state or province, country, and ZIP or foreign postal code';
  entry(paper, "RECIPIENT'S name", fitAll([recipient.name], LONG_VALUE, width, 2), LEFT, FIRST, ROWS + 2 * ROW);
  entry(paper, 'Street address (including apt. no.)', streetOf(street, width), LEFT, FIRST, ROWS + 3 * ROW);
  entry(paper, cityCaption, fitAll(city, LONG_VALUE, width, 2), LEFT, FIRST, ROWS + 4 * ROW);

  const fatca = ROWS + 5 * ROW;
  paper.rule(LEFT, FIRST, fatca, INK);
  paper.pole(FIRST - 62, fatca, fatca + 2 * ROW, INK);
  paper.aside(() => caption(paper, 'FATCA filing requirement', FIRST - 62, FIRST, fatca));
  checkBox(paper, FIRST - 36, fatca + 32, false, 'FATCA filing requirement');
  entry(paper, 'Account number (see instructions)', [shownNumber(accountNumber).shown], LEFT, FIRST, ROWS + 7 * ROW);
}

/** Two lines if it fits, otherwise up to three smaller ones. */
function streetOf(parts: readonly string[], width: number): string[] {
  const together = wrap(parts.join(', '), LONG_VALUE.weight, LONG_VALUE.size, width, 3);
  return together.length <= 2 ? together : fitAll(parts, LONGEST_VALUE, width, 3);
}

function head(paper: Paper, { taxYear }: TaxFormContent): void {
  paper.pole(SECOND, TOP, ROWS, INK);
  paper.tag('H1', () => {
    paper.line('Form', SECOND + 4, TOP + 25, CAPTION);
    paper.line('1099-INT', SECOND + 20, TOP + 25, FORM_NUMBER);
    paper.line('Interest', RIGHT - 8, TOP + 26, FORM_NUMBER, 'right');
    paper.line('Income', RIGHT - 8, TOP + 44, FORM_NUMBER, 'right');
  });
  paper.tag('P', () => {
    paper.line('OMB No. 1545-0112', SECOND + 4, TOP + 9, CAPTION);
    paper.line('(Rev. January 2024)', SECOND + 4, TOP + 35, CAPTION);
    paper.line('For calendar year', SECOND + 4, TOP + 49, CAPTION);
    paper.line(String(taxYear), SECOND + 56, TOP + 50, { ...FORM_NUMBER, size: 12 });
  });
}

function copy(paper: Paper): void {
  paper.rule(THIRD, RIGHT, ROWS, INK, 1);
  paper.tag('P', () => {
    paper.line('Copy B', RIGHT - 8, ROWS + 16, COPY, 'right');
    paper.line('For Recipient', RIGHT - 8, ROWS + 30, { ...COPY, size: 9.5 }, 'right');
  });
  const statement =
    'This is important tax information and is being furnished to the IRS. If you are required to file a return, a negligence ' +
    'penalty or other sanction may be imposed on you if this income is taxable and the IRS determines that it has not been reported.';
  const style = { ...CAPTION, size: 7.6 };
  const found = wrap(statement, style.weight, style.size, RIGHT - THIRD - 16, 20);
  paper.tag('P', () =>
    found.forEach((line, index) => paper.line(line, RIGHT - 8, ROWS + 62 + index * 9.6, style, 'right')),
  );
}

function cell(paper: Paper, box: Box, { boxes: values, currency }: TaxFormContent): void {
  const top = box.row < 0 ? ROWS - ROW : ROWS + box.row * ROW;
  const bottom = box.row === 7 ? BOTTOM : top + ROW;
  const value = values[box.number] ?? '';
  paper.rule(box.from, box.to, top, INK);
  if (box.to < RIGHT) paper.pole(box.to, top, bottom, INK);
  const [x, y, width] = [box.from + 4, bottom - 6, box.to - box.from];
  paper.tag('P', () => {
    caption(paper, box.caption, box.from, box.to, top, String(box.number));
    if (box.isText) {
      paper.line(clip(value, LONG_VALUE.weight, LONG_VALUE.size, width - 8), x, y, LONG_VALUE);
      return;
    }
    const [sign, style, signWidth] =
      currency === 'USD' ? (['$', VALUE, 18] as const) : ([currency, CAPTION, 26] as const);
    paper.line(sign, x, y, style);
    amount(paper, grouped(value), box.to - 5, y, VALUE, width - signWidth);
  });
}

function entry(paper: Paper, label: string, values: readonly string[], from: number, to: number, top: number): void {
  if (from === LEFT && top > TOP) paper.rule(from, to, top, INK);
  const [style, first, leading] = ENTRY_LINES[values.length - 1] ?? ENTRY_LINES[0];
  const shown = values.map(value => clip(value, style.weight, style.size, to - from - 8));
  paper.tag('P', () => {
    caption(paper, label, from, to, top);
    lines(paper, shown, from + 4, top + first, style, leading);
  });
}

function caption(paper: Paper, text: string, from: number, to: number, top: number, number = ''): void {
  const x = from + 4 + (number === '' ? 0 : widthOf(number, NUMBER.weight, NUMBER.size) + 3);
  paper.line(number, from + 4, top + 8, NUMBER);
  lines(paper, wrap(text, CAPTION.weight, CAPTION.size, to - x - 3, 3), x, top + 8, CAPTION, 6.8);
}
