const DAY_MS = 86_400_000;
const SATURDAY = 6;

/** The last days of a tax year's duties (General Instructions for Certain Information Returns). */
export interface TaxDays {
  /** Copies to recipients. */
  readonly recipients: string;
  /** Form 1042-S. */
  readonly form1042S: string;
  /** Returns to the IRS by electronic means. */
  readonly irs: string;
}

export function taxDaysOf(taxYear: number): TaxDays {
  return {
    recipients: businessDayFrom(`${taxYear + 1}-01-31`),
    form1042S: businessDayFrom(`${taxYear + 1}-03-15`),
    irs: businessDayFrom(`${taxYear + 1}-03-31`),
  };
}

/** A day, or the next Monday if it is at a weekend (26 USC 7503). Legal holidays are not known here. */
function businessDayFrom(day: string): string {
  const ms = Date.parse(day);
  const weekday = new Date(ms).getUTCDay();
  const later = weekday === SATURDAY ? 2 : weekday === 0 ? 1 : 0;
  return new Date(ms + later * DAY_MS).toISOString().slice(0, 10);
}
