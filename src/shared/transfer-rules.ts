/**
 * The limits of an account in one currency. Amounts are decimal texts in units of the currency; null where there is no
 * limit. Days are those of the account.
 */
export interface CurrencyLimits {
  readonly currency: string;
  /** Of one transfer. */
  readonly perTransfer: string | null;
  /** Of all transfers of a day together. */
  readonly perDay: string | null;
  /** Of all transfers of a day and the 29 days before it together. */
  readonly per30Days: string | null;
  /** How many transfers a day. */
  readonly transfersPerDay: number | null;
  /** Of what holds of cards keep back or took of a day together. */
  readonly cardHoldsPerDay: string | null;
}

/** To which accounts customers may move their money: to their own alone, or to all of the program. */
export type CustomersTo = 'OWN' | 'PROGRAM';

/** What a program says of transfers. */
export interface TransferRules {
  readonly customersTo: CustomersTo;
  /** One for each currency that has limits. */
  readonly limits: readonly CurrencyLimits[];
}

/** The largest limit of the transfers of a day. Commands count those of the day. */
export const MAX_TRANSFERS_A_DAY = 10_000;
