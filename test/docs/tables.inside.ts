import { PAYMENT_KINDS } from '../../packages/sandbox/src/sandbox-postings.service.js';
import type { Gateway } from '../../src/app/gateway.js';
import { restRoutes } from '../support/rest-routes.js';

/** The routes of the nouns, with `{}` for what varies: parameters, and the kinds of records and payments. */
export function declaredRoutes(_gateway: Gateway): string[] {
  const kinds = new RegExp(`(?<=/imports/)\\w+|(?<=/simulate/)(${PAYMENT_KINDS.join('|')})$`);
  return [...new Set(restRoutes('{}').map(route => route.replaceAll(/:\w+/g, '{}').replace(kinds, '{}')))];
}
