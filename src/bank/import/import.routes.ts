import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { dryRunOf } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import { IMPORT_NAMES } from './import.names.js';
import { ImportLinesInput } from './import.inputs.js';
import { orderOf, type ImportService } from './import.service.js';

/** Records of the bank, some lines at a time. */
export function importRoutes(imports: ImportService): Router {
  const router = exactRouter();
  for (const kind of IMPORT_NAMES) {
    router.post(`/imports/${kind}`, async (req, res) => {
      const caller = callerOf(req);
      imports.allow(caller);
      const dryRun = dryRunOf(req);
      const order = orderOf(kind, readRecord(ImportLinesInput, await readJson(req)));
      res.json(await imports.import(caller, order, dryRun));
    });
  }
  return refuseOtherMethods(router);
}
