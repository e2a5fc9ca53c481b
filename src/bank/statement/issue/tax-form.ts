import { randomUUID } from 'node:crypto';
import { mask } from '../../../shared/mask.js';
import { decimalOf } from '../../../shared/money.js';
import type { KeptTaxForm, Payer, TaxFormContent } from '../statement.content.js';
import type { Addressee } from './accounts.js';
import type { LedgerYear, TaxAmounts } from './ledger.js';
import type { Period } from './period.js';

const NOTHING: TaxAmounts = { interestMinor: 0n, penaltyMinor: 0n, withheldMinor: 0n, stateWithheldMinor: 0n };
const AMOUNTS = Object.keys(NOTHING) as (keyof TaxAmounts)[];

/** The amounts of the boxes. No box is ever negative (General Instructions for Certain Information Returns). */
export function boxAmountsOf(year: TaxAmounts): TaxAmounts {
  return amounts(name => (year[name] > 0n ? year[name] : 0n));
}

/** True if more was taken back in the year than was paid, charged or withheld, which no box can say. */
export function isTakenBack(year: TaxAmounts): boolean {
  return AMOUNTS.some(name => year[name] < 0n);
}

/** True if the ledger has anything for a form. */
export function hasAmounts(year: TaxAmounts): boolean {
  return AMOUNTS.some(name => year[name] > 0n);
}

function amounts(of: (name: keyof TaxAmounts) => bigint): TaxAmounts {
  return {
    interestMinor: of('interestMinor'),
    penaltyMinor: of('penaltyMinor'),
    withheldMinor: of('withheldMinor'),
    stateWithheldMinor: of('stateWithheldMinor'),
  };
}

/** The facts that decide about a form beside its account's ledger. */
export interface TaxFormFacts {
  /** True if the payer files what it paid the payee: see `reportablePayees`. */
  readonly isReportablePayee: boolean;
  /** The last form of the account and the year; null if there is none. */
  readonly issued: KeptTaxForm | null;
}

/** Returns the content of a Form 1099-INT, and what is kept with it. It corrects nothing yet. */
export function taxFormContent(
  payer: Payer,
  recipient: Addressee,
  period: Period,
  year: LedgerYear,
  { isReportablePayee, issued }: TaxFormFacts,
): KeptTaxForm {
  const { accountId, currency, today } = year.account;
  const { name, maskedTaxId, taxId, addressLines, person, address } = recipient;
  // A form for somebody who turned out to be foreign should not have been filed, and is corrected to zero.
  const boxAmounts = isForeignAt(recipient, period.end) ? NOTHING : boxAmountsOf(year);
  const isDue = currency === 'USD' && isReportablePayee && boxAmounts !== NOTHING;
  // A form that was filed is taken back by a correction, which is filed as well.
  const wasFiled = issued?.irsReportable === true && issued.recipientTaxId === taxId && currency === 'USD';
  return {
    statementId: randomUUID(),
    taxYear: Number(period.start.slice(0, 4)),
    correctedStatementId: null,
    correctionKind: null,
    issuedOn: today,
    payer,
    recipient: { name, taxId: maskedTaxId === null ? null : truncated(maskedTaxId), addressLines },
    accountNumber: mask(accountId),
    currency,
    boxes: boxesOf(boxAmounts, currency, payer),
    irsReportable: isDue || wasFiled,
    reportedAsZero: wasFiled && !isDue,
    recipientTaxId: taxId,
    recipientPerson: person,
    recipientAddress: address,
    secondTinNotice: recipient.secondTinNoticeOn !== null && recipient.secondTinNoticeOn <= today,
  };
}

/** The boxes that the ledger fills: the interest always, the others unless they are zero; the payer's state if any. */
export function boxesOf(
  { interestMinor, penaltyMinor, withheldMinor, stateWithheldMinor }: TaxAmounts,
  currency: string,
  { state, stateTaxId }: Pick<Payer, 'state' | 'stateTaxId'>,
): TaxFormContent['boxes'] {
  return {
    1: decimalOf(interestMinor, currency),
    ...(penaltyMinor !== 0n && { 2: decimalOf(penaltyMinor, currency) }),
    ...(withheldMinor !== 0n && { 4: decimalOf(withheldMinor, currency) }),
    ...(state && { 15: state }),
    ...(state && stateTaxId && { 16: stateTaxId }),
    ...(stateWithheldMinor !== 0n && { 17: decimalOf(stateWithheldMinor, currency) }),
  };
}

/** True if somebody had certified to be no person of the United States by a day. */
export function isForeignAt({ taxStatus, taxStatusOn }: Addressee, day: string): boolean {
  return taxStatus === 'FOREIGN' && taxStatusOn !== null && taxStatusOn <= day;
}

/** A truncated taxpayer identification number as the form has it: `XXX-XX-6789` for nine digits (26 CFR 301.6109-4). */
function truncated(masked: string): string {
  return masked.length === 9 ? `XXX-XX-${masked.slice(-4)}` : masked.replaceAll('*', 'X');
}
