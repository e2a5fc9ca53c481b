/**
 * The limits of an account in one currency. Amounts are decimal texts in units of the currency; null where there is no
 * limit. Days are those of the account.
 */
export interface CurrencyLimits {
  readonly currency: string;
  /** The limit of one transfer. */
  readonly perTransfer: string | null;
  /** The limit of all transfers of a day together. */
  readonly perDay: string | null;
  /** The limit of all transfers of a day and the 29 days before it together. */
  readonly per30Days: string | null;
  /** The number of transfers a day. */
  readonly transfersPerDay: number | null;
  /** The limit of what holds of cards keep back or took of a day together. */
  readonly cardHoldsPerDay: string | null;
}

/** To which accounts customers may move their money: to their own alone, or to all of the program. */
export type CustomersTo = 'OWN' | 'PROGRAM';

/** The rules of a program about transfers. */
export interface TransferRules {
  readonly customersTo: CustomersTo;
  /** One for each currency that has limits. */
  readonly limits: readonly CurrencyLimits[];
}

/** The largest limit of the transfers of a day. Commands count those of the day. */
export const MAX_TRANSFERS_A_DAY = 10_000;
