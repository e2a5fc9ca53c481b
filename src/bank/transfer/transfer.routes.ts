import type { Router } from 'express';
import { ReasonInput } from '../account/account.service.js';
import { readJson } from '../../platform/http/body.js';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { writeUnits } from '../../platform/http/gate.js';
import { PAGE_PARAMETERS, besidePage, dryRunOf, noQuery, pageOf, queryOf } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import type { Page, PageRequest } from '../../shared/page.js';
import type { TransferView } from './transfer.entity.js';
import { TransferRecord, TransfersRecord, newTransferOf } from './transfer.inputs.js';
import { restResult, restTransfer } from './transfer.openapi.js';
import type { TransferService } from './transfer.service.js';
import { READ_TRANSFERS } from './transfer.operations.js';

/** Transfers between two accounts. */
export function transferRoutes(transfers: TransferService): Router {
  const router = exactRouter();

  router.post('/transfers', async (req, res) => {
    const caller = callerOf(req);
    transfers.allow(caller);
    const dryRun = dryRunOf(req);
    const input = newTransferOf(readRecord(TransferRecord, await readJson(req)));
    const transfer = await transfers.make(caller, input, dryRun);
    res
      .status(201)
      .location(`/transfers/${encodeURIComponent(transfer.transferId)}`)
      .json(restTransfer(transfer));
  });

  router.post('/transfers/batch', async (req, res) => {
    const caller = callerOf(req);
    transfers.allowSeveral(caller);
    const dryRun = dryRunOf(req);
    const sent = readRecord(TransfersRecord, await readJson(req)).transfers;
    await exchangeOf(req).charge(writeUnits(sent.length));
    res.json({ results: (await transfers.makeSeveral(caller, sent.map(newTransferOf), dryRun)).map(restResult) });
  });

  router.post('/transfers/:transferId/reverse', async (req, res) => {
    const caller = callerOf(req);
    transfers.allowReversal(caller);
    const dryRun = dryRunOf(req);
    const { reason } = readRecord(ReasonInput, await readJson(req));
    res.json(restTransfer(await transfers.reverse(caller, req.params.transferId, reason, dryRun)));
  });

  router.get('/transfers/:transferId', noQuery, async (req, res) => {
    res.json(restTransfer(await transfers.get(callerOf(req), req.params.transferId)));
  });

  router.get('/accounts/:accountId/transfers', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TRANSFERS);
    const { accountId } = req.params;
    const request = pageOf(queryOf(req, PAGE_PARAMETERS));
    res.json(listToRest(accountId, request, await transfers.page(caller, accountId, request)));
  });

  return refuseOtherMethods(router);
}

function listToRest(accountId: string, request: PageRequest, { items, total }: Page<TransferView>): object {
  const path = `/accounts/${encodeURIComponent(accountId)}/transfers`;
  return { transfers: items.map(restTransfer), ...besidePage(path, request, total) };
}
