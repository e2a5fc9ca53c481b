import { InvalidInput, refusalsOf } from 'tillgate/noun';

/** Codes about webhook endpoints and their deliveries. */
export const WEBHOOK_PROBLEMS = {
  webhook_endpoint_not_found: [
    'not_found',
    'The program has no such webhook endpoint.',
    'List the webhook endpoints and use an id of that list.',
  ],
  webhook_delivery_not_found: [
    'not_found',
    'The program has no such webhook delivery, or it is older than 30 days.',
    'List the deliveries of the webhook endpoint and use an id of that list.',
  ],
  too_many_webhook_endpoints: [
    'conflict',
    'The program already has the maximum number of webhook endpoints.',
    'Delete an endpoint before you create another.',
  ],
  webhook_endpoint_disabled: [
    'conflict',
    'The webhook endpoint is disabled, so nothing is delivered to it.',
    'Enable the endpoint first.',
  ],
} as const;

const OwnRefusal = refusalsOf(WEBHOOK_PROBLEMS);

/** A program's endpoints are looked at for each of its events. */
export const MAX_ENDPOINTS = 50;
export const MAX_TYPES = 100;
export const MAX_ACCOUNT_IDS = 1000;

export class WebhookEndpointNotFound extends OwnRefusal {
  readonly code = 'webhook_endpoint_not_found';
  constructor() {
    super('The program has no such webhook endpoint.');
  }
}

export class WebhookDeliveryNotFound extends OwnRefusal {
  readonly code = 'webhook_delivery_not_found';
  constructor() {
    super('The program has no such webhook delivery. Deliveries are kept for 30 days.');
  }
}

export class TooManyWebhookEndpoints extends OwnRefusal {
  readonly code = 'too_many_webhook_endpoints';
  constructor() {
    super(`A program has at most ${MAX_ENDPOINTS} webhook endpoints. Delete one before you create another.`);
  }
}

export class WebhookEndpointDisabled extends OwnRefusal {
  readonly code = 'webhook_endpoint_disabled';
  constructor() {
    super('The webhook endpoint is disabled, so nothing is delivered to it. Enable it first.');
  }
}

/** `detail` says what is wrong with the address, and repeats nothing of it: it may contain a token. */
export class BadWebhookUrl extends InvalidInput {
  constructor(detail: string) {
    super('rule_broken', [{ pointer: '/url', code: 'webhook_url', detail }]);
  }
}

/** Deliveries are kept for so long, so nothing older can be recovered. */
export const KEPT_DAYS = 30;

export class NotRecoverable extends InvalidInput {
  constructor() {
    super('rule_broken', [
      { pointer: '/since', code: 'range', detail: `Must be an instant of the last ${KEPT_DAYS} days.` },
    ]);
  }
}
