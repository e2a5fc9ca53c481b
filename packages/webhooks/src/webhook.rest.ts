import { FORMS, answer, ref, contractRecord, restOver, type RestPart, type PathParameter } from 'tillgate/noun';
import { SECRET, WebhookEndpoint, type WebhookEndpointView } from './webhook.entity.js';
import { BadWebhookUrl, MAX_ENDPOINTS, WebhookEndpointNotFound } from './webhook.errors.js';
import { WebhookEndpointInput, WebhookEndpointPatch } from './webhook.inputs.js';
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  READ_WEBHOOKS,
  ROTATE_SECRET,
  UPDATE_ENDPOINT,
} from './webhook.operations.js';
import type { NewSecret } from './webhook.commands.js';
import type { WebhookService } from './webhook.service.js';

const ID = '6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44';
export const ENDPOINT_ID: PathParameter = {
  description: 'The id of the webhook endpoint, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
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
  omit: ['version'],
  limits: WebhookEndpointInput,
  differs: { publicKey: { pattern: '^(whpk_[A-Za-z0-9+/]{43}=)?$' } },
  example: { ...EXAMPLE, ...NOT_YET },
};
const NO_URL = () => new BadWebhookUrl('Must begin with https://.');

interface Services {
  readonly webhooks: WebhookService;
}
const rest = restOver<Services>();

/** The endpoints to which events are delivered. */
export const webhookRest: RestPart<Services> = {
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
    listWebhookEndpoints: rest(READ_WEBHOOKS, 'GET /webhook-endpoints', {
      summary: 'List webhook endpoints',
      description: `The webhook endpoints of the program, the oldest first, page by page. A program has at most ${MAX_ENDPOINTS}.`,
      page: {
        name: 'WebhookEndpointPage',
        description: 'A page of the webhook endpoints of the program.',
        elements: ['webhookEndpoints', 'The oldest first.', ref('WebhookEndpoint')],
        next: '/webhook-endpoints?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, page }, { webhooks }) => webhooks.page(caller, page),
      show: restEndpoint,
    }),
    createWebhookEndpoint: rest(CREATE_ENDPOINT, 'POST /webhook-endpoints', {
      summary: 'Create a webhook endpoint',
      description: `Events from now on are delivered to it. The secret is shown in this answer alone, and in its replays under the same idempotency key. A program has at most ${MAX_ENDPOINTS} endpoints.`,
      body: {
        description: 'The new endpoint.',
        input: WebhookEndpointInput,
        example: SENT,
      },
      refusals: () => [NO_URL()],
      run: ({ caller, body }, { webhooks }) => webhooks.create(caller, body),
      created: {
        at: ({ endpoint }) => `/webhook-endpoints/${endpoint.endpointId}`,
        example: `/webhook-endpoints/${ID}`,
      },
      answer: answer('The endpoint that was created, and its secret.', 'WebhookEndpointSecret'),
      show: secretToRest,
    }),
    getWebhookEndpoint: rest(READ_WEBHOOKS, 'GET /webhook-endpoints/{endpointId}', {
      summary: 'Get a webhook endpoint',
      description: 'One webhook endpoint, without its secret.',
      path: { endpointId: ENDPOINT_ID },
      versioned: true,
      run: ({ caller, path }, { webhooks }) => webhooks.get(caller, path.endpointId),
      answer: answer('The endpoint.', 'WebhookEndpoint'),
      show: restEndpoint,
    }),
    updateWebhookEndpoint: rest(UPDATE_ENDPOINT, 'PATCH /webhook-endpoints/{endpointId}', {
      summary: 'Change a webhook endpoint',
      description:
        'A JSON merge patch (RFC 7396): an absent field stays as it is, null or an empty string clears an optional field, and a list is replaced. `status` disables the endpoint, or enables it again.',
      path: { endpointId: ENDPOINT_ID },
      versioned: true,
      body: {
        description: 'The changes.',
        input: WebhookEndpointPatch,
        example: { types: ['transaction.posted', 'card.frozen'] },
        mergePatch: { status: 'DISABLED' },
      },
      refusals: () => [NO_URL()],
      run: ({ caller, path, body, versions }, { webhooks }) =>
        webhooks.update(caller, path.endpointId, body, { versions }),
      answer: answer('The endpoint after the change.', 'WebhookEndpoint'),
      show: restEndpoint,
    }),
    deleteWebhookEndpoint: rest(DELETE_ENDPOINT, 'DELETE /webhook-endpoints/{endpointId}', {
      summary: 'Delete a webhook endpoint',
      description: 'Deletes a webhook endpoint with its deliveries, and returns the deleted record.',
      path: { endpointId: ENDPOINT_ID },
      run: ({ caller, path }, { webhooks }) => webhooks.delete(caller, path),
      answer: answer('The deleted endpoint.', 'WebhookEndpoint'),
      show: restEndpoint,
    }),
    rotateWebhookSecret: rest(ROTATE_SECRET, 'POST /webhook-endpoints/{endpointId}/rotate-secret', {
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Gives the endpoint a new secret, which is shown in this answer alone, and in its replays under the same idempotency key. For 24 hours deliveries are signed with the secret before it, too.',
      path: { endpointId: ENDPOINT_ID },
      run: ({ caller, path }, { webhooks }) => webhooks.rotateSecret(caller, path),
      answer: answer('The endpoint, and its new secret.', 'WebhookEndpointSecret'),
      show: secretToRest,
    }),
  },
};

/** The version is in the `ETag`. */
export function restEndpoint(view: WebhookEndpointView): object {
  const { version: _, ...endpoint } = view;
  return contractRecord(endpoint);
}

/** The endpoint, and behind it the secret, which no other answer has. */
function secretToRest({ endpoint, secret }: NewSecret): object {
  return { ...restEndpoint(endpoint), ...contractRecord({ secret }) };
}
