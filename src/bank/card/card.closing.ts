import type { CardsOfAccounts } from '../account/administration/administration.service.js';
import { recording } from '../../platform/command/recording.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import type { BatchedRepository } from '../../platform/repository/batched-repository.js';
import type { Caller } from '../../shared/caller.js';
import { firstVersion } from '../../shared/version.js';
import { FINAL_STATUSES, type Card, type CardView } from './card.entity.js';
import { cardFacts } from './card.events.js';

/** Cards that are closed with their account. Their account is locked, as it is for every change of a card. */
export class CardClosing implements CardsOfAccounts<CardView> {
  private readonly closed = this.repository.updating(['status', 'updatedAt']);
  private readonly cardsOf = this.repository.children('accountId', 'created', 'cardId');

  constructor(private readonly repository: BatchedRepository<Card, CardView>) {}

  async usable(transaction: StatementSender, accountIds: readonly string[]): Promise<CardView[][]> {
    const cards = await this.cardsOf(transaction, accountIds);
    return cards.map(ofAccount => ofAccount.filter(({ status }) => !FINAL_STATUSES.has(status)));
  }

  closing(by: Caller, accountId: string, cards: readonly CardView[]): SqlQuery[] {
    if (cards.length === 0) return [];
    const { updatedAt } = firstVersion();
    const closed = { account_id: accountId, status: 'CLOSED', updated_at: updatedAt };
    const rows = cards.map(({ cardId }) => ({ ...closed, card_id: cardId }));
    const events = cards.map(card => ({
      by,
      action: 'card.close',
      accountId,
      ...cardFacts({ ...card, status: 'CLOSED' }, card.status),
    }));
    return [this.closed(rows), ...recording(events)];
  }
}
