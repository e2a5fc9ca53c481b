import type { Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { sendRecord, versionsIn } from '../../platform/http/conditions.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { linksBehind, noQuery, queryOf, valuesOf } from '../../platform/http/query.js';
import { readInput, readRecord } from '../../platform/input/read-input.js';
import type { Caller } from '../../shared/caller.js';
import { OtherCustomer } from './customer.errors.js';
import { CustomerChange, CustomerInput, CustomerQuery, type CustomerPatch } from './customer.inputs.js';
import type { CustomerService } from './customer.service.js';
import type { CustomerView } from './owner.entity.js';
import { customerToRest } from './customer.openapi.js';
import { READ_CUSTOMERS } from './customer.operations.js';
import type { OwnerService } from './owner.service.js';

const QUERY = ['after', 'limit'] as const;

/** The customers of the caller's program. */
export function customerRoutes(customers: CustomerService, owners: OwnerService): Router {
  const router = exactRouter();
  const one = '/customers/:customerId';
  const toRest = (caller: Caller, customer: CustomerView) => customerToRest(owners, caller, customer);

  router.get('/customers', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_CUSTOMERS);
    const query = queryOf(req, QUERY);
    const { after, limit } = readInput(CustomerQuery, valuesOf(query, QUERY));
    const page = await customers.page(caller, { after: after ?? null, first: limit ?? null });
    const links = linksBehind('/customers', query, page);
    res.json({ customers: await Promise.all(page.nodes.map(node => toRest(caller, node))), links });
  });

  router.post('/customers', noQuery, async (req, res) => {
    const caller = callerOf(req);
    customers.creating.allow(caller);
    const created = await customers.create(caller, readRecord(CustomerInput, await readJson(req)));
    res.status(201).location(`/customers/${created.customerId}`);
    sendRecord(req, res, created, await toRest(caller, created));
  });

  router.get(one, noQuery, async (req, res) => {
    const caller = callerOf(req);
    const found = await customers.get(caller, req.params.customerId.toLowerCase());
    sendRecord(req, res, found, await toRest(caller, found));
  });

  router.patch(one, noQuery, async (req, res) => {
    const caller = callerOf(req);
    customers.updating.allow(caller);
    const body = await readJson(req, ['application/json', 'application/merge-patch+json']);
    const customerId = req.params.customerId.toLowerCase();
    const patch = patchOf(readRecord(CustomerChange, body), customerId);
    const changed = await customers.update(caller, { customerId, patch, versions: versionsIn(req) });
    sendRecord(req, res, changed, await toRest(caller, changed));
  });

  return refuseOtherMethods(router);
}

/** The changes without the id that may come with them. Throws `OtherCustomer` if it is not the one of the path. */
function patchOf({ customerId, ...patch }: CustomerChange, ofPath: string): CustomerPatch {
  if (customerId && customerId !== ofPath) throw new OtherCustomer();
  return patch;
}
