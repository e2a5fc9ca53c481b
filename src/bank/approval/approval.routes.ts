import type { Router } from 'express';
import { noBody, readJson } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { contractRecord } from '../../platform/http/json.js';
import { linksBehind, noQuery, queryOf, valuesOf } from '../../platform/http/query.js';
import { readInput, readRecord } from '../../platform/input/read-input.js';
import { ApprovalQuery, RejectionInput } from './approval.inputs.js';
import type { Caller } from '../../shared/caller.js';
import type { ApprovalView } from './approval.entity.js';
import type { ApprovalService } from './approval.service.js';
import { READ_APPROVALS, READ_CHANGES } from './approval.operations.js';

const QUERY = ['after', 'limit', 'status'] as const;

/** What waits in the caller's program until another person approves it. */
export function approvalRoutes(approvals: ApprovalService): Router {
  const router = exactRouter();
  /** What would change is for those who may approve. */
  const toRest = async (caller: Caller, approval: ApprovalView): Promise<object> => {
    const isShown = approval.status === 'WAITING' && caller.may(READ_CHANGES);
    const changes = isShown ? await approvals.changes(caller, approval.approvalId) : [];
    return { ...contractRecord(approval), changes: changes.map(contractRecord) };
  };

  router.get('/approvals', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_APPROVALS);
    const query = queryOf(req, QUERY);
    const { after, limit, status } = readInput(ApprovalQuery, valuesOf(query, QUERY));
    const request = { after: after ?? null, first: limit ?? null };
    const page = await approvals.list(caller, request, status ? [status] : null).page();
    const links = linksBehind('/approvals', query, page);
    res.json({ approvals: await Promise.all(page.nodes.map(node => toRest(caller, node))), links });
  });

  router.get('/approvals/:approvalId', noQuery, async (req, res) => {
    const caller = callerOf(req);
    res.json(await toRest(caller, await approvals.get(caller, req.params.approvalId.toLowerCase())));
  });

  router.post('/approvals/:approvalId/approve', noQuery, async (req, res) => {
    const caller = callerOf(req);
    approvals.allow('approve', caller);
    await noBody(req);
    res.json(decided(await approvals.approve(caller, req.params.approvalId.toLowerCase())));
  });

  router.post('/approvals/:approvalId/reject', noQuery, async (req, res) => {
    const caller = callerOf(req);
    approvals.allow('reject', caller);
    const { reason } = readRecord(RejectionInput, await readJson(req));
    res.json(decided(await approvals.reject(caller, req.params.approvalId.toLowerCase(), reason)));
  });

  return refuseOtherMethods(router);
}

/** Nothing is kept of what it would change. */
function decided(approval: ApprovalView): object {
  return { ...contractRecord(approval), changes: [] };
}
