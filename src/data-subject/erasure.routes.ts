import type { Router } from 'express';
import { ReasonInput } from '../bank/account/account.service.js';
import type { OwnerService } from '../bank/owner/owner.service.js';
import { customerToRest } from '../bank/owner/customer.openapi.js';
import { readJson } from '../platform/http/body.js';
import { sendRecord, versionsIn } from '../platform/http/conditions.js';
import { callerOf } from '../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import { dryRunOf } from '../platform/http/query.js';
import { readRecord } from '../platform/input/read-input.js';
import type { ErasureService } from './erasure.service.js';

/** The end of personal data. */
export function erasureRoutes(erasures: ErasureService, owners: OwnerService): Router {
  const router = exactRouter();
  router.post('/customers/:customerId/erase', async (req, res) => {
    const caller = callerOf(req);
    erasures.erase.allow(caller);
    const dryRun = dryRunOf(req);
    const { reason } = readRecord(ReasonInput, await readJson(req));
    const customerId = req.params.customerId.toLowerCase();
    const erased = await erasures.erase(caller, { customerId, reason, versions: versionsIn(req) }, dryRun);
    sendRecord(req, res, erased, await customerToRest(owners, caller, erased));
  });
  return refuseOtherMethods(router);
}
