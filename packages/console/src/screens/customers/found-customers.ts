import { useQuery, type Query } from '../../client/query.js';
import {
  ConsoleFindCustomersDocument,
  type ConsoleCustomerRowFragment,
  type ConsoleFindCustomersQuery,
} from '../../generated/graphql.js';
import { MIN_SEARCH_CHARACTERS } from '../../ui/hits.js';

/** By what a search finds customers. */
export const FOUND_BY =
  'A first or last name or both, the beginning of a last name, an e-mail address, a telephone number, the last four digits of a tax id, or a customer number or id.';

/** Searches for customers; a text that is too short finds nobody, and asks nothing. */
export function useFoundCustomers(text: string): Query<ConsoleFindCustomersQuery> {
  const isEnough = text.length >= MIN_SEARCH_CHARACTERS;
  const query = useQuery(ConsoleFindCustomersDocument, isEnough ? { text } : null);
  return isEnough ? query : { ...query, data: { search: [] } };
}

/** The customers of a search, each once, however many accounts they own. */
export function customersIn({ search }: ConsoleFindCustomersQuery): readonly ConsoleCustomerRowFragment[] {
  const found = (search ?? []).flatMap(({ record }) => (record?.__typename === 'Customer' ? [record] : []));
  return [...new Map(found.map(customer => [customer.customerId, customer])).values()];
}
