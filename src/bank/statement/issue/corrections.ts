import { canonicalJson } from '../../../shared/json.js';
import type { KeptTaxForm } from '../statement.content.js';
import type { CorrectionKind } from '../statement.entity.js';

/**
 * Returns what a form that was issued got wrong, judged by the one that would be issued now; null if it needs no
 * correction. A form may have several errors. It has the kind of the one that takes most to correct, and the correction
 * states everything as it is now (General Instructions for Certain Information Returns, part H and 'Error Charts for
 * Filing Corrected Returns on Paper Forms'; docs/adr/0028 has the reasons).
 *
 * The payer's address and telephone are left alone. They say how to reach the payer, and a bank that moves or gets a
 * new number has not made its earlier forms wrong.
 */
export function correctionOf(issued: KeptTaxForm, now: KeptTaxForm): CorrectionKind | null {
  if (isOtherRecipient(issued, now)) return 'RECIPIENT';
  if (issued.currency !== now.currency || amountsOf(issued) !== amountsOf(now)) return 'AMOUNT';
  if (issued.irsReportable !== now.irsReportable) return 'FILING';
  const [payer, payerNow] = [issued.payer, now.payer];
  if (payer.taxId !== payerNow.taxId || plain(payer.name) !== plain(payerNow.name)) return 'PAYER';
  return plain(...issued.recipient.addressLines) === plain(...now.recipient.addressLines) ? null : 'ADDRESS';
}

/** The state and the payer's number there are no amounts: a payer that moves has not made its earlier forms wrong. */
function amountsOf({
  boxes: { 15: _state, 16: _stateTaxId, ...amounts },
  reportedAsZero = false,
}: KeptTaxForm): string {
  return canonicalJson({ amounts, reportedAsZero });
}

function isOtherRecipient(issued: KeptTaxForm, now: KeptTaxForm): boolean {
  if (plain(issued.recipient.name) !== plain(now.recipient.name)) return true;
  return issued.recipientTaxId !== now.recipientTaxId;
}

/** Capitals, spaces and breaks between lines are no error: the IRS and the mail do not tell them apart. */
function plain(...lines: readonly string[]): string {
  return lines.join(' ').normalize('NFC').replaceAll(/\s+/g, ' ').trim().toUpperCase();
}
