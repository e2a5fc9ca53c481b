import type { Router } from 'express';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { PAGE_PARAMETERS, besidePage, noQuery, pageOf, queryOf } from '../../platform/http/query.js';
import { READ_SESSIONS } from './operator-session.operations.js';
import type { OperatorSessionService } from './operator-session.service.js';

/** Who of the caller's program is signed in at the console. */
export function operatorSessionRoutes(sessions: OperatorSessionService): Router {
  const router = exactRouter();

  router.get('/operator-sessions', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_SESSIONS);
    const request = pageOf(queryOf(req, PAGE_PARAMETERS));
    const { items, total } = await sessions.page(caller, request);
    res.json({ operatorSessions: items.map(contractRecord), ...besidePage('/operator-sessions', request, total) });
  });

  router.delete('/operator-sessions/:sessionId', noQuery, async (req, res) => {
    res.json(contractRecord(await sessions.end(callerOf(req), req.params.sessionId.toLowerCase())));
  });

  return refuseOtherMethods(router);
}
