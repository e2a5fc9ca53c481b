import type { Router } from 'express';
import {
  PAGE_PARAMETERS,
  besidePage,
  callerOf,
  contractRecord,
  exactRouter,
  noBody,
  noQuery,
  pageOf,
  queryParametersOf as queryOf,
  readJson,
  readRecord,
  refuseOtherMethods,
  type Page,
  type PageRequest,
} from 'tillgate/noun';
import type { WebhookEndpointView } from './webhook.entity.js';
import { WebhookEndpointInput, WebhookEndpointPatch } from './webhook.inputs.js';
import type { NewSecret } from './webhook.commands.js';
import type { WebhookService } from './webhook.service.js';
import { READ_WEBHOOKS } from './webhook.operations.js';

/** The endpoints of the caller's program. */
export function webhookRoutes(webhooks: WebhookService): Router {
  const router = exactRouter();
  const list = '/webhook-endpoints';
  const one = '/webhook-endpoints/:endpointId';
  const rotate = '/webhook-endpoints/:endpointId/rotate-secret';

  router.get(list, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_WEBHOOKS);
    const request = pageOf(queryOf(req, PAGE_PARAMETERS));
    res.json(listToRest(request, await webhooks.page(caller, request)));
  });

  router.post(list, noQuery, async (req, res) => {
    const caller = callerOf(req);
    webhooks.commands.create.allow(caller);
    const created = await webhooks.create(caller, readRecord(WebhookEndpointInput, await readJson(req)));
    res.status(201).location(`/webhook-endpoints/${created.endpoint.endpointId}`).json(secretToRest(created));
  });

  router.get(one, noQuery, async (req, res) => {
    res.json(contractRecord(await webhooks.get(callerOf(req), req.params.endpointId)));
  });

  router.patch(one, noQuery, async (req, res) => {
    const caller = callerOf(req);
    webhooks.allowUpdate(caller);
    const body = await readJson(req, ['application/json', 'application/merge-patch+json']);
    const patch = readRecord(WebhookEndpointPatch, body);
    res.json(contractRecord(await webhooks.update(caller, req.params.endpointId.toLowerCase(), patch)));
  });

  router.delete(one, noQuery, async (req, res) => {
    const endpointId = req.params.endpointId.toLowerCase();
    res.json(contractRecord(await webhooks.delete(callerOf(req), { endpointId })));
  });

  router.post(rotate, noQuery, async (req, res) => {
    const caller = callerOf(req);
    webhooks.commands.rotateSecret.allow(caller);
    await noBody(req);
    const endpointId = req.params.endpointId.toLowerCase();
    res.json(secretToRest(await webhooks.rotateSecret(caller, { endpointId })));
  });

  return refuseOtherMethods(router);
}

/** The endpoint, and behind it the secret, which no other answer has. */
function secretToRest({ endpoint, secret }: NewSecret): object {
  return contractRecord({ ...endpoint, secret });
}

function listToRest(request: PageRequest, { items, total }: Page<WebhookEndpointView>): object {
  return { webhookEndpoints: items.map(contractRecord), ...besidePage('/webhook-endpoints', request, total) };
}
