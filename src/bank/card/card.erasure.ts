import { apart } from '../../platform/database/keyed.js';
import type { SqlQuery, StatementSender } from '../../platform/database/transaction.js';
import { FINAL_STATUSES, type CardStatus } from './card.entity.js';
import type { CardName, CardVault } from './card.vault.js';

/** A card of a customer, and whether it can still be used. */
export interface HeldCard extends CardName {
  readonly isUsable: boolean;
}

const HELD = apart(
  'SELECT c.account_id, c.card_id, c.status FROM card c WHERE c.card_holder_id = $1 ORDER BY c.account_id, c.card_id',
  { inTurn: true },
);

const ERASE = apart(
  `UPDATE card SET sealed_number = $3, number_digest = $4, pin_verification = NULL, metadata = '{}' WHERE account_id = $1 AND card_id = $2`,
  'SELECT erase_card($1::text, $2::text, $3::bytea, $4::bytea)',
);

/** The cards of people whose personal data is erased: what stays are the last four digits, as on documents. */
export class CardErasure {
  constructor(private readonly vault: CardVault) {}

  /** The cards of a customer, also those that are closed. */
  async heldBy(transaction: StatementSender, customerId: string): Promise<HeldCard[]> {
    const rows = await transaction.query<[accountId: string, cardId: string, status: CardStatus]>(HELD, [customerId]);
    return rows.map(([accountId, cardId, status]) => ({ accountId, cardId, isUsable: !FINAL_STATUSES.has(status) }));
  }

  /** Makes the statements that take numbers and PINs away. In place of a number is a text that no other card has. */
  erasing(cards: readonly CardName[]): SqlQuery[] {
    return cards.map(card => {
      const { accountId, cardId } = card;
      const { sealedNumber, numberDigest } = this.vault.keep(card, `erased ${accountId}/${cardId}`, null);
      return { statement: ERASE, values: [accountId, cardId, sealedNumber, numberDigest] };
    });
  }
}
