import type { Router } from 'express';
import { callerOf } from '../../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../../platform/http/exact-router.js';
import { exactNumber } from '../../../platform/http/json.js';
import { queryOf } from '../../../platform/http/query.js';
import { readInput } from '../../../platform/input/read-input.js';
import { BalanceQuery } from './balance.inputs.js';
import type { BalanceService } from './balance.service.js';
import { READ_TRANSACTIONS } from '../transaction.operations.js';

export function balanceRoutes(balances: BalanceService): Router {
  const router = exactRouter();
  router.get('/accounts/:accountId/balances', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TRANSACTIONS);
    const { from, to } = readInput(BalanceQuery, Object.fromEntries(queryOf(req, ['from', 'to'])));
    const { account, days } = await balances.ofAccount(caller, req.params.accountId, from, to);
    const { accountId, currency } = account;
    res.json({
      accountId,
      currency,
      balances: days.map(({ date, balance }) => ({ date, balance: exactNumber(balance) })),
    });
  });
  return refuseOtherMethods(router);
}
