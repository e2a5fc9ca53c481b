import type { Router } from 'express';
import { readJson } from '../platform/http/body.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import { callerOf } from '../platform/http/exchange.js';
import { contractRecord } from '../platform/http/json.js';
import { PAGE_PARAMETERS, noQuery, pageOf, queryOf } from '../platform/http/query.js';
import { readRecord } from '../platform/input/read-input.js';
import type { Page, PageRequest } from '../shared/page.js';
import type { TokenRevocationView } from './token-revocation.entity.js';
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
    res.json(listToRest(request, await tokens.page(caller, request)));
  });

  router.post('/token-revocations', noQuery, async (req, res) => {
    const caller = callerOf(req);
    tokens.allowRevocation(caller);
    res.json(contractRecord(await tokens.revoke(caller, readRecord(TokenRevocationInput, await readJson(req)))));
  });

  return refuseOtherMethods(router);
}

function listToRest({ offset, limit }: PageRequest, { items, total }: Page<TokenRevocationView>): object {
  const next = offset + limit;
  const hasNext = next < total;
  return {
    tokenRevocations: items.map(contractRecord),
    page: { ...(hasNext && { nextOffset: next }), totalElements: total },
    links: hasNext ? { next: { href: `/token-revocations?offSet=${next}&limit=${limit}` } } : {},
  };
}
