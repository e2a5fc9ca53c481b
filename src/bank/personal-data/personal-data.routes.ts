import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { noQuery } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import { RevealRecord } from './personal-data.inputs.js';
import type { PersonalDataService } from './personal-data.service.js';

/** Personal data as it is. */
export function personalDataRoutes(personalData: PersonalDataService): Router {
  const router = exactRouter();
  router.post('/accounts/:accountId/reveal', noQuery, async (req, res) => {
    const caller = callerOf(req);
    const { accountId } = req.params;
    personalData.allow(caller, accountId);
    const wish = readRecord(RevealRecord, await readJson(req));
    res.json(contractRecord(await personalData.reveal(caller, accountId, wish)));
  });
  return refuseOtherMethods(router);
}
