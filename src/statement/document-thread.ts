import { checkPdf } from '../../lib/pdf-check/pdf-check.js';
import type { PdfProblem } from '../../lib/pdf-check/problem.js';
import { renderStatement } from './pdf/statement.pdf.js';
import { renderTaxForm } from './pdf/tax-form.pdf.js';
import type { Logo, StatementContent, TaxFormContent } from './statement.content.js';

/* The tasks of the threads of `DocumentThreads`. */

/** What a document says, and the logo at its head. A form of the IRS has none. */
export interface Rendering {
  readonly content: StatementContent | TaxFormContent;
  readonly logo: Logo | null;
}

export function render({ content, logo }: Rendering): Uint8Array {
  return 'boxes' in content ? renderTaxForm(content) : renderStatement(content, logo);
}

export function check(pdf: Uint8Array): PdfProblem | null {
  return checkPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
}
