import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { cardIdentity, pinIdentity } from './card.vault.js';

export const CARD_SEALED: SealedColumn = {
  table: 'card',
  key: { account_id: 'text', card_id: 'text' },
  column: 'sealed_number',
  identityOf: cardIdentity,
  digests: { number_digest: (keys, number) => keys.digest('card number', number as string) },
};

export const PIN_SEALED: SealedColumn = {
  table: 'card',
  key: { account_id: 'text', card_id: 'text' },
  column: 'pin_verification',
  identityOf: pinIdentity,
};
