const AMOUNT_CHARACTERS = 24;

/** An amount, which goes as it was typed, so that it stays exact. */
export const AMOUNT = { label: 'Amount', inputMode: 'decimal', maxLength: AMOUNT_CHARACTERS } as const;

export function amountIn(currency: string) {
  return { ...AMOUNT, label: `Amount in ${currency}` } as const;
}

export const COUNTRY = { label: 'Country', maxLength: 2, send: (text: string) => text.toUpperCase() } as const;

/** A list, of which each line is an element. */
export const LINES = { elements: /\n/ } as const;
