import type { ApprovalChange, ApprovalPolicy, EventFacts } from 'tillgate/noun';
import type { WebhookEndpointRead, WebhookEndpointView } from './webhook.entity.js';
import { endpointFacts } from './webhook.events.js';

type EndpointApproval<Fact, Result> = Pick<
  ApprovalPolicy<unknown, unknown, Fact, Result, unknown>,
  'needs' | 'facts' | 'changes'
>;
type EndpointFacts = Omit<EventFacts, 'object'> & { readonly object: string | null };

/** The fields of an endpoint that an approver compares. The URL is whole: an approver must see where events go. */
const COMPARED = ['url', 'description', 'types', 'accountIds', 'status', 'signing', 'previousValidUntil'] as const;

function waits<Fact, Result>(
  facts: (result: Result) => EndpointFacts,
  changes: (fact: Fact, result: Result) => readonly ApprovalChange[],
): EndpointApproval<Fact, Result> {
  return {
    needs: ({ changingWebhookEndpoints }) => changingWebhookEndpoints,
    facts: ({ result }) => facts(result),
    changes: ({ fact, result }) => changes(fact, result),
  };
}

/** The id of an endpoint, and what tells whom it sends what. Of its URL the host alone: the rest may have a token. */
function named(endpoint: WebhookEndpointView): EventFacts {
  const { endpointId, types, accountIds } = endpoint;
  return { object: `webhook_endpoint/${endpointId}`, data: { ...endpointFacts(endpoint), types, accountIds } };
}

/** The fields that differ. Null where there is no endpoint before, or after. */
function differences(before: WebhookEndpointView | null, after: WebhookEndpointView | null): ApprovalChange[] {
  return COMPARED.map(field => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) })).filter(
    change => change.before !== change.after,
  );
}

function textOf(value: string | readonly string[] | null | undefined): string | null {
  return (typeof value === 'string' ? value : value?.join(', ')) || null;
}

interface NewEndpoint {
  readonly endpoint: WebhookEndpointView;
}
type FoundEndpoint = WebhookEndpointRead | null;

/** A new endpoint is made again when it is approved, with an id and a secret that nobody has seen. */
export const NEW_ENDPOINT_WAITS = waits<unknown, NewEndpoint>(
  ({ endpoint }) => ({ ...named(endpoint), object: null }),
  (_fact, { endpoint }) => differences(null, endpoint),
);
export const NEW_SECRET_WAITS = waits<FoundEndpoint, NewEndpoint>(
  ({ endpoint }) => named(endpoint),
  (found, { endpoint }) => [
    { field: 'secret', before: 'in use', after: 'a new one' },
    ...differences(found, endpoint).filter(({ field }) => field === 'previousValidUntil'),
  ],
);
export const ENDPOINT_WAITS = waits<{ readonly onFile: FoundEndpoint }, WebhookEndpointView>(
  named,
  ({ onFile }, after) => differences(onFile, after),
);
export const DELETION_WAITS = waits<FoundEndpoint, WebhookEndpointView>(named, found => differences(found, null));
