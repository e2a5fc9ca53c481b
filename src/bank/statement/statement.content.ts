import type { Address, PersonName } from '../person/person.entity.js';
import type { CorrectionKind } from './statement.entity.js';

/**
 * The content of a document, in the form in which it is kept: its PDF, JSON and CSV are made of this and of nothing
 * else. Amounts are decimal texts with the digits of the currency, days are `YYYY-MM-DD` in the time zone of the
 * account.
 */

/** The longest statement. An account with more entries in a month gets them as a file from the bank's own systems. */
export const MAX_ENTRIES = 20_000;

/** The issuer of a document: the program's letterhead, as the program's record has it when the run begins. */
export interface Issuer {
  readonly name: string;
  /** One to six lines; none in documents that were issued before an address was required. */
  readonly addressLines: readonly string[];
  readonly telephone: string | null;
  /** The contact for errors (12 CFR 1005.8(b)); absent in documents issued before this was recorded. */
  readonly errorResolution?: ErrorResolution | null;
}

/** Where customers report errors: a telephone number, an address of one to six lines, and an e-mail address if any. */
export interface ErrorResolution {
  readonly telephone: string;
  readonly email: string | null;
  readonly addressLines: readonly string[];
}

/**
 * A picture at the head of a document: a PNG in base64, or outlines in one colour (`#rrggbb`; null for the colour of
 * the headings). Not part of the content: the PDF alone has it.
 */
export type Logo =
  | { readonly png: string }
  | {
      readonly svgPath: string;
      /** As in SVG: left, top, width and height. */
      readonly viewBox: readonly [number, number, number, number];
      readonly color: string | null;
    };

/** The payer of the interest of a program's accounts. The tax id is not masked, as the form requires. */
export type Payer = Issuer & {
  readonly taxId: string;
  /** The state of boxes 15 to 17, such as `OR`; absent or null for none. */
  readonly state?: string | null;
  /** The payer's number in that state. */
  readonly stateTaxId?: string | null;
};

/** The part that a statement and a report of any days have in common: an account, and what moved its balance. */
export interface AccountContent {
  readonly issuer: Issuer;
  /** `number` is masked. */
  readonly account: {
    readonly number: string;
    readonly type: 'CHECKING' | 'SAVINGS' | 'MONEY_MARKET' | 'CD';
    readonly currency: string;
    readonly timeZone: string;
  };
  /**
   * In their order; the first one is the primary owner, whom the document is addressed to. Empty where nobody owns the
   * account.
   */
  readonly owners: readonly string[];
  /** The primary owner's postal address; empty where there is none. */
  readonly addressLines: readonly string[];
  /** The first and the last day. */
  readonly period: { readonly start: string; readonly end: string };
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly credits: Total;
  readonly debits: Total;
  /** In ledger order. */
  readonly entries: readonly StatementEntry[];
}

/** A report of any days of an account. It is made when it is asked for, and not kept. */
export interface ReportContent extends AccountContent {
  readonly reportId: string;
  /** The last day, or the present one where the days are not over. */
  readonly asOf: string;
}

/** A monthly statement of an account. */
export interface StatementContent extends AccountContent {
  readonly statementId: string;
  /** With how many days it has. */
  readonly period: AccountContent['period'] & { readonly days: number };
  readonly issuedOn: string;
  /**
   * Fees of the period, one item for each kind of fee (12 CFR 1030.6(a)(3)), and their total since the year began,
   * which documents issued before it was recorded do not have.
   */
  readonly fees: { readonly items: readonly FeeItem[]; readonly total: string; readonly totalYearToDate?: string };
  /**
   * The part of the fees for paying overdrafts and for returning items unpaid (12 CFR 1030.11(a)). Absent where there
   * were none since the year began, and in documents issued before this was recorded.
   */
  readonly overdraft?: { readonly fees: FeeTotals; readonly returnedItemFees: FeeTotals };
  /**
   * 12 CFR 1030.6(a)(1) and (2). The yield is in percent with two digits; null where no interest was paid, or where it
   * cannot be computed: no balance earned it, or more was taken back than was paid.
   */
  readonly interest: {
    readonly paid: string;
    readonly paidYearToDate: string;
    readonly averageDailyBalance: string;
    readonly annualPercentageYieldEarned: string | null;
  };
}

export interface Total {
  readonly count: number;
  /** Never negative. */
  readonly amount: string;
}

export interface FeeItem extends Total {
  /** The purpose of the fee, as the ledger describes it. */
  readonly description: string;
}

/** The sums of a kind of fee. Never negative. */
export interface FeeTotals {
  readonly period: string;
  readonly yearToDate: string;
}

export interface StatementEntry {
  readonly transactionId: string;
  /** The day it was posted, in the time zone of the account. */
  readonly postedOn: string;
  readonly description: string;
  readonly transactionType: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  /** Never negative. */
  readonly amount: string;
  /** The balance after it: the opening balance and everything up to here. */
  readonly balance: string;
}

/** A Form 1099-INT (Copy B, for the recipient). */
export interface TaxFormContent {
  readonly statementId: string;
  readonly taxYear: number;
  /** The document that this one corrects; null for the first form of the year. */
  readonly correctedStatementId: string | null;
  /** The fault of that one; null if this one corrects none. Absent in forms of before other errors were found. */
  readonly correctionKind?: CorrectionKind | null;
  readonly issuedOn: string;
  readonly payer: Payer;
  /** The tax id is truncated to its last four digits (26 CFR 301.6109-4); null where none is known. */
  readonly recipient: {
    readonly name: string;
    readonly taxId: string | null;
    readonly addressLines: readonly string[];
  };
  /** Masked. */
  readonly accountNumber: string;
  readonly currency: string;
  /** Boxes 1 to 17 by number; a box without an entry is empty. Amounts, and texts in `BOXES_OF_TEXT`. */
  readonly boxes: Readonly<Partial<Record<TaxFormBox, string>>>;
  /**
   * True if the payer files the form with the IRS: the recipient was paid 10.00 dollars or more of interest in all
   * accounts with the payer (26 USC 6049(a), 26 CFR 1.6049-4(b)(1)), or tax was withheld (box 4), or the form corrects
   * one that is filed. Never for amounts in another currency.
   */
  readonly irsReportable: boolean;
  /**
   * True if the return to the IRS has zero amounts, since it takes back one that should not have been filed. The copy
   * for the recipient states the true amounts. Absent in forms of before it was kept.
   */
  readonly reportedAsZero?: boolean;
}

/** The name of a recipient in its parts: `first` is empty for one name, as organisations have it. */
export type TaxFormPerson = Readonly<Pick<PersonName, 'first' | 'middle' | 'last'>>;

/** A Form 1099-INT as it is kept, with what no reader is shown. */
export interface KeptTaxForm extends TaxFormContent {
  /**
   * The recipient's tax id, whole, as the form reports it; null where none is known. By it a later change of the number
   * is found. Absent in forms of before it was kept.
   */
  readonly recipientTaxId?: string | null;
  /** The recipient's name and address in parts, as returns have them. Absent in forms of before they were kept. */
  readonly recipientPerson?: TaxFormPerson;
  readonly recipientAddress?: Address | null;
  /** True if the IRS told twice within three years that the tax id is incorrect, which only the return says. */
  readonly secondTinNotice?: boolean;
}

export type TaxFormBox = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17;

/** A country, a CUSIP number, a state and the payer's number there: a text, even if it has digits only. */
export type TaxFormTextBox = 7 | 14 | 15 | 16;
export const BOXES_OF_TEXT: ReadonlySet<TaxFormBox> = new Set<TaxFormTextBox>([7, 14, 15, 16]);
