import type { CardsOfAccounts } from '../account/operations.service.js';
import { recording } from '../platform/command/recording.js';
import { keyed } from '../platform/database/keyed.js';
import type { Asking, Query } from '../platform/database/transaction.js';
import type { BatchedRepository } from '../platform/repository/batched-repository.js';
import { byOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Caller } from '../shared/caller.js';
import { FINAL_STATUSES, type Card, type CardView } from './card.entity.js';
import { cardFacts } from './card.events.js';

/** Cards that are closed with their account. Their account is locked, as it is for every change of a card. */
export class CardClosing implements CardsOfAccounts<CardView> {
  private readonly closed = this.repository.updating(['status']);
  // Commands of a group read theirs together, and a part of the cards of each account.
  private readonly selected = keyed(
    'cards_usable',
    { account_id: 'text' },
    ({ k, each, value }) => `SELECT ${this.repository.columns('c', 'false')}, ${k.n}::int FROM ${each}card c
      WHERE c.account_id = ${k.account_id} AND c.status <> ALL (${value(0)}::text[])
      ORDER BY ${k.n}, c.created, c.card_id`,
  );

  constructor(private readonly repository: BatchedRepository<Card, CardView>) {}

  async usable(transaction: Asking, accountIds: readonly string[]): Promise<CardView[][]> {
    const rows = await transaction.query<WithOrdinal<unknown[]>>(this.selected, [accountIds, [...FINAL_STATUSES]]);
    return byOrdinal(rows, accountIds.length, row => this.repository.read(row));
  }

  closing(by: Caller, accountId: string, cards: readonly CardView[]): Query[] {
    if (cards.length === 0) return [];
    const rows = cards.map(({ cardId }) => ({ account_id: accountId, card_id: cardId, status: 'CLOSED' }));
    const events = cards.map(card => ({
      by,
      action: 'card.close',
      accountId,
      ...cardFacts({ ...card, status: 'CLOSED' }),
    }));
    return [this.closed(rows), ...recording(events)];
  }
}
