import type { LimitFacts, LimitService } from '../limit/limit.service.js';
import type { CommandRequest } from '../../platform/command/command.js';
import type { StatementSender } from '../../platform/database/transaction.js';

/** Reads the limits of each new hold of a card; null for a hold without a card. */
export async function cardLimitsOf(
  limits: LimitService,
  transaction: StatementSender,
  requests: readonly CommandRequest<{ readonly cardId?: string | null }>[],
): Promise<(LimitFacts | null)[]> {
  const ofCards = requests.flatMap(({ input }, index) => ((input.cardId ?? null) === null ? [] : [index]));
  if (ofCards.length === 0) return [];
  const accountIds = ofCards.map(index => (requests[index] as CommandRequest<unknown>).accountId);
  const found = await limits.ofCardHolds(transaction, accountIds);
  return requests.map((_, index) => found[ofCards.indexOf(index)] ?? null);
}
