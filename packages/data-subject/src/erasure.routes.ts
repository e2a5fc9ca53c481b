import type { Router } from 'express';
import {
  ReasonInput,
  callerOf,
  customerToRest,
  dryRunOf,
  exactRouter,
  readJson,
  readRecord,
  refuseOtherMethods,
  sendRecord,
  versionsIn,
  type OwnerService,
} from 'tillgate/noun';
import type { ErasureService } from './erasure.service.js';

/** The end of personal data. */
export function erasureRoutes(erasures: ErasureService, owners: OwnerService): Router {
  const router = exactRouter();
  router.post('/customers/:customerId/erase', async (req, res) => {
    const caller = callerOf(req);
    erasures.erasing.allow(caller);
    const dryRun = dryRunOf(req);
    const { reason } = readRecord(ReasonInput, await readJson(req));
    const customerId = req.params.customerId.toLowerCase();
    const erased = await erasures.erase(caller, { customerId, reason, versions: versionsIn(req) }, dryRun);
    sendRecord(req, res, erased, await customerToRest(owners, caller, erased));
  });
  return refuseOtherMethods(router);
}
