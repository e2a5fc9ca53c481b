import type { RequestHandler, Router } from 'express';
import type { OwnerService } from '../../owner/owner.service.js';
import { readJson } from '../../../platform/http/body.js';
import { callerOf } from '../../../platform/http/exchange.js';
import { contractRecord } from '../../../platform/http/json.js';
import { exactRouter, refuseOtherMethods } from '../../../platform/http/exact-router.js';
import { noQuery } from '../../../platform/http/query.js';
import { readRecord } from '../../../platform/input/read-input.js';
import type { Caller } from '../../../shared/caller.js';
import type { OwnerResult, OwnerStatus } from './ownership.entity.js';
import { HoldersInput } from './ownership.inputs.js';
import type { OwnershipService } from './ownership.service.js';

const STATUS: Readonly<Record<OwnerStatus, string>> = {
  ADDED: 'Added',
  FAILED_TO_ADD: 'Failed to Add',
  REMOVED: 'Removed',
  NOT_FOUND: 'Not found',
};

/** Contract 4.6 and 4.7. */
export function ownershipRoutes(ownership: OwnershipService, owners: OwnerService): Router {
  const router = exactRouter();

  const change =
    (kind: 'adding' | 'removing', method: 'add' | 'remove'): RequestHandler<{ accountId: string }> =>
    async (req, res) => {
      const caller = callerOf(req);
      const { accountId } = req.params;
      ownership[kind].allow(caller, accountId);
      const { holders } = readRecord(HoldersInput, await readJson(req));
      const customerIds = holders.map(({ customerId }) => customerId);
      const results = await ownership[method](caller, accountId, customerIds);
      res.json({ holders: await Promise.all(results.map(result => toRest(caller, owners, result))) });
    };
  router.post('/accounts/:accountId/owners/add', noQuery, change('adding', 'add'));
  router.post('/accounts/:accountId/owners/remove', noQuery, change('removing', 'remove'));

  return refuseOtherMethods(router);
}

async function toRest(
  caller: Caller,
  owners: OwnerService,
  { customerId, ownerStatus, owner }: OwnerResult,
): Promise<object> {
  if (!owner) return { customerId, ownerStatus: STATUS[ownerStatus] };
  const { name, taxId, taxIdCountry, contact } = owner;
  const governmentId = await owners.governmentId(caller, owner);
  const status = STATUS[ownerStatus];
  return contractRecord({ customerId, name, taxId, taxIdCountry, governmentId, contact, ownerStatus: status });
}
