import { InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/** Records by the ids that they have, and histories that grow page by page. */
export function cache(): InMemoryCache {
  return new InMemoryCache({
    typePolicies: {
      Account: {
        keyFields: ['accountId'],
        // The pages of one history join. Another filter is another history.
        fields: { transactions: relayStylePagination(['filter']) },
      },
      // A transaction's id is unique in its account only, so both have to be asked for.
      Transaction: { keyFields: ['accountId', 'transactionId'] },
      Card: { keyFields: ['accountId', 'cardId'] },
      Statement: { keyFields: ['statementId'] },
      Beneficiary: { keyFields: ['beneficiaryId'] },
      // The same customer is the primary owner of one account and not of another.
      Owner: { keyFields: false },
    },
  });
}
