import { CONSOLE_PATH, GRAPHQL_PATH } from '../platform/http/server.js';
import { serverApi } from '../platform/openapi/server.openapi.js';
import { tokenApi } from '../platform/openapi/token.openapi.js';
import type { Nouns } from '../platform/noun/noun.js';
import { PAGE_PATHS } from './pages/pages.js';

const OF_CARDS = '{cards}';

/**
 * The first segments of all paths that a gateway may serve besides those of cards, whatever else is switched on, in
 * lower case: a prefix of cards among them would hide one route behind the other.
 */
export function takenSegments(nouns: Nouns<object>): ReadonlySet<string> {
  const { eventTypes, scopes } = nouns;
  const rest = nouns.rest({ cardsPrefix: OF_CARDS, eventTypes, scopes }, true);
  const parts = [...rest, tokenApi, serverApi({ hasMetrics: true, scopes })];
  const routes = parts.flatMap(({ operations }) => Object.values(operations).map(({ route }) => route));
  const paths = [...routes.map(route => route.slice(route.indexOf('/'))), ...PAGE_PATHS, GRAPHQL_PATH, CONSOLE_PATH];
  const segments = new Set(paths.map(path => (path.split('/')[1] ?? '').toLowerCase()));
  segments.delete(OF_CARDS);
  return segments;
}
