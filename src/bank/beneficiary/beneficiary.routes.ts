import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { sendRecord, versionsIn } from '../../platform/http/conditions.js';
import { callerOf } from '../../platform/http/exchange.js';
import { contractRecord } from '../../platform/http/json.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { PAGE_PARAMETERS, noQuery, pageOf, queryOf } from '../../platform/http/query.js';
import { readRecord } from '../../platform/input/read-input.js';
import { previousOffset, type Page, type PageRequest } from '../../shared/page.js';
import { pick } from '../../platform/repository/fields.js';
import { BENEFICIARY_FIELDS, NOT_LISTED, type BeneficiaryView } from './beneficiary.entity.js';
import { BeneficiaryChange, BeneficiaryInput, patchOf } from './beneficiary.inputs.js';
import type { BeneficiaryService } from './beneficiary.service.js';

/** The fields of a beneficiary in a list. */
const LISTED = BENEFICIARY_FIELDS.filter(name => !NOT_LISTED.includes(name));

/** Contract 4.1 to 4.5. */
export function beneficiaryRoutes(beneficiaries: BeneficiaryService): Router {
  const router = exactRouter();
  const list = '/accounts/:accountId/beneficiaries';
  const one = '/accounts/:accountId/beneficiaries/:beneficiaryId';

  router.get(list, async (req, res) => {
    const { accountId } = req.params;
    const request = pageOf(queryOf(req, PAGE_PARAMETERS));
    res.json(listToRest(accountId, request, await beneficiaries.page(callerOf(req), accountId, request)));
  });

  router.post(list, noQuery, async (req, res) => {
    const caller = callerOf(req);
    beneficiaries.adding.allow(caller, req.params.accountId);
    const added = await beneficiaries.add(
      caller,
      req.params.accountId,
      readRecord(BeneficiaryInput, await readJson(req)),
    );
    res
      .status(201)
      .location(`/accounts/${encodeURIComponent(req.params.accountId)}/beneficiaries/${added.beneficiaryId}`);
    sendRecord(req, res, added, toRest(added));
  });

  router.get(one, noQuery, async (req, res) => {
    const found = await beneficiaries.get(callerOf(req), req.params.accountId, req.params.beneficiaryId);
    sendRecord(req, res, found, toRest(found));
  });

  router.patch(one, noQuery, async (req, res) => {
    const caller = callerOf(req);
    beneficiaries.updating.allow(caller, req.params.accountId);
    const body = await readJson(req, ['application/json', 'application/merge-patch+json']);
    const beneficiaryId = req.params.beneficiaryId.toLowerCase();
    const patch = patchOf(readRecord(BeneficiaryChange, body), beneficiaryId);
    const change = { beneficiaryId, patch, versions: versionsIn(req) };
    const changed = await beneficiaries.update(caller, req.params.accountId, change);
    sendRecord(req, res, changed, toRest(changed));
  });

  router.delete(one, noQuery, async (req, res) => {
    const beneficiaryId = req.params.beneficiaryId.toLowerCase();
    const deletion = { beneficiaryId, versions: versionsIn(req) };
    res.json(toRest(await beneficiaries.delete(callerOf(req), req.params.accountId, deletion)));
  });

  return refuseOtherMethods(router);
}

/** Contract 2.1. */
function toRest(beneficiary: BeneficiaryView): object {
  return contractRecord(pick(beneficiary, BENEFICIARY_FIELDS));
}

function listToRest(
  accountId: string,
  { offset, limit }: PageRequest,
  { items, total }: Page<BeneficiaryView>,
): object {
  const next = offset + limit;
  const hasNext = next < total;
  const previous = previousOffset({ offset, limit }, total);
  return {
    accountBeneficiaries: items.map(item => contractRecord(pick(item, LISTED))),
    page: {
      ...(hasNext && { nextOffset: String(next) }),
      ...(previous !== null && { prevOffset: String(previous) }),
      totalElements: total,
    },
    links: hasNext
      ? {
          next: {
            href: `/accounts/${encodeURIComponent(accountId)}/beneficiaries?offSet=${next}&limit=${limit}`,
            action: 'GET',
            rel: 'next',
            types: ['application/json'],
          },
        }
      : {},
  };
}
