import { renderStatement } from './pdf/statement.pdf.js';
import { renderTaxForm } from './pdf/tax-form.pdf.js';
import type { StatementContent, TaxFormContent } from './statement.content.js';

/** What a thread of `RenderPool` does: draws one document. */
export function render(content: StatementContent | TaxFormContent): Promise<Uint8Array> | Uint8Array {
  return 'boxes' in content ? renderTaxForm(content) : renderStatement(content);
}
