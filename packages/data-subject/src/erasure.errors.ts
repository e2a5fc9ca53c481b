import { refusalsOf } from 'tillgate/noun';

/** Codes about the erasure of customers. */
export const ERASURE_PROBLEMS = {
  customer_in_use: [
    'conflict',
    'The customer owns open accounts, or closed ones whose retention runs, or holds usable cards, so the personal data cannot be erased.',
    'Close the accounts and cards, or let others own and hold them, and wait until the retention is over.',
  ],
} as const;

const OwnRefusal = refusalsOf(ERASURE_PROBLEMS);

/** The things for which the bank still needs a customer, of each kind the first few. */
export interface CustomerUse {
  readonly accountIds: readonly string[];
  readonly cardIds: readonly string[];
  /** Closed accounts whose retention is not over, each with the day until which it runs. */
  readonly keptAccounts: readonly { readonly accountId: string; readonly until: string }[];
}

export class CustomerInUse extends OwnRefusal {
  readonly code = 'customer_in_use';
  constructor({ accountIds, cardIds, keptAccounts }: CustomerUse) {
    const uses = [
      ...(accountIds.length > 0 ? [`owns accounts that are not closed (${accountIds.join(', ')})`] : []),
      ...(cardIds.length > 0 ? [`holds cards that can be used (${cardIds.join(', ')})`] : []),
    ];
    const used =
      uses.length > 0 ? [`The customer ${uses.join(' and ')}. Close them, or let others own and hold them.`] : [];
    const times = keptAccounts.map(({ accountId, until }) => `${accountId} until ${until}`).join(', ');
    const owned =
      keptAccounts.length > 0
        ? [`The retention of closed accounts of the customer runs (${times}). Wait until it is over.`]
        : [];
    super([...used, ...owned].join(' '));
  }
}
