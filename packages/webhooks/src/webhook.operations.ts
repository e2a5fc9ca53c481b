import { AccountNotFound, operation } from 'tillgate/noun';
import {
  TooManyWebhookEndpoints,
  WebhookDeliveryNotFound,
  WebhookEndpointDisabled,
  WebhookEndpointNotFound,
} from './webhook.errors.js';

export const READ_WEBHOOKS = operation('webhook_endpoint.read', { scope: 'operations.read' });

export const CREATE_ENDPOINT = operation('webhook_endpoint.create', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new AccountNotFound(), new TooManyWebhookEndpoints()],
});

/** It is one of three commands, by what it changes of `status`: its events say which. */
export const UPDATE_ENDPOINT = operation('webhook_endpoint.update', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new WebhookEndpointNotFound(), new AccountNotFound()],
});
export const ENABLE_ENDPOINT = { ...UPDATE_ENDPOINT, name: 'webhook_endpoint.enable' };
export const DISABLE_ENDPOINT = { ...UPDATE_ENDPOINT, name: 'webhook_endpoint.disable' };

/**
 * The operation by which the gateway itself gives up an endpoint to which nothing can be delivered. Nobody has to
 * approve that.
 */
export const GIVE_UP_ENDPOINT = { ...DISABLE_ENDPOINT, mayWait: false };

export const DELETE_ENDPOINT = operation('webhook_endpoint.delete', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new WebhookEndpointNotFound()],
});

export const ROTATE_SECRET = operation('webhook_endpoint.rotate_secret', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new WebhookEndpointNotFound()],
});

export const SEND_TEST_EVENT = operation('webhook_endpoint.test', {
  scope: 'operations',
  refusals: () => [new WebhookEndpointNotFound(), new WebhookEndpointDisabled()],
});

export const RECOVER_ENDPOINT = operation('webhook_endpoint.recover', {
  scope: 'operations',
  refusals: () => [new WebhookEndpointNotFound(), new WebhookEndpointDisabled()],
});

export const RESEND_DELIVERY = operation('webhook_delivery.resend', {
  scope: 'operations',
  refusals: () => [new WebhookDeliveryNotFound(), new WebhookEndpointDisabled()],
});
