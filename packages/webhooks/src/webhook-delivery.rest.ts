import {
  FORMS,
  MAX_PAGE_SIZE,
  answer,
  list,
  pagesBehind,
  record,
  ref,
  contractRecord,
  fieldNamesOf,
  pick,
  restOver,
  type RestPart,
  type PathParameter,
} from 'tillgate/noun';
import { MAX_ATTEMPTS_SHOWN } from './delivery/deliveries.js';
import { MAX_ANSWER_BYTES, WebhookAttempt, WebhookDelivery, WebhookDeliveryQuery } from './webhook-delivery.js';
import { NotRecoverable, WebhookDeliveryNotFound } from './webhook.errors.js';
import { EVENT_TYPE, WebhookRecoveryInput, WebhookTestInput } from './webhook.inputs.js';
import { ENDPOINT_ID, restEndpoint } from './webhook.rest.js';
import { READ_WEBHOOKS, RECOVER_ENDPOINT, RESEND_DELIVERY, SEND_TEST_EVENT } from './webhook.operations.js';
import type { WebhookDeliveryService } from './webhook-delivery.service.js';
import type { WebhookService } from './webhook.service.js';

const ID = '019a2f4e-7c1b-7d0a-8f3e-5b2c9d1e4f60';
const DELIVERY_ID: PathParameter = {
  description: 'The id of the delivery, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
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

const ATTEMPT_FIELDS = fieldNamesOf(WebhookAttempt);

interface Services {
  readonly webhooks: WebhookService;
  readonly webhookDeliveries: WebhookDeliveryService;
}
const rest = restOver<Services>();

/** Serves what was sent to webhook endpoints. */
export const webhookDeliveryRest: RestPart<Services> = {
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
    listWebhookDeliveries: rest(READ_WEBHOOKS, 'GET /webhook-endpoints/{endpointId}/deliveries', {
      summary: 'List deliveries to a webhook endpoint',
      description: 'The deliveries of the last 30 days, the newest first, page by page.',
      path: { endpointId: ENDPOINT_ID },
      query: {
        input: WebhookDeliveryQuery,
        examples: {
          status: 'FAILED',
          accountId: 'demo-1001',
          types: ['transaction.posted'],
          after: CURSOR,
          limit: 25,
        },
      },
      run: async ({ caller, path, cursor, query }, { webhooks, webhookDeliveries }) => {
        const { after: _, limit: __, status, ...others } = query;
        const filter = { ...others, statuses: status ? [status] : null };
        const endpoint = await webhooks.get(caller, path.endpointId);
        return webhookDeliveries.list(caller, endpoint, cursor, filter).page();
      },
      slice: 'webhookDeliveries',
      answer: answer('A page of deliveries.', 'WebhookDeliveryPage', {
        links: { next: { href: `/webhook-endpoints/${String(ENDPOINT_ID.example)}/deliveries?after=${CURSOR}` } },
      }),
      show: contractRecord,
    }),
    sendTestEvent: rest(SEND_TEST_EVENT, 'POST /webhook-endpoints/{endpointId}/test', {
      summary: 'Send a test event',
      description:
        'Sends an event with made up data to the endpoint, whatever types and accounts it is for. Read the delivery to see what became of it.',
      path: { endpointId: ENDPOINT_ID },
      body: {
        description: 'The type of the event.',
        input: WebhookTestInput,
        example: { type: 'transaction.posted' },
      },
      run: ({ caller, path: { endpointId }, body: { type } }, { webhookDeliveries }) =>
        webhookDeliveries.test(caller, { endpointId, type }),
      created: { at: ({ deliveryId }) => `/webhook-deliveries/${deliveryId}`, example: `/webhook-deliveries/${ID}` },
      answer: answer('The delivery of the test.', 'WebhookDelivery', { attemptCount: 0 }),
      show: contractRecord,
    }),
    recoverWebhookEndpoint: rest(RECOVER_ENDPOINT, 'POST /webhook-endpoints/{endpointId}/recover', {
      summary: 'Deliver again what was not delivered',
      description:
        'Delivers again what was not delivered to the endpoint since an instant, in order: what failed, and what happened while the endpoint was disabled.',
      path: { endpointId: ENDPOINT_ID },
      body: {
        description: 'The instant.',
        input: WebhookRecoveryInput,
        example: { since: '2026-03-31T18:05:00.000Z' },
      },
      refusals: () => [new NotRecoverable()],
      run: ({ caller, path: { endpointId }, body: { since } }, { webhookDeliveries }) =>
        webhookDeliveries.recover(caller, { endpointId, since }),
      answer: answer('The endpoint.', 'WebhookEndpoint'),
      show: restEndpoint,
    }),
    getWebhookDelivery: rest(READ_WEBHOOKS, 'GET /webhook-deliveries/{deliveryId}', {
      summary: 'Get a delivery',
      description: 'One delivery with its attempts.',
      path: { deliveryId: DELIVERY_ID },
      run: async ({ caller, path }, { webhookDeliveries }) => {
        const delivery = await webhookDeliveries.get(caller, path.deliveryId);
        const attempts = await webhookDeliveries.attempts(caller, delivery);
        return { ...delivery, attempts: attempts.map(attempt => pick(attempt, ATTEMPT_FIELDS)) };
      },
      answer: answer('The delivery.', 'WebhookDeliveryDetails'),
      show: contractRecord,
    }),
    resendWebhookDelivery: rest(RESEND_DELIVERY, 'POST /webhook-deliveries/{deliveryId}/resend', {
      summary: 'Send a delivery again',
      description:
        'Sends a delivery again, or now if it waits for its next attempt. The receiver gets the same webhook-id.',
      path: { deliveryId: DELIVERY_ID },
      run: ({ caller, path }, { webhookDeliveries }) => webhookDeliveries.resend(caller, path),
      answer: answer('The delivery, which is pending.', 'WebhookDelivery'),
      show: contractRecord,
    }),
  },
};
