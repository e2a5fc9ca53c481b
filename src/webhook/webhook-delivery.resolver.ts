import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Event, type EventView } from '../event/event.entity.js';
import { READ_EVENTS } from '../event/event.operations.js';
import type { EventService } from '../event/event.service.js';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, type Context } from '../platform/graphql/context.js';
import { CursorArgs } from '../platform/graphql/page-args.js';
import { DateTimeISO, UUID } from '../platform/scalars/scalars.js';
import type { Caller } from '../shared/caller.js';
import { MAX_ATTEMPTS_SHOWN, type AttemptView, type DeliveryView } from './delivery/deliveries.js';
import { WebhookAttempt, WebhookDelivery, WebhookDeliveryFilter } from './webhook-delivery.js';
import type { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookEndpoint, type WebhookEndpointView } from './webhook.entity.js';
import { KEPT_DAYS } from './webhook.errors.js';
import type { WebhookService } from './webhook.service.js';
import { READ_WEBHOOKS, RECOVER_ENDPOINT, RESEND_DELIVERY, SEND_TEST_EVENT } from './webhook.operations.js';
import { Performs } from '../platform/graphql/performs.js';

const ENDPOINT_ID = {
  description: 'The id of the webhook endpoint, such as `6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44`.',
};
const DELIVERY_ID = { description: 'The id of the delivery, such as `019a2f4e-7c1b-7d0a-8f3e-5b2c9d1e4f60`.' };

const WebhookDeliveryConnection = connectionOf<DeliveryView>(WebhookDelivery);

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointDeliveriesResolver {
  constructor(private readonly service: WebhookDeliveryService) {}

  @Performs(READ_WEBHOOKS)
  @FieldResolver(() => WebhookDeliveryConnection, {
    nullable: true,
    description: `The deliveries to the endpoint, the newest first; those of the last ${KEPT_DAYS} days.`,
  })
  deliveries(
    @Root() endpoint: WebhookEndpointView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => WebhookDeliveryFilter, {
      nullable: true,
      description: 'A filter; without it the list has all elements.',
    })
    filter: WebhookDeliveryFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<DeliveryView> {
    return new WebhookDeliveryConnection(this.service.list(caller, endpoint, page, filter));
  }
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  constructor(
    private readonly service: WebhookDeliveryService,
    private readonly endpoints: WebhookService,
    private readonly events: EventService,
  ) {}

  @Performs(READ_WEBHOOKS)
  @FieldResolver(() => WebhookEndpoint, {
    nullable: true,
    description: 'The endpoint that it is sent to.',
  })
  endpoint(@Root() { endpointId }: DeliveryView, @Ctx() { caller }: Context): Promise<WebhookEndpointView | null> {
    return this.endpoints.find(caller, endpointId);
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => Event, { nullable: true, description: 'What happened; null for a test.' })
  event(@Root() { webhookId }: DeliveryView, @Ctx() { caller }: Context): Promise<EventView | null> {
    return this.events.find(caller, webhookId);
  }

  @Performs(READ_WEBHOOKS)
  @Query(() => WebhookDelivery, {
    nullable: true,
    description: `One delivery to a webhook endpoint of the program; null if it does not exist.`,
  })
  webhookDelivery(
    @Arg('deliveryId', () => UUID, DELIVERY_ID) deliveryId: string,
    @Ctx() { caller }: Context,
  ): Promise<DeliveryView | null> {
    return this.service.find(caller, deliveryId);
  }

  @Performs(READ_WEBHOOKS)
  @FieldResolver(() => [WebhookAttempt], {
    nullable: true,
    description: `The attempts that were made, the oldest first; at most ${MAX_ATTEMPTS_SHOWN}.`,
  })
  attempts(@Root() delivery: DeliveryView, @Ctx() { caller }: Context): Promise<readonly AttemptView[]> {
    return this.service.attempts(caller, delivery);
  }

  @Performs(SEND_TEST_EVENT)
  @Mutation(() => WebhookDelivery, {
    nullable: true,
    description: `Sends an event with made up data to a webhook endpoint, whatever types and accounts it is for.`,
  })
  sendTestEvent(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
    @Arg('type', () => String, { description: 'The type of the event, such as `transaction.posted`.' }) type: string,
  ): Promise<DeliveryView> {
    return this.service.test(caller, { endpointId, type });
  }

  @Performs(RESEND_DELIVERY)
  @Mutation(() => WebhookDelivery, {
    nullable: true,
    description: `Sends a delivery again, or now if it waits for its next attempt. The receiver gets the same \`webhook-id\`.`,
  })
  resendWebhookDelivery(
    @Writer() caller: Caller,
    @Arg('deliveryId', () => UUID, DELIVERY_ID) deliveryId: string,
  ): Promise<DeliveryView> {
    return this.service.resend(caller, { deliveryId });
  }

  @Performs(RECOVER_ENDPOINT)
  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description: `Delivers again what was not delivered to a webhook endpoint since an instant, in order: what failed, and what happened while the endpoint was disabled.`,
  })
  recoverWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
    @Arg('since', () => DateTimeISO, {
      description: `The instant from which on, such as \`2026-03-31T18:05:00.000Z\`; of the last ${KEPT_DAYS} days.`,
    })
    since: string,
  ): Promise<WebhookEndpointView> {
    return this.service.recover(caller, { endpointId, since });
  }
}
