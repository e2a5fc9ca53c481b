import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import {
  CursorArgs,
  Performs,
  UUID,
  Writer,
  atPointer,
  connectionOf,
  type Caller,
  type Connection,
  type Context,
} from 'tillgate/noun';
import { WebhookEndpoint, WebhookEndpointSecret, type WebhookEndpointView } from './webhook.entity.js';
import { MAX_ENDPOINTS } from './webhook.errors.js';
import { WebhookEndpointInput, WebhookEndpointPatch } from './webhook.inputs.js';
import type { NewSecret } from './webhook.commands.js';
import type { WebhookService } from './webhook.service.js';
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  READ_WEBHOOKS,
  ROTATE_SECRET,
  UPDATE_ENDPOINT,
} from './webhook.operations.js';

const ENDPOINT_ID = {
  description: 'The id that the gateway assigned.',
};

const WebhookEndpointConnection = connectionOf<WebhookEndpointView>(WebhookEndpoint);

@Resolver(() => WebhookEndpoint)
export class WebhookResolver {
  constructor(private readonly service: WebhookService) {}

  @Performs(READ_WEBHOOKS)
  @Query(() => WebhookEndpointConnection, {
    nullable: true,
    description: `The webhook endpoints of the program, the oldest first; at most ${MAX_ENDPOINTS}.`,
  })
  webhookEndpoints(
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<WebhookEndpointView> {
    return new WebhookEndpointConnection(this.service.list(caller, page));
  }

  @Performs(READ_WEBHOOKS)
  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: 'The webhook endpoint with this id; null if there is none.',
  })
  webhookEndpoint(
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
    @Ctx() { caller }: Context,
  ): Promise<WebhookEndpointView | null> {
    return this.service.find(caller, endpointId);
  }

  @Performs(CREATE_ENDPOINT)
  @Mutation(() => WebhookEndpointSecret, {
    nullable: true,
    description: 'Creates an endpoint, and shows its secret.',
  })
  createWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('input', () => WebhookEndpointInput) input: WebhookEndpointInput,
  ): Promise<NewSecret> {
    return atPointer('/input', this.service.create(caller, input));
  }

  @Performs(UPDATE_ENDPOINT)
  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description: 'Changes an endpoint.',
  })
  updateWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
    @Arg('input', () => WebhookEndpointPatch)
    input: WebhookEndpointPatch,
  ): Promise<WebhookEndpointView> {
    return atPointer('/input', this.service.update(caller, endpointId, input));
  }

  @Performs(DELETE_ENDPOINT)
  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description: 'Deletes an endpoint with its deliveries.',
  })
  deleteWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
  ): Promise<WebhookEndpointView> {
    return this.service.delete(caller, { endpointId });
  }

  @Performs(ROTATE_SECRET)
  @Mutation(() => WebhookEndpointSecret, {
    nullable: true,
    description: 'Shows a new secret; the one before signs for 24 hours.',
  })
  rotateWebhookSecret(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
  ): Promise<NewSecret> {
    return this.service.rotateSecret(caller, { endpointId });
  }
}
