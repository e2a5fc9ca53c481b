import { digits } from './given.js';

/** A card number that nobody has had yet, with its check digit (ISO/IEC 7812-1). */
export function cardNumber(): string {
  const start = `99${digits(13)}`;
  let sum = 0;
  for (let place = 0; place < start.length; place++) {
    const digit = Number(start[start.length - 1 - place]) * (place % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${start}${(10 - (sum % 10)) % 10}`;
}

/** A whole card record of the contract, as a client sends it. */
export function newCard(accountId: string, cardHolderId: string, changes: Record<string, unknown> = {}) {
  const number = cardNumber();
  return {
    cardId: `card-${digits(12)}`,
    type: 'Physical',
    number,
    currency: 'USD',
    expiration: '1299',
    last4: number.slice(-4),
    cvv: null,
    accountId,
    cardHolderId,
    cardProductId: 'classic',
    pin: digits(4),
    pinIsSet: null,
    status: 'Active',
    created: '2026-01-02T03:04:05Z',
    ...changes,
  };
}
