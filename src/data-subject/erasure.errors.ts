import { Refusal } from '../shared/errors.js';

/** What the bank still needs a customer for, of each kind the first few. */
export interface CustomerUse {
  readonly accountIds: readonly string[];
  readonly cardIds: readonly string[];
}

export class CustomerInUse extends Refusal {
  readonly code = 'customer_in_use';
  constructor({ accountIds, cardIds }: CustomerUse) {
    const uses = [
      ...(accountIds.length > 0 ? [`owns accounts that are not closed (${accountIds.join(', ')})`] : []),
      ...(cardIds.length > 0 ? [`holds cards that can be used (${cardIds.join(', ')})`] : []),
    ];
    super(`The customer ${uses.join(' and ')}. Close them, or let others own and hold them.`);
  }
}
