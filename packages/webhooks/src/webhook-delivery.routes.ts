import type { Router } from 'express';
import {
  callerOf,
  contractRecord,
  exactRouter,
  fieldNamesOf,
  linksBehind,
  noBody,
  noQuery,
  pick,
  queryParametersOf as queryOf,
  readInput,
  readJson,
  readRecord,
  refuseOtherMethods,
  valuesOf,
} from 'tillgate/noun';
import { WebhookAttempt, WebhookDeliveryQuery } from './webhook-delivery.js';
import type { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookRecoveryInput, WebhookTestInput } from './webhook.inputs.js';
import type { WebhookService } from './webhook.service.js';
import { READ_WEBHOOKS } from './webhook.operations.js';

const ATTEMPT_FIELDS = fieldNamesOf(WebhookAttempt);
const SINGLE = ['after', 'limit', 'status', 'accountId'] as const;
const LISTS = ['types'] as const;

/** What was sent to the endpoints of the caller's program. */
export function webhookDeliveryRoutes(deliveries: WebhookDeliveryService, webhooks: WebhookService): Router {
  const router = exactRouter();
  const list = '/webhook-endpoints/:endpointId/deliveries';
  const test = '/webhook-endpoints/:endpointId/test';
  const recover = '/webhook-endpoints/:endpointId/recover';
  const one = '/webhook-deliveries/:deliveryId';
  const resend = '/webhook-deliveries/:deliveryId/resend';

  router.get(list, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_WEBHOOKS);
    const query = queryOf(req, SINGLE, LISTS);
    const { after, limit, ...filter } = readInput(WebhookDeliveryQuery, valuesOf(query, SINGLE, { lists: LISTS }));
    const endpoint = await webhooks.get(caller, req.params.endpointId);
    const request = { after: after ?? null, first: limit ?? null };
    const page = await deliveries.list(caller, endpoint, request, filter).page();
    const links = linksBehind(`/webhook-endpoints/${endpoint.endpointId}/deliveries`, query, page);
    res.json({ webhookDeliveries: page.nodes.map(contractRecord), links });
  });

  router.post(test, noQuery, async (req, res) => {
    const caller = callerOf(req);
    deliveries.testing.allow(caller);
    const { type } = readRecord(WebhookTestInput, await readJson(req));
    const endpointId = req.params.endpointId.toLowerCase();
    const sent = await deliveries.test(caller, { endpointId, type });
    res.status(201).location(`/webhook-deliveries/${sent.deliveryId}`).json(contractRecord(sent));
  });

  router.post(recover, noQuery, async (req, res) => {
    const caller = callerOf(req);
    deliveries.recovering.allow(caller);
    const { since } = readRecord(WebhookRecoveryInput, await readJson(req));
    const endpointId = req.params.endpointId.toLowerCase();
    res.json(contractRecord(await deliveries.recover(caller, { endpointId, since })));
  });

  router.get(one, noQuery, async (req, res) => {
    const caller = callerOf(req);
    const delivery = await deliveries.get(caller, req.params.deliveryId);
    const attempts = await deliveries.attempts(caller, delivery);
    res.json(contractRecord({ ...delivery, attempts: attempts.map(attempt => pick(attempt, ATTEMPT_FIELDS)) }));
  });

  router.post(resend, noQuery, async (req, res) => {
    const caller = callerOf(req);
    deliveries.resending.allow(caller);
    await noBody(req);
    const deliveryId = req.params.deliveryId.toLowerCase();
    res.json(contractRecord(await deliveries.resend(caller, { deliveryId })));
  });

  return refuseOtherMethods(router);
}
