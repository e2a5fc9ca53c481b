import type { Router } from 'express';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { noQuery } from '../../platform/http/query.js';
import type { ViewerService } from './viewer.service.js';

/** Whom the token of a request speaks for. */
export function viewerRoutes(viewers: ViewerService): Router {
  const router = exactRouter();
  router.get('/viewer', noQuery, async (req, res) => {
    res.json(contractRecord(await viewers.of(callerOf(req))));
  });
  return refuseOtherMethods(router);
}
