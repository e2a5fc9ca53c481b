const AMOUNT_CHARACTERS = 24;

/** An amount, which goes as it was typed, so that it stays exact. */
export const AMOUNT = { label: 'Amount', inputMode: 'decimal', maxLength: AMOUNT_CHARACTERS } as const;

export function amountIn(currency: string) {
  return { ...AMOUNT, label: `Amount in ${currency}` } as const;
}

const upper = (text: string): string => text.toUpperCase();

export const COUNTRY = { label: 'Country', maxLength: 2, send: upper } as const;
export const CURRENCY = { label: 'Currency', maxLength: 3, send: upper } as const;

/** The separator of elements of a list that has one on each line. */
export const LINES = /\n/;
