import type { Router } from 'express';
import { noBody, readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { PAGE_PARAMETERS, besidePage, dryRunOf, noQuery, pageOf, queryOf } from '../../platform/http/query.js';
import { readInput, readRecord } from '../../platform/input/read-input.js';
import type { Page, PageRequest } from '../../shared/page.js';
import type { HoldStatus, HoldView } from './hold.entity.js';
import { restHold } from './hold.openapi.js';
import { CaptureRecord, HoldQuery, HoldRecord } from './hold.inputs.js';
import type { HoldService } from './hold.service.js';
import { READ_HOLDS } from './hold.operations.js';

/** The holds of an account. */
export function holdRoutes(holds: HoldService): Router {
  const router = exactRouter();
  const list = '/accounts/:accountId/holds';
  const one = '/accounts/:accountId/holds/:holdId';
  const capture = '/accounts/:accountId/holds/:holdId/capture';
  const release = '/accounts/:accountId/holds/:holdId/release';

  router.get(list, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_HOLDS);
    const { accountId } = req.params;
    const query = queryOf(req, [...PAGE_PARAMETERS, 'status']);
    const request = pageOf(query);
    const filter = query.has('status') ? { status: query.get('status') } : {};
    const { status = null } = readInput(HoldQuery, filter);
    res.json(listToRest(accountId, status, request, await holds.page(caller, accountId, request, status)));
  });

  router.post(list, async (req, res) => {
    const caller = callerOf(req);
    const { accountId } = req.params;
    holds.placing.allow(caller, accountId);
    const dryRun = dryRunOf(req);
    const { amount, ...details } = readRecord(HoldRecord, await readJson(req));
    const hold = await holds.place(caller, accountId, { ...details, amount: String(amount) }, dryRun);
    const [of, id] = [accountId, hold.holdId].map(encodeURIComponent);
    res.status(201).location(`/accounts/${of}/holds/${id}`).json(restHold(hold));
  });

  router.get(one, noQuery, async (req, res) => {
    res.json(restHold(await holds.get(callerOf(req), req.params.accountId, req.params.holdId)));
  });

  router.post(capture, async (req, res) => {
    const caller = callerOf(req);
    const { accountId, holdId } = req.params;
    holds.capturing.allow(caller, accountId);
    const dryRun = dryRunOf(req);
    const { amount = null, keepRest } = readRecord(CaptureRecord, await readJson(req));
    const captured = { holdId, amount: amount === null ? null : String(amount), keepRest: keepRest ?? false };
    res.json(restHold(await holds.capture(caller, accountId, captured, dryRun)));
  });

  router.post(release, async (req, res) => {
    const caller = callerOf(req);
    const { accountId, holdId } = req.params;
    holds.releasing.allow(caller, accountId);
    const dryRun = dryRunOf(req);
    await noBody(req);
    res.json(restHold(await holds.release(caller, accountId, { holdId }, dryRun)));
  });

  return refuseOtherMethods(router);
}

function listToRest(
  accountId: string,
  status: HoldStatus | null,
  request: PageRequest,
  { items, total }: Page<HoldView>,
): object {
  const path = `/accounts/${encodeURIComponent(accountId)}/holds`;
  return { holds: items.map(restHold), ...besidePage(path, request, total, { status }) };
}
