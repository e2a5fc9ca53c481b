import type { Router } from 'express';
import { callerOf } from '../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import { contractRecord } from '../platform/http/json.js';
import { queryOf } from '../platform/http/query.js';
import type { SearchService } from './search.service.js';
import { SEARCH } from './search.operations.js';

/** The search of operators. */
export function searchRoutes(search: SearchService): Router {
  const router = exactRouter();
  router.get('/search', async (req, res) => {
    const caller = callerOf(req);
    caller.require(SEARCH);
    const hits = await search.find(caller, Object.fromEntries(queryOf(req, ['text'])));
    res.json({ hits: hits.map(contractRecord) });
  });
  return refuseOtherMethods(router);
}
