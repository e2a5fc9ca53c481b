import type { Request, RequestHandler, Response, Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { sendRecord, versionsIn } from '../../platform/http/conditions.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { exactNumber } from '../../platform/http/json.js';
import { noQuery } from '../../platform/http/query.js';
import type { InputClass } from '../../platform/input/input.js';
import { readRecord } from '../../platform/input/read-input.js';
import type { AccountView } from './account.entity.js';
import { balancesOf } from './balances.entity.js';
import type { AccountService } from './account.service.js';
import type { OpeningService } from './opening/opening.service.js';
import {
  AccountPatchRecord,
  NewAccountRecord,
  OptionalReasonInput,
  ReasonInput,
} from './administration/administration.inputs.js';
import type { AccountStep, OperationsService } from './administration/administration.service.js';

/** One account, and what operators do to it. */
export function accountRoutes(
  accounts: AccountService,
  opening: OpeningService,
  operations: OperationsService,
): Router {
  const router = exactRouter();
  const one = '/accounts/:accountId';

  router.post('/accounts', noQuery, async (req, res) => {
    const caller = callerOf(req);
    opening.allow(caller);
    const account = await opening.open(caller, readRecord(NewAccountRecord, await readJson(req)));
    res.status(201).location(`/accounts/${encodeURIComponent(account.accountId)}`);
    send(req, res, account);
  });

  router.get(one, noQuery, async (req, res) => {
    send(req, res, await accounts.get(callerOf(req), req.params.accountId));
  });

  router.patch(one, noQuery, async (req, res) => {
    const caller = callerOf(req);
    const { accountId } = req.params;
    operations.allowUpdate(caller, accountId);
    const body = await readJson(req, ['application/json', 'application/merge-patch+json']);
    const change = readRecord(AccountPatchRecord, body);
    send(req, res, await operations.update(caller, accountId, change, { versions: versionsIn(req) }));
  });

  const step =
    (name: AccountStep, input: InputClass<{ reason?: string | null }>): RequestHandler<{ accountId: string }> =>
    async (req, res) => {
      const caller = callerOf(req);
      const { accountId } = req.params;
      operations.allow(caller, name, accountId);
      const { reason = null } = readRecord(input, await readJson(req));
      send(req, res, await operations.take(caller, name, accountId, reason, { versions: versionsIn(req) }));
    };
  router.post('/accounts/:accountId/restrict', noQuery, step('restrict', ReasonInput));
  router.post('/accounts/:accountId/unrestrict', noQuery, step('unrestrict', OptionalReasonInput));
  router.post('/accounts/:accountId/close', noQuery, step('close', ReasonInput));

  return refuseOtherMethods(router);
}

function send(req: Request, res: Response, account: AccountView): void {
  sendRecord(req, res, account, toRest(account));
}

function toRest(account: AccountView): object {
  const { accountId, accountType, currency, timeZone, status, openedOn, interestBearing, availableBalance } = account;
  const { currency: _, ...amounts } = balancesOf(account);
  const balances = Object.entries(amounts).map(([name, amount]) => [name, exactNumber(amount)]);
  return {
    accountId,
    accountType,
    currency,
    timeZone,
    status,
    openedOn,
    interestBearing,
    availableBalance: exactNumber(availableBalance),
    balances: Object.fromEntries(balances) as object,
  };
}
