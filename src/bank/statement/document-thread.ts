import { checkPdf } from '../../../lib/pdf-check/pdf-check.js';
import type { PdfProblem } from '../../../lib/pdf-check/problem.js';
import type { Paper } from '../../../lib/typeset/paper.js';
import type { Logo, ReportContent, StatementContent, TaxFormContent } from './statement.content.js';

/* The tasks of the threads of `DocumentThreads`. */

/**
 * The address of the module that lays a document out, what it says, and the logo at its head, if its layout has one.
 */
export interface RenderRequest {
  readonly layout: string;
  readonly content: StatementContent | ReportContent | TaxFormContent;
  readonly logo: Logo | null;
}

/** A PDF, and whether it shows all letters as they are written. */
export interface RenderedDocument {
  readonly pdf: Uint8Array;
  readonly isFlawed: boolean;
}

type Layout = (content: RenderRequest['content'], logo: Logo | null) => Paper;

export async function render({ layout: address, content, logo }: RenderRequest): Promise<RenderedDocument> {
  const { layout } = (await import(address)) as { readonly layout: Layout };
  const paper = layout(content, logo);
  return { pdf: paper.finish(), isFlawed: paper.isFlawed };
}

export function check(pdf: Uint8Array): PdfProblem | null {
  return checkPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
}
