import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  CursorArgs,
  Event,
  Performs,
  READ_EVENTS,
  UuidArg,
  Writer,
  atPointer,
  connectionOf,
  payloadOf,
  type Caller,
  type Connection,
  type Context,
  type EventService,
  type EventView,
  type Payload,
} from 'tillgate/noun';
import { MAX_ATTEMPTS_SHOWN, type AttemptView, type DeliveryView } from './delivery/deliveries.js';
import { WebhookAttempt, WebhookDelivery, WebhookDeliveryFilter } from './webhook-delivery.js';
import type { WebhookDeliveryService } from './webhook-delivery.service.js';
import {
  DELIVERY_ID,
  RecoverWebhookEndpointInput,
  ResendWebhookDeliveryInput,
  SendTestEventInput,
} from './webhook.inputs.js';
import { WebhookEndpoint, type WebhookEndpointView } from './webhook.entity.js';
import { KEPT_DAYS } from './webhook.errors.js';
import type { WebhookService } from './webhook.service.js';
import { READ_WEBHOOKS, RECOVER_ENDPOINT, RESEND_DELIVERY, SEND_TEST_EVENT } from './webhook.operations.js';

const WebhookDeliveryConnection = connectionOf<DeliveryView>(WebhookDelivery);
const SendTestEventPayload = payloadOf<DeliveryView>('sendTestEvent', 'delivery', WebhookDelivery);
const ResendWebhookDeliveryPayload = payloadOf<DeliveryView>('resendWebhookDelivery', 'delivery', WebhookDelivery);
const RecoverWebhookEndpointPayload = payloadOf<WebhookEndpointView>(
  'recoverWebhookEndpoint',
  'endpoint',
  WebhookEndpoint,
);

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
    @UuidArg('deliveryId', DELIVERY_ID) deliveryId: string,
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
  @Mutation(() => SendTestEventPayload, {
    nullable: true,
    description: 'Sends made-up data to an endpoint, whatever types and accounts it is for.',
  })
  async sendTestEvent(
    @Writer() caller: Caller,
    @Arg('input', () => SendTestEventInput) { key, type }: SendTestEventInput,
  ): Promise<Payload> {
    return new SendTestEventPayload(caller, await atPointer('/input', this.service.test(caller, { ...key, type })));
  }

  @Performs(RESEND_DELIVERY)
  @Mutation(() => ResendWebhookDeliveryPayload, {
    nullable: true,
    description: 'Sends a delivery again, or sooner, with the same `webhook-id`.',
  })
  async resendWebhookDelivery(
    @Writer() caller: Caller,
    @Arg('input', () => ResendWebhookDeliveryInput) { key }: ResendWebhookDeliveryInput,
  ): Promise<Payload> {
    return new ResendWebhookDeliveryPayload(caller, await this.service.resend(caller, key));
  }

  @Performs(RECOVER_ENDPOINT)
  @Mutation(() => RecoverWebhookEndpointPayload, {
    nullable: true,
    description: 'Delivers again what failed or was held back.',
  })
  async recoverWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('input', () => RecoverWebhookEndpointInput) { key, since }: RecoverWebhookEndpointInput,
  ): Promise<Payload> {
    const recovering = this.service.recover(caller, { ...key, since });
    return new RecoverWebhookEndpointPayload(caller, await atPointer('/input', recovering));
  }
}
