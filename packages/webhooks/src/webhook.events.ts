import { oneOf, text, type EventType, type FactsByName } from 'tillgate/noun';
import {
  WebhookDisabledReason,
  WebhookEndpointStatus,
  WebhookSigning,
  type WebhookEndpoint,
} from './webhook.entity.js';

/** Makes the facts of the events of endpoints. Of a URL its host alone: the rest may contain a token. */
export function endpointFacts({
  url,
  status,
  disabledReason,
  signing,
}: Pick<WebhookEndpoint, 'url' | 'status' | 'disabledReason' | 'signing'>): FactsByName {
  return { host: new URL(url).host, status, signing, ...(disabledReason !== null && { disabledReason }) };
}

function endpointEvent(type: string, action: string, description: string, example: FactsByName = {}): EventType {
  return {
    type,
    action,
    description,
    scope: 'operations.read',
    isOfProgram: true,
    id: 'endpointId',
    facts: {
      host: text('The host of the URL, and its port if it is not 443.'),
      status: oneOf(
        Object.keys(WebhookEndpointStatus),
        'The status after the event, which tells if events are delivered.',
      ),
      signing: oneOf(Object.keys(WebhookSigning), 'The signature of deliveries.'),
      disabledReason: oneOf(
        Object.keys(WebhookDisabledReason),
        'The reason for which nothing is delivered; absent while events are.',
      ),
    },
    optional: ['disabledReason'],
    example: {
      endpointId: '6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44',
      host: 'bank.example',
      status: 'ENABLED',
      signing: 'V1',
      ...example,
    },
  };
}

const DISABLED = { status: 'DISABLED', disabledReason: 'FAILING' };

export const WEBHOOK_EVENTS: readonly EventType[] = [
  endpointEvent('webhook_endpoint.created', 'webhook_endpoint.create', 'A webhook endpoint was created.'),
  endpointEvent('webhook_endpoint.updated', 'webhook_endpoint.update', 'A webhook endpoint was changed.'),
  endpointEvent('webhook_endpoint.deleted', 'webhook_endpoint.delete', 'A webhook endpoint was deleted.'),
  endpointEvent(
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.rotate_secret',
    'A webhook endpoint got a new secret; the one before it signs for another 24 hours.',
  ),
  endpointEvent(
    'webhook_endpoint.disabled',
    'webhook_endpoint.disable',
    'A webhook endpoint was disabled: by an operator, because it answered 410, or because every delivery failed for 5 days.',
    DISABLED,
  ),
  endpointEvent('webhook_endpoint.enabled', 'webhook_endpoint.enable', 'A webhook endpoint was enabled again.'),
  endpointEvent(
    'webhook_endpoint.recovered',
    'webhook_endpoint.recover',
    'What was not delivered to a webhook endpoint since some instant is delivered again.',
  ),
];
