import { checkPdf } from '../../lib/pdf-check/pdf-check.js';
import type { PdfProblem } from '../../lib/pdf-check/problem.js';
import { renderStatement } from './pdf/statement.pdf.js';
import { renderTaxForm } from './pdf/tax-form.pdf.js';
import type { StatementContent, TaxFormContent } from './statement.content.js';

/* The tasks of the threads of `DocumentThreads`. */

export function render(content: StatementContent | TaxFormContent): Uint8Array {
  return 'boxes' in content ? renderTaxForm(content) : renderStatement(content);
}

export function check(pdf: Uint8Array): PdfProblem | null {
  return checkPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
}
