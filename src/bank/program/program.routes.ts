import type { Router } from 'express';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { noQuery } from '../../platform/http/query.js';
import type { ProgramView } from './program.entity.js';
import type { ProgramService } from './program.service.js';

/** The caller's program. */
export function programRoutes(programs: ProgramService): Router {
  const router = exactRouter();
  router.get('/program', noQuery, async (req, res) => {
    res.json(toRest(await programs.get(callerOf(req))));
  });
  return refuseOtherMethods(router);
}

/** Objects that are not on record are absent: an empty text in their place would be of another type. */
function toRest({ logo, transfers, ...program }: ProgramView): object {
  return contractRecord({
    ...withoutNulls(program),
    ...(transfers && { transfers: { ...transfers, limits: transfers.limits.map(withoutNulls) } }),
    ...(logo && { logo: withoutNulls(logo) }),
  });
}

function withoutNulls(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
