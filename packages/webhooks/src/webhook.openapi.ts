import { FORMS, answer, location, parameter, ref, type Parameter, type Part } from 'tillgate/noun';
import { SECRET, WebhookEndpoint } from './webhook.entity.js';
import { BadWebhookUrl, MAX_ENDPOINTS, WebhookEndpointNotFound } from './webhook.errors.js';
import { WebhookEndpointInput, WebhookEndpointPatch } from './webhook.inputs.js';
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  READ_WEBHOOKS,
  ROTATE_SECRET,
  UPDATE_ENDPOINT,
} from './webhook.operations.js';

const LIST = '/webhook-endpoints';
const ONE = '/webhook-endpoints/{endpointId}';

const ID = '6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44';
export const ENDPOINT_ID: Parameter = {
  ...parameter('path', 'endpointId', 'The id of the webhook endpoint, in upper or lower case.', FORMS.UUID, ID),
  unknown: () => new WebhookEndpointNotFound(),
};

const SENT = {
  url: 'https://bank.example/hooks/tillgate',
  description: 'Core ledger',
  types: ['transaction.posted'],
  accountIds: ['demo-1001'],
  signing: 'V1',
};
const EXAMPLE = { ...SENT, endpointId: ID, status: 'ENABLED', disabledReason: '', publicKey: '' };
const NOT_YET = { previousValidUntil: '', failingSince: '' };

const shown = {
  of: WebhookEndpoint,
  limits: WebhookEndpointInput,
  differs: { publicKey: { pattern: '^(whpk_[A-Za-z0-9+/]{43}=)?$' } },
  example: { ...EXAMPLE, ...NOT_YET },
};
const NO_URL = () => new BadWebhookUrl('Must begin with https://.');

/** The endpoints to which events are delivered. */
export const webhookApi: Part = {
  tag: {
    name: 'Webhooks',
    description: "Addresses of the program's systems to which its events are delivered, signed (Standard Webhooks).",
  },
  records: [
    shown,
    {
      ...shown,
      name: 'WebhookEndpointSecret',
      description: 'A webhook endpoint and its new secret, which is shown this once.',
      differs: {
        ...shown.differs,
        secret: {
          type: 'string',
          description: `${SECRET} Empty for V1A: its receivers verify with publicKey.`,
          pattern: '^(whsec_[A-Za-z0-9+/]{43}=)?$',
        },
      },
      example: { ...shown.example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3k0V2s5yQ8c=' },
    },
  ],
  operations: {
    listWebhookEndpoints: {
      route: `GET ${LIST}`,
      summary: 'List webhook endpoints',
      description: `The webhook endpoints of the program, the oldest first, page by page. A program has at most ${MAX_ENDPOINTS}.`,
      of: READ_WEBHOOKS,
      page: {
        name: 'WebhookEndpointPage',
        description: 'A page of the webhook endpoints of the program.',
        elements: ['webhookEndpoints', 'The oldest first.', ref('WebhookEndpoint')],
        next: '/webhook-endpoints?offSet=1&limit=1',
        hasNumbers: true,
      },
    },
    createWebhookEndpoint: {
      route: `POST ${LIST}`,
      summary: 'Create a webhook endpoint',
      description: `Events from now on are delivered to it. The secret is shown in this answer alone, and in its replays under the same idempotency key. A program has at most ${MAX_ENDPOINTS} endpoints.`,
      of: CREATE_ENDPOINT,
      body: {
        description: 'The new endpoint.',
        input: WebhookEndpointInput,
        content: { 'application/json': { example: SENT } },
        wrong: [{ signing: 'V2', colour: 'red' }, { types: ['posted'] }],
      },
      answers: {
        201: answer(
          'The endpoint that was created, and its secret.',
          'WebhookEndpointSecret',
          undefined,
          location(`/webhook-endpoints/${ID}`),
        ),
      },
      refusals: () => [NO_URL()],
    },
    getWebhookEndpoint: {
      route: `GET ${ONE}`,
      summary: 'Get a webhook endpoint',
      description: 'One webhook endpoint, without its secret.',
      of: READ_WEBHOOKS,
      parameters: [ENDPOINT_ID],
      answers: { 200: answer('The endpoint.', 'WebhookEndpoint') },
    },
    updateWebhookEndpoint: {
      route: `PATCH ${ONE}`,
      summary: 'Change a webhook endpoint',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. `status` disables the endpoint, or enables it again.',
      of: UPDATE_ENDPOINT,
      parameters: [ENDPOINT_ID],
      body: {
        description: 'The changes.',
        input: WebhookEndpointPatch,
        content: {
          'application/json': { example: { types: ['transaction.posted', 'card.frozen'] } },
          'application/merge-patch+json': { example: { status: 'DISABLED' } },
        },
        wrong: [{ types: 'all' }],
      },
      answers: { 200: answer('The endpoint after the change.', 'WebhookEndpoint') },
      refusals: () => [NO_URL()],
    },
    deleteWebhookEndpoint: {
      route: `DELETE ${ONE}`,
      summary: 'Delete a webhook endpoint',
      description: 'Deletes a webhook endpoint with its deliveries, and returns the deleted record.',
      of: DELETE_ENDPOINT,
      parameters: [ENDPOINT_ID],
      answers: { 200: answer('The deleted endpoint.', 'WebhookEndpoint') },
    },
    rotateWebhookSecret: {
      route: `POST ${ONE}/rotate-secret`,
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Gives the endpoint a new secret, which is shown in this answer alone, and in its replays under the same idempotency key. For 24 hours deliveries are signed with the secret before it, too.',
      of: ROTATE_SECRET,
      parameters: [ENDPOINT_ID],
      answers: { 200: answer('The endpoint, and its new secret.', 'WebhookEndpointSecret') },
    },
  },
};
