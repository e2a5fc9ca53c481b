import type { Router } from 'express';
import { callerOf } from '../../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../../platform/http/exact-router.js';
import { contractRecord } from '../../../platform/http/json.js';
import { noQuery } from '../../../platform/http/query.js';
import type { AccountChainService } from './account-chain.service.js';

export function accountChainRoutes(chains: AccountChainService): Router {
  const router = exactRouter();
  router.get('/accounts/:accountId/event-chain', noQuery, async (req, res) => {
    res.json(contractRecord(await chains.get(callerOf(req), req.params.accountId)));
  });
  return refuseOtherMethods(router);
}
