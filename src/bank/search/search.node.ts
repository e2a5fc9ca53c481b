import type { NodeLink } from '../../platform/graphql/node-link.js';
import { SearchHit } from './search.entity.js';

/** The record that a hit is about. */
export const NODE_OF_HIT: NodeLink<SearchHit> = {
  of: SearchHit,
  description: 'The record that was found. It needs the scope of its type.',
  recordOf({ kind, accountId, cardId, customerId }) {
    if (kind === 'CARD') return { type: 'Card', id: cardId ?? '', accountId };
    if (kind === 'CUSTOMER') return { type: 'Customer', id: customerId ?? '', accountId: null };
    return { type: 'Account', id: accountId ?? '', accountId: null };
  },
};
