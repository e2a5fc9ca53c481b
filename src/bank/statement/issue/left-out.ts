import type { TaxFormContent } from '../statement.content.js';

/** Why an account got no document: the code of a fact, nothing personal, and what it means to an operator. */
export const LEFT_OUT_REASONS = {
  no_tax_id:
    'The recipient has no tax id of the United States on record. Ask for it with Form W-9, and withhold 24 percent of the interest until it is given (26 USC 3406). The form is due without it as well: issue it with --incomplete issue, and file it on paper.',
  no_address: 'The recipient has no postal address.',
  not_usd: 'The account is not in US dollars, as a Form 1099-INT is.',
  recipient_unknown: 'The account had no owner at the end of the year.',
  program_incomplete: 'The program lacks what the document says of its issuer.',
  unreadable: 'An owner or an earlier document cannot be decrypted.',
  too_many_entries: 'The account has too many entries in the month.',
  unprintable: 'The form has letters that no installed font has.',
  foreign_payee: 'The recipient is no person of the United States: Form 1042-S applies.',
  taken_back: 'More was taken back in the year than was paid.',
  failed: 'The log has the error.',
} as const;

export type LeftOutCode = keyof typeof LEFT_OUT_REASONS;

/** An account that got no document, and all reasons. */
export interface AccountLeftOut {
  readonly accountId: string;
  readonly program: string;
  readonly reasons: readonly LeftOutCode[];
}

/**
 * Lists what a Form 1099-INT lacks. A payee statement without the TIN, or without the significant items of the address,
 * is incorrect and may cost a penalty (26 CFR 301.6722-1), and the IRS takes amounts in US dollars alone.
 */
export function lacksOf(
  { recipient, currency }: Pick<TaxFormContent, 'recipient' | 'currency'>,
  { taxId, taxIdCountry }: { readonly taxId: string | null; readonly taxIdCountry: string | null },
): LeftOutCode[] {
  const found: LeftOutCode[] = [];
  if (taxId === null || (taxIdCountry ?? 'US') !== 'US') found.push('no_tax_id');
  if (recipient.addressLines.length === 0) found.push('no_address');
  if (currency !== 'USD') found.push('not_usd');
  return found;
}

/** All reasons of an account in words. */
export function reasonsOf({ reasons }: Pick<AccountLeftOut, 'reasons'>): string {
  return reasons.map(reason => LEFT_OUT_REASONS[reason]).join(' ');
}
