import type { Router } from 'express';
import { ReasonInput } from '../account/account.service.js';
import { readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { dryRunOf } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import type { ReversalService } from './reversal.service.js';
import { restTransaction } from './transaction.openapi.js';

export function reversalRoutes(reversals: ReversalService): Router {
  const router = exactRouter();
  router.post('/accounts/:accountId/transactions/:transactionId/reverse', async (req, res) => {
    const caller = callerOf(req);
    const { accountId, transactionId } = req.params;
    reversals.allow(caller, accountId);
    const dryRun = dryRunOf(req);
    const { reason } = readRecord(ReasonInput, await readJson(req));
    const reversal = await reversals.reverse(caller, accountId, transactionId, reason, dryRun);
    res.json(restTransaction(reversal));
  });
  return refuseOtherMethods(router);
}
