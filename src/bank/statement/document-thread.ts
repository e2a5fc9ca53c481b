import { checkPdf } from '../../../lib/pdf-check/pdf-check.js';
import type { PdfProblem } from '../../../lib/pdf-check/problem.js';
import { statementOn } from './pdf/statement.pdf.js';
import { taxFormOn } from './pdf/tax-form.pdf.js';
import type { Logo, StatementContent, TaxFormContent } from './statement.content.js';

/* The tasks of the threads of `DocumentThreads`. */

/** What a document says, and the logo at its head. A form of the IRS has none. */
export interface RenderRequest {
  readonly content: StatementContent | TaxFormContent;
  readonly logo: Logo | null;
}

/** A PDF, and whether it shows all letters as they are written. */
export interface RenderedDocument {
  readonly pdf: Uint8Array;
  readonly isFlawed: boolean;
}

export function render({ content, logo }: RenderRequest): RenderedDocument {
  const paper = 'boxes' in content ? taxFormOn(content) : statementOn(content, logo);
  return { pdf: paper.finish(), isFlawed: paper.isFlawed };
}

export function check(pdf: Uint8Array): PdfProblem | null {
  return checkPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
}
