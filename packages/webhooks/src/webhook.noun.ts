import { noun, readManifest, resolver, type EventService, type ProgramCommands, type NounBase } from 'tillgate/noun';
import { AddressGuard } from '../../../lib/guarded-connect/address-guard.js';
import { Deliveries } from './delivery/deliveries.js';
import { takePartInDelivering } from './delivery/delivering.js';
import { NOT_COUNTED } from './delivery/delivery-counts.js';
import { WebhookAttempt, WebhookDelivery, WebhookDistribution, WebhookSender } from './delivery/delivery.entity.js';
import { WebhookDeliveryResolver, WebhookEndpointDeliveriesResolver } from './webhook-delivery.resolver.js';
import { WebhookDelivery as ShownDelivery } from './webhook-delivery.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookCommands } from './webhook.commands.js';
import { WebhookEndpoint } from './webhook.entity.js';
import { WEBHOOK_EVENTS } from './webhook.events.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhookResolver } from './webhook.resolver.js';
import { WebhookService } from './webhook.service.js';
import type { WebhookSettings } from './webhook.settings.js';
import { webhookRest } from './webhook.rest.js';
import { webhookDeliveryRest } from './webhook-delivery.rest.js';
import { CreateWebhooks } from './webhook.migrations.js';
import { WEBHOOK_PROBLEMS } from './webhook.errors.js';

interface Needs {
  readonly events: EventService;
  readonly programCommands: ProgramCommands;
  readonly config: { readonly webhooks: WebhookSettings };
}

export const webhookNoun = noun({
  problems: WEBHOOK_PROBLEMS,
  migrations: [{ name: 'webhooks/1-tables', class: CreateWebhooks }],
  entities: [WebhookEndpoint, WebhookDelivery, WebhookAttempt, WebhookSender, WebhookDistribution],
  events: WEBHOOK_EVENTS,
  services: ({ database, keys, feed: { types }, programCommands, config }: NounBase & Needs) => {
    const endpoints = new WebhookRepository(database, keys);
    const guard = new AddressGuard(config.webhooks.allowNets, config.webhooks.allowLoopback);
    return {
      webhookGuard: guard,
      webhooks: new WebhookService(endpoints, new WebhookCommands(endpoints, programCommands, types, guard)),
      webhookDeliveries: new WebhookDeliveryService(endpoints, new Deliveries(database, keys), programCommands, types),
    };
  },
  resolvers: [
    resolver(WebhookResolver, 'webhooks'),
    resolver(WebhookEndpointDeliveriesResolver, 'webhookDeliveries'),
    resolver(WebhookDeliveryResolver, 'webhookDeliveries', 'webhooks', 'events'),
  ],
  belongToAccount: [ShownDelivery],
  rest: () => [webhookRest, webhookDeliveryRest],
  nodes: of => ({
    WebhookEndpoint: (caller, endpointId = '') => of.webhooks.find(caller, endpointId),
    WebhookDelivery: (caller, deliveryId = '') => of.webhookDeliveries.find(caller, deliveryId),
  }),
  jobs: async (of, { log, metrics }) => {
    const { webhooks: settings } = of.config;
    if (!settings.takesPart) return [];
    const { feed, types } = of.feed;
    const end = await takePartInDelivering({
      ...of,
      ...settings,
      types,
      log,
      head: () => feed.head,
      giveUp: (endpoint, reason) => of.webhooks.giveUp(endpoint, reason),
      guard: of.webhookGuard,
      version: readManifest().version,
      counts: metrics?.deliveries ?? NOT_COUNTED,
    });
    return [end];
  },
});
