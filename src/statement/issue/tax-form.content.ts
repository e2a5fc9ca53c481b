import { mask } from '../../shared/mask.js';
import { decimalOf, minorOf } from '../../shared/money.js';
import type { TaxFormContent } from '../statement.content.js';
import type { Addressee, IssueAccount } from './issue-accounts.js';
import type { Payer } from './issuers.js';
import type { TaxYear } from './tax-form.ledger.js';

/** From here on the payer has to file the form with the IRS, in units of the currency (26 USC 6049(a)). */
const REPORTABLE_FROM = '10.00';

export interface TaxForm {
  readonly statementId: string;
  readonly taxYear: number;
  readonly payer: Payer;
  readonly account: IssueAccount;
  readonly recipient: Addressee;
  readonly issuedOn: string;
  readonly ledger: TaxYear;
}

/** What a Form 1099-INT says. A box of nothing is empty, but for the interest itself. */
export function taxFormContent(form: TaxForm): TaxFormContent {
  const { statementId, taxYear, payer, account, recipient, issuedOn, ledger } = form;
  const { currency } = account;
  return {
    statementId,
    taxYear,
    correctedStatementId: ledger.last?.statementId ?? null,
    issuedOn,
    payer,
    recipient: {
      name: recipient.name,
      taxId: recipient.maskedTaxId === null ? null : truncated(recipient.maskedTaxId),
      addressLines: recipient.addressLines,
    },
    accountNumber: mask(account.accountId),
    currency,
    boxes: boxesOf(ledger, currency),
    irsReportable: ledger.interestMinor >= (minorOf(REPORTABLE_FROM, currency) ?? 0n),
  };
}

/** The boxes that the ledger fills. */
export function boxesOf(
  { interestMinor, penaltyMinor, withheldMinor }: TaxYear,
  currency: string,
): TaxFormContent['boxes'] {
  return {
    1: decimalOf(interestMinor, currency),
    ...(penaltyMinor !== 0n && { 2: decimalOf(penaltyMinor, currency) }),
    ...(withheldMinor !== 0n && { 4: decimalOf(withheldMinor, currency) }),
  };
}

/** A truncated taxpayer identification number as the form has it: `XXX-XX-6789` for nine digits (26 CFR 301.6109-4). */
function truncated(masked: string): string {
  return masked.length === 9 ? `XXX-XX-${masked.slice(-4)}` : masked.replaceAll('*', 'X');
}
