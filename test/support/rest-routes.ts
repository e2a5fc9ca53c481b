import { NOUNS } from '../../src/app/nouns.js';
import { expressRoute } from '../../src/platform/rest/rest.js';

/**
 * The routes of the nouns, `GET /accounts/:accountId/statements`: those that run behind the access token, with those of
 * the sandbox.
 */
export function restRoutes(cardsPrefix = 'cards'): string[] {
  const { eventTypes, scopes } = NOUNS;
  return NOUNS.rest({ cardsPrefix, eventTypes, scopes }, true)
    .flatMap(({ operations }) => Object.values(operations))
    .map(({ route }) => expressRoute(route))
    .sort();
}
