import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { dryRunOf, noQuery } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import { TransferLimitsPatchRecord } from './limit.inputs.js';
import { restLimits } from './limit.openapi.js';
import type { LimitService } from './limit.service.js';

/** The limits of accounts. */
export function limitRoutes(limits: LimitService): Router {
  const router = exactRouter();
  const one = '/accounts/:accountId/transfer-limits';

  router.get(one, noQuery, async (req, res) => {
    res.json(restLimits(await limits.get(callerOf(req), req.params.accountId)));
  });

  router.patch(one, async (req, res) => {
    const caller = callerOf(req);
    const { accountId } = req.params;
    limits.allow(caller, accountId);
    const dryRun = dryRunOf(req);
    const body = await readJson(req, ['application/json', 'application/merge-patch+json']);
    res.json(restLimits(await limits.change(caller, accountId, readRecord(TransferLimitsPatchRecord, body), dryRun)));
  });

  return refuseOtherMethods(router);
}
