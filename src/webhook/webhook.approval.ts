import type { Approving, EventFacts } from '../platform/command/command.js';
import type { WebhookEndpointView } from './webhook.entity.js';
import { endpointFacts } from './webhook.events.js';

type Waits<Result> = Approving<unknown, unknown, unknown, Result, unknown>;

function waits<Result>(facts: (result: Result) => Omit<EventFacts, 'object'> & { readonly object: string | null }) {
  const approval: Waits<Result> = {
    needs: ({ changingWebhookEndpoints }) => changingWebhookEndpoints,
    facts: ({ result }) => facts(result),
  };
  return approval;
}

/** The id of an endpoint, and what tells whom it sends what. Of its URL the host alone: the rest may have a token. */
function named(endpoint: WebhookEndpointView): EventFacts {
  const { endpointId, types, accountIds } = endpoint;
  return { object: `webhook_endpoint/${endpointId}`, data: { ...endpointFacts(endpoint), types, accountIds } };
}

/** A new endpoint is made again when it is approved, with an id and a secret that nobody has seen. */
export const NEW_ENDPOINT_WAITS = waits<{ readonly endpoint: WebhookEndpointView }>(({ endpoint }) => ({
  ...named(endpoint),
  object: null,
}));
export const NEW_SECRET_WAITS = waits<{ readonly endpoint: WebhookEndpointView }>(({ endpoint }) => named(endpoint));
export const ENDPOINT_WAITS = waits<WebhookEndpointView>(named);
