import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { cardIdentity } from './card.vault.js';

export const CARD_SEALED: SealedColumn = {
  table: 'card',
  key: { account_id: 'text', card_id: 'text' },
  column: 'sealed_number',
  identityOf: cardIdentity,
  digests: {
    number_digest: (keys, number) => keys.digest('card number', number as string),
    // The PIN itself is nowhere, so the key that its digest names stays as long as the card.
    pin_verification: null,
  },
};
