import { PAGE, INK, type Paper, type Style } from '../../../../lib/typeset/paper.js';
import { widthOf, wrap } from '../../../../lib/typeset/text.js';

const TEXT: Style = { weight: 'regular', size: 7.3, color: INK };
const TERM: Style = { ...TEXT, weight: 'semibold' };
const LEADING = 8.9;
const GAP = 3.6;
const GUTTER = 24;
const WIDTH = (PAGE.right - PAGE.left - GUTTER) / 2;

// The words of the IRS: Instructions for Recipient, on the back of Copy B (Form 1099-INT, Rev. January 2024).
const IN_WRITING = 'in writing in accordance with Regulations section 1.6045-1(n)(5)';
const TAXABLE_ABOVE = 'See the instructions above for a taxable covered security acquired at a premium.';
const EXEMPT_ABOVE = 'See the instructions above for a tax-exempt covered security acquired at a premium.';

// One paragraph on each line: its term, `|`, and its text.
const PARAGRAPHS = `
|The information provided may be different for covered and noncovered securities. For a description of covered securities, see the Instructions for Form 8949. For a taxable covered security acquired at a premium, unless you notified the payer ${IN_WRITING} that you did not want to amortize the premium under section 171, or for a tax-exempt covered security acquired at a premium, your payer generally must report either (1) a net amount of interest that reflects the offset of the amount of interest paid to you by the amount of premium amortization allocable to the payment(s), or (2) a gross amount for both the interest paid to you and the premium amortization allocable to the payment(s). If you did notify your payer that you did not want to amortize the premium on a taxable covered security, then your payer will only report the gross amount of interest paid to you. For a noncovered security acquired at a premium, your payer is only required to report the gross amount of interest paid to you.
Recipient’s taxpayer identification number (TIN).|For your protection, this form may show only the last four digits of your TIN (social security number (SSN), individual taxpayer identification number (ITIN), adoption taxpayer identification number (ATIN), or employer identification number (EIN)). However, the issuer has reported your complete TIN to the IRS.
FATCA filing requirement.|If the FATCA filing requirement box is checked, the payer is reporting on this Form 1099 to satisfy its chapter 4 account reporting requirement. You may also have a filing requirement. See the Instructions for Form 8938.
Account number.|May show an account or other unique number the payer assigned to distinguish your account.
Box 1.|Shows taxable interest paid to you during the calendar year by the payer. This does not include interest shown in box 3. May also show the total amount of the credits from clean renewable energy bonds, new clean renewable energy bonds, qualified energy conservation bonds, qualified zone academy bonds, qualified school construction bonds, and build America bonds that must be included in your interest income. These amounts were treated as paid to you during the calendar year on the credit allowance dates (March 15, June 15, September 15, and December 15). For more information, see Form 8912. ${TAXABLE_ABOVE}
Box 2.|Shows interest or principal forfeited because of early withdrawal of time savings. You may deduct this amount to figure your adjusted gross income on your income tax return. See the Instructions for Form 1040 to see where to take the deduction.
Box 3.|Shows interest on U.S. Savings Bonds, Treasury bills, Treasury bonds, and Treasury notes. This may or may not all be taxable. See Pub. 550. This interest is exempt from state and local income taxes. This interest is not included in box 1. ${TAXABLE_ABOVE}
Box 4.|Shows backup withholding. Generally, a payer must backup withhold if you did not furnish your TIN or you did not furnish the correct TIN to the payer. See Form W-9. Include this amount on your income tax return as tax withheld.
Box 5.|Any amount shown is your share of investment expenses of a single-class REMIC. This amount is included in box 1. Note: This amount is not deductible.
Box 6.|Shows foreign tax paid. You may be able to claim this tax as a deduction or a credit on your Form 1040 or 1040-SR. See your tax return instructions.
Box 7.|Shows the country or U.S. territory to which the foreign tax was paid.
Box 8.|Shows tax-exempt interest paid to you during the calendar year by the payer. See how to report this amount in the Instructions for Form 1040. This amount may be subject to backup withholding. See Box 4 above. ${EXEMPT_ABOVE}
Box 9.|Shows tax-exempt interest subject to the alternative minimum tax. This amount is included in box 8. See the Instructions for Form 6251. ${EXEMPT_ABOVE}
Box 10.|For a taxable or tax-exempt covered security, if you made an election under section 1278(b) to include market discount in income as it accrues and you notified your payer of the election ${IN_WRITING}, shows the market discount that accrued on the debt instrument during the year while held by you, unless it was reported on Form 1099-OID. For a taxable or tax-exempt covered security acquired on or after January 1, 2015, accrued market discount will be calculated on a constant yield basis unless you notified your payer ${IN_WRITING} that you did not want to make a constant yield election for market discount under section 1276(b). Report the accrued market discount on your income tax return as directed in the Instructions for Form 1040. Market discount on a tax-exempt security is includible in taxable income as interest income.
Box 11.|For a taxable covered security (other than a U.S. Treasury obligation), shows the amount of premium amortization allocable to the interest payment(s), unless you notified the payer ${IN_WRITING} that you did not want to amortize bond premium under section 171. If an amount is reported in this box, see the Instructions for Schedule B (Form 1040) to determine the net amount of interest includible in income on Form 1040 or 1040-SR with respect to the security. If an amount is not reported in this box for a taxable covered security acquired at a premium and the payer is reporting premium amortization, the payer has reported a net amount of interest in box 1. If the amount in box 11 is greater than the amount of interest paid on the covered security, see Regulations section 1.171-2(a)(4).
Box 12.|For a U.S. Treasury obligation that is a covered security, shows the amount of premium amortization allocable to the interest payment(s), unless you notified the payer ${IN_WRITING} that you did not want to amortize bond premium under section 171. If an amount is reported in this box, see the Instructions for Schedule B (Form 1040) to determine the net amount of interest includible in income on Form 1040 or 1040-SR with respect to the U.S. Treasury obligation. If an amount is not reported in this box for a U.S. Treasury obligation that is a covered security acquired at a premium and the payer is reporting premium amortization, the payer has reported a net amount of interest in box 3. If the amount in box 12 is greater than the amount of interest paid on the U.S. Treasury obligation, see Regulations section 1.171-2(a)(4).
Box 13.|For a tax-exempt covered security, shows the amount of premium amortization allocable to the interest payment(s). If an amount is reported in this box, see Pub. 550 to determine the net amount of tax-exempt interest reportable on Form 1040 or 1040-SR. If an amount is not reported in this box for a tax-exempt covered security acquired at a premium, the payer has reported a net amount of interest in box 8 or 9, whichever is applicable. If the amount in box 13 is greater than the amount of interest paid on the tax-exempt covered security, the excess is a nondeductible loss. See Regulations section 1.171-2(a)(4)(ii).
Box 14.|Shows CUSIP number(s) for tax-exempt bond(s) on which tax-exempt interest was paid, or tax credit bond(s) on which taxable interest was paid or tax credit was allowed, to you during the calendar year. If blank, no CUSIP number was issued for the bond(s).
Boxes 15-17.|State tax withheld reporting boxes.
Nominees.|If this form includes amounts belonging to another person(s), you are considered a nominee recipient. Complete a Form 1099-INT for each of the other owners showing the income allocable to each. File Copy A of the form with the IRS. Furnish Copy B to each owner. List yourself as the “payer” and the other owner(s) as the “recipient.” File Form(s) 1099-INT with Form 1096 with the Internal Revenue Service Center for your area. On Form 1096, list yourself as the “filer.” A spouse is not required to file a nominee return to show amounts owned by the other spouse.
Future developments.|For the latest information about developments related to Form 1099-INT and its instructions, such as legislation enacted after they were published, go to www.irs.gov/Form1099INT.
Free File Program.|Go to www.irs.gov/FreeFile to see if you qualify for no-cost online federal tax preparation, e-filing, and direct deposit or payment options.
`;

type Line = readonly [text: string, x: number, depth: number, style: Style];

// The words are always the same, so they are broken into lines once in each thread.
let paragraphs: readonly (readonly Line[])[] | undefined;

/** The Instructions for Recipient in two columns, the first baseline at y. */
export function instructions(paper: Paper, y: number): void {
  paragraphs ??= breakIntoLines(PAGE.bottom - y);
  for (const lines of paragraphs) {
    paper.tag('P', () => {
      for (const [text, x, depth, style] of lines) paper.line(text, x, y + depth, style);
    });
  }
}

function breakIntoLines(height: number): Line[][] {
  const broken = PARAGRAPHS.trim().split('\n').map(paragraphOf);
  const total = broken.reduce((sum, { texts }) => sum + texts.length * LEADING + GAP, 0);
  const columnHeight = Math.min(height, total / 2 + LEADING);
  let [x, depth] = [PAGE.left as number, 0];
  return broken.map(({ term, indent, texts }) => {
    const found: Line[] = [];
    for (const [index, text] of texts.entries()) {
      if (x === PAGE.left && depth > columnHeight) [x, depth] = [PAGE.left + WIDTH + GUTTER, 0];
      if (index === 0) found.push([term, x, depth, TERM], [text, x + indent, depth, TEXT]);
      else found.push([text, x, depth, TEXT]);
      depth += LEADING;
    }
    depth += GAP;
    return found;
  });
}

/** A paragraph as lines, of which the first one is indented by its term. */
function paragraphOf(line: string): { term: string; indent: number; texts: string[] } {
  const [term = '', text = ''] = line.split('|');
  const indent = term === '' ? 0 : widthOf(term, TERM.weight, TERM.size) + 3;
  const [first = ''] = wrap(text, TEXT.weight, TEXT.size, WIDTH - indent, Infinity);
  const others = wrap(text.slice(first.length), TEXT.weight, TEXT.size, WIDTH, Infinity);
  return { term, indent, texts: [first, ...others] };
}
