import {
  FORMS,
  MAX_PAGE_SIZE,
  answer,
  list,
  location,
  pagesBehind,
  parameter,
  record,
  ref,
  type Parameter,
  type Part,
  type RestOperation as Operation,
} from 'tillgate/noun';
import { MAX_ATTEMPTS_SHOWN } from './delivery/deliveries.js';
import { MAX_ANSWER_BYTES, WebhookAttempt, WebhookDelivery, WebhookDeliveryQuery } from './webhook-delivery.js';
import { NotRecoverable, WebhookDeliveryNotFound } from './webhook.errors.js';
import { EVENT_TYPE, WebhookRecoveryInput, WebhookTestInput } from './webhook.inputs.js';
import { ENDPOINT_ID } from './webhook.openapi.js';
import { READ_WEBHOOKS, RECOVER_ENDPOINT, RESEND_DELIVERY, SEND_TEST_EVENT } from './webhook.operations.js';

const ID = '019a2f4e-7c1b-7d0a-8f3e-5b2c9d1e4f60';
const DELIVERY_ID: Parameter = {
  ...parameter('path', 'deliveryId', 'The id of the delivery, in upper or lower case.', FORMS.UUID, ID),
  unknown: () => new WebhookDeliveryNotFound(),
};
const CURSOR = 'MTA0MiAwMTlhMmY0ZS03YzFiLTdkMGEtOGYzZS01YjJjOWQxZTRmNjA';

const ATTEMPT = {
  of: WebhookAttempt,
  differs: {
    error: { pattern: '^([A-Z_]{1,40})?$' },
    answer: { maxLength: MAX_ANSWER_BYTES },
  },
  example: { durationMs: 87, httpStatus: 500, error: '', answer: 'out of order' },
};
const DELIVERY = {
  of: WebhookDelivery,
  differs: { webhookId: { pattern: '^[A-Za-z0-9_-]{1,128}$' }, type: { pattern: EVENT_TYPE.source } },
  example: { status: 'PENDING', attemptCount: 1 },
};

/** What was sent to webhook endpoints. */
export const webhookDeliveryApi: Part = {
  tag: { name: 'Webhook deliveries', description: 'What was sent to webhook endpoints, and what they answered.' },
  records: [
    ATTEMPT,
    DELIVERY,
    {
      ...DELIVERY,
      name: 'WebhookDeliveryDetails',
      description: 'A delivery with its attempts.',
      differs: {
        ...DELIVERY.differs,
        attempts: list(ref('WebhookAttempt'), 'The attempts that were made, the oldest first.', MAX_ATTEMPTS_SHOWN),
      },
    },
  ],
  schemas: {
    WebhookDeliveryPage: record('A page of the deliveries of a webhook endpoint.', {
      webhookDeliveries: list(ref('WebhookDelivery'), 'The newest first.', MAX_PAGE_SIZE),
      links: pagesBehind('deliveries'),
    }),
  },
  operations: {
    listWebhookDeliveries: {
      route: 'GET /webhook-endpoints/{endpointId}/deliveries',
      summary: 'List deliveries to a webhook endpoint',
      description: 'The deliveries of the last 30 days, the newest first, page by page.',
      of: READ_WEBHOOKS,
      parameters: [ENDPOINT_ID],
      query: {
        input: WebhookDeliveryQuery,
        examples: {
          status: 'FAILED',
          accountId: 'demo-1001',
          types: ['transaction.posted'],
          after: CURSOR,
          limit: 25,
        },
        wrong: { types: ['posted'] },
      },
      answers: {
        200: answer('A page of deliveries.', 'WebhookDeliveryPage', {
          links: { next: { href: `/webhook-endpoints/${String(ENDPOINT_ID.example)}/deliveries?after=${CURSOR}` } },
        }),
      },
    },
    sendTestEvent: {
      route: 'POST /webhook-endpoints/{endpointId}/test',
      summary: 'Send a test event',
      description:
        'Sends an event with made up data to the endpoint, whatever types and accounts it is for. Read the delivery to see what became of it.',
      of: SEND_TEST_EVENT,
      parameters: [ENDPOINT_ID],
      body: {
        description: 'The type of the event.',
        input: WebhookTestInput,
        content: { 'application/json': { example: { type: 'transaction.posted' } } },
        wrong: [{ type: 1 }, { type: 'posted' }],
      },
      answers: {
        201: answer(
          'The delivery of the test.',
          'WebhookDelivery',
          { attemptCount: 0 },
          location(`/webhook-deliveries/${ID}`),
        ),
      },
    },
    recoverWebhookEndpoint: {
      route: 'POST /webhook-endpoints/{endpointId}/recover',
      summary: 'Deliver again what was not delivered',
      description:
        'Delivers again what was not delivered to the endpoint since an instant, in order: what failed, and what happened while the endpoint was disabled.',
      of: RECOVER_ENDPOINT,
      parameters: [ENDPOINT_ID],
      body: {
        description: 'The instant.',
        input: WebhookRecoveryInput,
        content: { 'application/json': { example: { since: '2026-03-31T18:05:00.000Z' } } },
        wrong: [{ since: 'yesterday' }],
      },
      answers: { 200: answer('The endpoint.', 'WebhookEndpoint') },
      refusals: () => [new NotRecoverable()],
    },
    getWebhookDelivery: {
      route: 'GET /webhook-deliveries/{deliveryId}',
      summary: 'Get a delivery',
      description: 'One delivery with its attempts.',
      of: READ_WEBHOOKS,
      parameters: [DELIVERY_ID],
      answers: { 200: answer('The delivery.', 'WebhookDeliveryDetails') },
    },
    resendWebhookDelivery: {
      route: 'POST /webhook-deliveries/{deliveryId}/resend',
      summary: 'Send a delivery again',
      description:
        'Sends a delivery again, or now if it waits for its next attempt. The receiver gets the same webhook-id.',
      of: RESEND_DELIVERY,
      parameters: [DELIVERY_ID],
      answers: { 200: answer('The delivery, which is pending.', 'WebhookDelivery') },
    },
  } satisfies Readonly<Record<string, Operation>>,
};
