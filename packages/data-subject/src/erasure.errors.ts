import { Refusal } from 'tillgate/noun';

/** What the bank still needs a customer for, of each kind the first few. */
export interface CustomerUse {
  readonly accountIds: readonly string[];
  readonly cardIds: readonly string[];
  /** Closed accounts whose retention is not over, each with the day until which it runs. */
  readonly kept: readonly { readonly accountId: string; readonly until: string }[];
}

export class CustomerInUse extends Refusal {
  readonly code = 'customer_in_use';
  constructor({ accountIds, cardIds, kept }: CustomerUse) {
    const uses = [
      ...(accountIds.length > 0 ? [`owns accounts that are not closed (${accountIds.join(', ')})`] : []),
      ...(cardIds.length > 0 ? [`holds cards that can be used (${cardIds.join(', ')})`] : []),
    ];
    const used =
      uses.length > 0 ? [`The customer ${uses.join(' and ')}. Close them, or let others own and hold them.`] : [];
    const times = kept.map(({ accountId, until }) => `${accountId} until ${until}`).join(', ');
    const owned =
      kept.length > 0
        ? [`The retention of closed accounts of the customer runs (${times}). Wait until it is over.`]
        : [];
    super([...used, ...owned].join(' '));
  }
}
