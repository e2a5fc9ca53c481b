import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointPatch,
  WebhookEndpointSecret,
} from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { Filters, Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

/** To verify what comes to an endpoint, see `verifyWebhook` of `@tillgate/client/webhooks`. */
export class WebhookEndpoints {
  constructor(private readonly rest: Rest) {}

  list(options: CallOptions = {}): Listing<WebhookEndpoint> {
    return this.rest.list('GET /webhook-endpoints', options, page => page.webhookEndpoints);
  }

  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.rest.call('GET /webhook-endpoints/{endpointId}', { path: { endpointId }, ...options });
  }

  /** The answer has the secret, which is not shown again. */
  create(endpoint: WebhookEndpointInput, options?: WriteOptions): Promise<WebhookEndpointSecret> {
    return this.rest.call('POST /webhook-endpoints', { body: endpoint, ...options });
  }

  update(endpointId: string, patch: WebhookEndpointPatch, options?: WriteOptions): Promise<WebhookEndpoint> {
    return this.rest.call('PATCH /webhook-endpoints/{endpointId}', { path: { endpointId }, body: patch, ...options });
  }

  delete(endpointId: string, options?: WriteOptions): Promise<WebhookEndpoint> {
    return this.rest.call('DELETE /webhook-endpoints/{endpointId}', { path: { endpointId }, ...options });
  }

  /** The old secret signs as well for a day. */
  rotateSecret(endpointId: string, options?: WriteOptions): Promise<WebhookEndpointSecret> {
    return this.rest.call('POST /webhook-endpoints/{endpointId}/rotate-secret', { path: { endpointId }, ...options });
  }

  /** Sends an event of this type that did not happen. */
  test(endpointId: string, type: string, options?: WriteOptions): Promise<WebhookDelivery> {
    const call = { path: { endpointId }, body: { type }, ...options };
    return this.rest.call('POST /webhook-endpoints/{endpointId}/test', call);
  }

  /** Delivers again what was not delivered since then. */
  recover(endpointId: string, since: string, options?: WriteOptions): Promise<WebhookEndpoint> {
    const call = { path: { endpointId }, body: { since }, ...options };
    return this.rest.call('POST /webhook-endpoints/{endpointId}/recover', call);
  }

  /** The newest first. */
  deliveries(
    endpointId: string,
    filters?: Filters<'GET /webhook-endpoints/{endpointId}/deliveries'>,
    options?: CallOptions,
  ): Listing<WebhookDelivery> {
    const call = { path: { endpointId }, query: { ...filters }, ...options };
    return this.rest.list('GET /webhook-endpoints/{endpointId}/deliveries', call, page => page.webhookDeliveries);
  }

  resend(deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery> {
    return this.rest.call('POST /webhook-deliveries/{deliveryId}/resend', { path: { deliveryId }, ...options });
  }
}
