import { InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/**
 * Every record has an `id`, by which Apollo Client knows it again without configuration: ask for it wherever records
 * are asked for. Only histories need a word: their pages join.
 */
export function cache(): InMemoryCache {
  return new InMemoryCache({
    typePolicies: {
      // Another filter is another history.
      Account: { fields: { transactions: relayStylePagination(['filter']) } },
    },
  });
}
