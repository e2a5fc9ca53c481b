import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  CursorArgs,
  DateTimeISO,
  Event,
  Performs,
  READ_EVENTS,
  UUID,
  Writer,
  connectionOf,
  type Caller,
  type Connection,
  type Context,
  type EventService,
  type EventView,
} from 'tillgate/noun';
import { MAX_ATTEMPTS_SHOWN, type AttemptView, type DeliveryView } from './delivery/deliveries.js';
import { WebhookAttempt, WebhookDelivery, WebhookDeliveryFilter } from './webhook-delivery.js';
import type { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookEndpoint, type WebhookEndpointView } from './webhook.entity.js';
import { KEPT_DAYS } from './webhook.errors.js';
import type { WebhookService } from './webhook.service.js';
import { READ_WEBHOOKS, RECOVER_ENDPOINT, RESEND_DELIVERY, SEND_TEST_EVENT } from './webhook.operations.js';

const ENDPOINT_ID = {
  description: 'The id that the gateway assigned.',
};
const DELIVERY_ID = { description: 'The id of the delivery, the same for every attempt.' };

const WebhookDeliveryConnection = connectionOf<DeliveryView>(WebhookDelivery);

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointDeliveriesResolver {
  constructor(private readonly service: WebhookDeliveryService) {}

  @Performs(READ_WEBHOOKS)
  @FieldResolver(() => WebhookDeliveryConnection, {
    nullable: true,
    description: `The deliveries of the last ${KEPT_DAYS} days, the newest first.`,
  })
  deliveries(
    @Root() endpoint: WebhookEndpointView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => WebhookDeliveryFilter, { nullable: true })
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
    description: 'The endpoint to which the event is sent.',
  })
  endpoint(@Root() { endpointId }: DeliveryView, @Ctx() { caller }: Context): Promise<WebhookEndpointView | null> {
    return this.endpoints.find(caller, endpointId);
  }

  @Performs(READ_EVENTS)
  @FieldResolver(() => Event, { nullable: true, description: 'The event; null for a test.' })
  event(@Root() { webhookId }: DeliveryView, @Ctx() { caller }: Context): Promise<EventView | null> {
    return this.events.find(caller, webhookId);
  }

  @Performs(READ_WEBHOOKS)
  @Query(() => WebhookDelivery, {
    nullable: true,
    description: 'The delivery with this id; null if there is none.',
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
    description: `The attempts, the oldest first; at most ${MAX_ATTEMPTS_SHOWN}.`,
  })
  attempts(@Root() delivery: DeliveryView, @Ctx() { caller }: Context): Promise<readonly AttemptView[]> {
    return this.service.attempts(caller, delivery);
  }

  @Performs(SEND_TEST_EVENT)
  @Mutation(() => WebhookDelivery, {
    nullable: true,
    description: 'Sends made-up data to an endpoint, whatever types and accounts it is for.',
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
    description: 'Sends a delivery again, or sooner, with the same `webhook-id`.',
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
    description: 'Delivers again what failed or was held back.',
  })
  recoverWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
    @Arg('since', () => DateTimeISO, {
      description: `The time from which deliveries are sent again, within the last ${KEPT_DAYS} days.`,
    })
    since: string,
  ): Promise<WebhookEndpointView> {
    return this.service.recover(caller, { endpointId, since });
  }
}
