import { InvalidInput } from '../../shared/errors.js';

export class ForeignMask extends InvalidInput {
  constructor(field: 'taxId' | 'governmentId' = 'taxId') {
    super('rule_broken', [
      {
        pointer: `/${field}`,
        code: 'masked',
        detail: `${field} is masked and differs from the masked number on record. Send the whole number, or leave ${field} out.`,
      },
    ]);
  }
}

/**
 * A number that is shown masked, after a patch. A client that sends the record back as it was shown sends the mask, and
 * means no change. Throws `ForeignMask` for another mask.
 */
export function numberAfter(
  field: 'taxId' | 'governmentId',
  sent: string | null | undefined,
  onFile: { readonly shown: string | null; readonly whole: string | null },
): string | null {
  if (sent === undefined) return onFile.whole;
  if (sent === null || !sent.includes('*')) return sent;
  if (sent !== onFile.shown) throw new ForeignMask(field);
  return onFile.whole;
}
