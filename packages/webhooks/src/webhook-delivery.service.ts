import {
  batcher,
  type Caller,
  type CursorRequest,
  type EventFacts,
  type EventTypes,
  type FactsByName,
  type Listing,
  type ProgramCommands,
} from 'tillgate/noun';
import {
  webhookIdOf,
  type AttemptView,
  type Deliveries,
  type DeliveryFilter,
  type DeliveryView,
} from './delivery/deliveries.js';
import { newDeliveryId } from './delivery/delivery-id.js';
import type { WebhookEndpointRead, WebhookEndpointView } from './webhook.entity.js';
import { KEPT_DAYS, NotRecoverable, WebhookDeliveryNotFound, WebhookEndpointDisabled } from './webhook.errors.js';
import { endpointFacts } from './webhook.events.js';
import { mustBeOf, shown } from './webhook.record.js';
import type { WebhookRepository } from './webhook.repository.js';
import { READ_WEBHOOKS, RECOVER_ENDPOINT, RESEND_DELIVERY, SEND_TEST_EVENT } from './webhook.operations.js';

interface Test {
  readonly endpointId: string;
  readonly type: string;
}
interface Recovery {
  readonly endpointId: string;
  /** An instant in UTC. */
  readonly since: string;
}
interface NamedDelivery {
  readonly deliveryId: string;
}

type ResendFact = { readonly delivery: DeliveryView; readonly isEnabled: boolean } | null;

const KEPT_MS = KEPT_DAYS * 24 * 60 * 60 * 1000;

/** Reads what was sent to endpoints, and does what operators may do about it. */
export class WebhookDeliveryService {
  private readonly attemptsOfEach = batcher<string, readonly AttemptView[]>(async deliveryIds => {
    const found = Map.groupBy(await this.deliveries.attempts(deliveryIds), ({ deliveryId }) => deliveryId);
    return deliveryIds.map(deliveryId => found.get(deliveryId) ?? []);
  });

  constructor(
    private readonly endpoints: WebhookRepository,
    private readonly deliveries: Deliveries,
    private readonly commands: ProgramCommands,
    private readonly types: EventTypes,
  ) {}

  private readonly testing = this.commands.command<Test, WebhookEndpointRead | null, DeliveryView, FactsByName>(
    SEND_TEST_EVENT,
    {
      readFacts: (transaction, requests) => this.endpoints.named(transaction, requests),
      permit: (_program, onFile, { caller, input: { type } }) => {
        const { endpointId, status } = mustBeOf(caller, onFile);
        if (status === 'DISABLED') throw new WebhookEndpointDisabled();
        const { data } = this.types.exampleNamed(type, '/type');
        const deliveryId = newDeliveryId();
        const result: DeliveryView = {
          deliveryId,
          endpointId,
          webhookId: webhookIdOf(deliveryId, null),
          type,
          accountId: null,
          status: 'PENDING',
          createdAt: new Date().toISOString(),
          attemptCount: 0,
          nextAttemptAt: null,
        };
        return { result, draft: data };
      },
      write: accepted =>
        accepted.flatMap(({ result: { deliveryId, endpointId, type }, draft }) =>
          this.deliveries.testing(deliveryId, endpointId, type, draft),
        ),
      event: ({ result }) => eventOf(result),
    },
  );

  /** Throws `WebhookEndpointNotFound`, `WebhookEndpointDisabled`, and `InvalidInput` for an unknown type. */
  async test(caller: Caller, input: Test): Promise<DeliveryView> {
    return await this.testing(caller, input);
  }

  private readonly resending = this.commands.command<NamedDelivery, ResendFact, DeliveryView, null>(RESEND_DELIVERY, {
    readFacts: (transaction, requests) => {
      const keys = requests.map(({ caller: { program }, input: { deliveryId } }) => ({ program, deliveryId }));
      return this.deliveries.each(transaction, keys);
    },
    permit: (_program, found) => {
      if (!found) throw new WebhookDeliveryNotFound();
      if (!found.isEnabled) throw new WebhookEndpointDisabled();
      const { status, attemptCount } = found.delivery;
      const begun = { attemptCount: status === 'PENDING' ? attemptCount : 0, nextAttemptAt: null };
      return { result: { ...found.delivery, status: 'PENDING', ...begun }, draft: null };
    },
    write: accepted =>
      accepted.flatMap(({ result }) => this.deliveries.resending(result.deliveryId, result.endpointId)),
    event: ({ result }) => eventOf(result),
  });

  /** Throws `WebhookDeliveryNotFound`, `WebhookEndpointDisabled`. */
  async resend(caller: Caller, input: NamedDelivery): Promise<DeliveryView> {
    return await this.resending(caller, input);
  }

  private readonly recovering = this.commands.command<Recovery, WebhookEndpointRead | null, WebhookEndpointView, null>(
    RECOVER_ENDPOINT,
    {
      readFacts: (transaction, requests) => this.endpoints.named(transaction, requests),
      permit: (_program, onFile, { caller, input: { since } }) => {
        const endpoint = mustBeOf(caller, onFile);
        const ageMs = Date.now() - Date.parse(since);
        if (ageMs < 0 || ageMs > KEPT_MS) throw new NotRecoverable();
        if (endpoint.status === 'DISABLED') throw new WebhookEndpointDisabled();
        return { result: shown(endpoint), draft: null };
      },
      write: accepted =>
        accepted.map(({ result, input }) => this.deliveries.recovering(result.endpointId, input.since)),
      event: ({ result }) => ({ object: `webhook_endpoint/${result.endpointId}`, data: endpointFacts(result) }),
    },
  );

  /** Throws `WebhookEndpointNotFound`, `WebhookEndpointDisabled`, `NotRecoverable`. */
  async recover(caller: Caller, input: Recovery): Promise<WebhookEndpointView> {
    return await this.recovering(caller, input);
  }

  /** The deliveries of an endpoint of the caller's program, the newest first. Throws `InvalidInput`. */
  list(
    caller: Caller,
    { endpointId }: Pick<WebhookEndpointView, 'endpointId'>,
    request: CursorRequest,
    filter: DeliveryFilter | null,
  ): Listing<DeliveryView> {
    caller.require(READ_WEBHOOKS);
    return this.deliveries.list(endpointId, request, filter);
  }

  /** One delivery to an endpoint of the caller's program, or null. */
  async find(caller: Caller, deliveryId: string): Promise<DeliveryView | null> {
    caller.require(READ_WEBHOOKS);
    return this.deliveries.find(caller.program, deliveryId);
  }

  /** Throws `WebhookDeliveryNotFound`. */
  async get(caller: Caller, deliveryId: string): Promise<DeliveryView> {
    const found = await this.find(caller, deliveryId.toLowerCase());
    if (!found) throw new WebhookDeliveryNotFound();
    return found;
  }

  /** The attempts of a delivery that the caller sees, the oldest first. */
  async attempts(caller: Caller, { deliveryId }: DeliveryView): Promise<readonly AttemptView[]> {
    caller.require(READ_WEBHOOKS);
    return this.attemptsOfEach(deliveryId);
  }
}

/** The outside is not told of these commands. Their events are for people who look into what was done. */
function eventOf({ deliveryId, endpointId, webhookId, type }: DeliveryView): EventFacts {
  return { object: `webhook_delivery/${deliveryId}`, data: { endpointId, webhookId, type } };
}
