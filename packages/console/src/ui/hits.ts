import type { ConsoleSearchQuery } from '../generated/graphql.js';
import { hrefOf } from '../router.js';
import { words } from './words.js';

/** A hit of a search. */
export type SearchHit = NonNullable<ConsoleSearchQuery['search']>[number];

/** A shorter text is not looked for. */
export const MIN_SEARCH_CHARACTERS = 2;
/** An e-mail address may have as many. */
export const MAX_SEARCH_CHARACTERS = 254;

/** A customer is a hit for each account, by which a clerk tells people of one name apart. */
export function keyOfHit({ kind, accountId, cardId, customerId }: SearchHit): string {
  return `${kind} ${accountId} ${cardId} ${customerId}`;
}

export function hrefOfHit({ kind, accountId, cardId, customerId }: SearchHit): string {
  if (accountId == null || kind === 'CUSTOMER') return hrefOf(`/customers/${customerId ?? ''}`);
  const account = `/accounts/${encodeURIComponent(accountId)}`;
  if (kind === 'CARD' && cardId != null) return hrefOf(`${account}/cards/${encodeURIComponent(cardId)}`);
  return hrefOf(account);
}

/** `PHYSICAL card •••• 4242` as people write it; ids and names stay as they are. */
export function labelOf({ kind, label }: SearchHit): string {
  return kind === 'CARD' ? label.replace(/^[A-Z]+/, words) : label;
}

/** `CHECKING, OPEN` as people write it; a masked number stays as it is. */
export function wordsOf(detail: string): string {
  return detail
    .split(', ')
    .map(part => (/^[A-Z_]+$/.test(part) ? words(part) : part))
    .join(', ');
}
