import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { callerOf } from '../../platform/http/exchange.js';
import { contractRecord } from '../../platform/http/json.js';
import { PAGE_PARAMETERS, besidePage, noQuery, pageOf, queryOf } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import { TokenRevocationInput } from './token.inputs.js';
import { READ_REVOCATIONS } from './token.operations.js';
import type { TokenService } from './token.service.js';

/** The access tokens that the caller's program refuses. */
export function tokenRoutes(tokens: TokenService): Router {
  const router = exactRouter();

  router.get('/token-revocations', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_REVOCATIONS);
    const request = pageOf(queryOf(req, PAGE_PARAMETERS));
    const { items, total } = await tokens.page(caller, request);
    res.json({ tokenRevocations: items.map(contractRecord), ...besidePage('/token-revocations', request, total) });
  });

  router.post('/token-revocations', noQuery, async (req, res) => {
    const caller = callerOf(req);
    tokens.allowRevocation(caller);
    res.json(contractRecord(await tokens.revoke(caller, readRecord(TokenRevocationInput, await readJson(req)))));
  });

  return refuseOtherMethods(router);
}
