import type { Router } from 'express';
import { noBody } from '../../../platform/http/body.js';
import { callerOf } from '../../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../../platform/http/exact-router.js';
import { contractRecord } from '../../../platform/http/json.js';
import { PAGE_PARAMETERS, besidePage, noQuery, pageOf, queryOf, valuesOf } from '../../../platform/http/query.js';
import { readInput } from '../../../platform/input/read-input.js';
import { fieldNamesOf, pick } from '../../../platform/repository/fields.js';
import type { RerunService } from './rerun.service.js';
import { LeftOutAccount, StatementRun, StatementRunFilter } from './statement-run.entity.js';
import type { StatementRunService } from './statement-run.service.js';
import { READ_STATEMENT_RUNS } from '../statement.operations.js';

const FILTERS = ['documentType', 'period'] as const;
const RUN_FIELDS = fieldNamesOf(StatementRun);
const ACCOUNT_FIELDS = fieldNamesOf(LeftOutAccount);

/** What was issued to the accounts of the caller's program, and to which of them nothing. */
export function statementRunRoutes(runs: StatementRunService, reruns: RerunService): Router {
  const router = exactRouter();
  const list = '/statement-runs';
  const one = '/statement-runs/:runId';
  const leftOut = '/statement-runs/:runId/left-out';

  router.get(list, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_STATEMENT_RUNS);
    const query = queryOf(req, [...PAGE_PARAMETERS, ...FILTERS]);
    const request = pageOf(query);
    const filter = readInput(StatementRunFilter, valuesOf(query, FILTERS));
    const page = await runs.page(caller, request, filter);
    const statementRuns = page.items.map(run => contractRecord(pick(run, RUN_FIELDS)));
    res.json({
      statementRuns,
      ...besidePage(list, request, page.total, Object.fromEntries(FILTERS.map(name => [name, query.get(name)]))),
    });
  });

  router.get(one, noQuery, async (req, res) => {
    res.json(contractRecord(pick(await runs.get(callerOf(req), req.params.runId), RUN_FIELDS)));
  });

  router.get(leftOut, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_STATEMENT_RUNS);
    const request = pageOf(queryOf(req, PAGE_PARAMETERS));
    const runId = req.params.runId.toLowerCase();
    const page = await runs.leftOutPage(caller, runId, request);
    const leftOutAccounts = page.items.map(account => contractRecord(pick(account, ACCOUNT_FIELDS)));
    res.json({ leftOutAccounts, ...besidePage(`/statement-runs/${runId}/left-out`, request, page.total) });
  });

  router.post('/statement-runs/:runId/rerun', noQuery, async (req, res) => {
    const caller = callerOf(req);
    reruns.allow(caller);
    await noBody(req);
    const run = await reruns.rerun(caller, req.params.runId);
    res
      .status(201)
      .location(`/statement-runs/${run.runId}`)
      .json(contractRecord(pick(run, RUN_FIELDS)));
  });

  return refuseOtherMethods(router);
}
