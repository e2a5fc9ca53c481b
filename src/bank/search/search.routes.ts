import type { Router } from 'express';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { queryOf } from '../../platform/http/query.js';
import type { SearchService } from './search.service.js';
import { SEARCH } from './search.operations.js';

/** Up to four statements, some of which look through names: as long as five of the smallest reads. */
const SEARCH_UNITS = 5;

/** The search of operators. */
export function searchRoutes(search: SearchService): Router {
  const router = exactRouter();
  router.get('/search', async (req, res) => {
    const caller = callerOf(req);
    caller.require(SEARCH);
    await exchangeOf(req).charge(SEARCH_UNITS);
    const hits = await search.find(caller, Object.fromEntries(queryOf(req, ['text'])));
    res.json({ hits: hits.map(contractRecord) });
  });
  return refuseOtherMethods(router);
}
