import type { CardStatus, CardType, CardView } from './card.entity.js';

/** What is read of a card `c`, in the order of `CardRow`. */
export const CARD_COLUMNS = `c.account_id, c.card_id, c.type, c.number, c.last4, c.currency, c.expiration, c.card_holder_id,
  c.card_product_id, c.pin_is_set, c.status, c.created`;

export type CardRow = [
  accountId: string,
  cardId: string,
  type: CardType,
  number: string,
  last4: string,
  currency: string,
  expiration: string,
  cardHolderId: string,
  cardProductId: string,
  pinIsSet: boolean,
  status: CardStatus,
  created: string,
];

export function cardOf(row: CardRow): CardView {
  const [
    accountId,
    cardId,
    type,
    number,
    last4,
    currency,
    expiration,
    cardHolderId,
    cardProductId,
    pinIsSet,
    status,
    created,
  ] = row;
  return {
    accountId,
    cardId,
    type,
    number,
    last4,
    currency,
    expiration,
    cardHolderId,
    cardProductId,
    pinIsSet,
    status,
    created,
  };
}
