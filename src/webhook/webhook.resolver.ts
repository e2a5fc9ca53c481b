import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../platform/graphql/context.js';
import { CursorArgs } from '../platform/graphql/page-args.js';
import { UUID } from '../platform/scalars/scalars.js';
import type { Caller } from '../shared/caller.js';
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
import { Performs } from '../platform/graphql/performs.js';

const ENDPOINT_ID = {
  description: 'The id of the webhook endpoint, such as `6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44`.',
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
    description: `One webhook endpoint of the program; null if it does not exist.`,
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
    description: `Creates a webhook endpoint, and shows its secret once. Events from now on are delivered to it. A retry with the same idempotency key shows the same secret.`,
  })
  createWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('input', () => WebhookEndpointInput, { description: 'The new endpoint.' }) input: WebhookEndpointInput,
  ): Promise<NewSecret> {
    return atPointer('/input', this.service.create(caller, input));
  }

  @Performs(UPDATE_ENDPOINT)
  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description: `Changes a webhook endpoint (JSON merge patch, RFC 7396), also whether it is enabled, and returns the changed record.`,
  })
  updateWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
    @Arg('input', () => WebhookEndpointPatch, { description: 'The changes. A field that is absent stays as it is.' })
    input: WebhookEndpointPatch,
  ): Promise<WebhookEndpointView> {
    return atPointer('/input', this.service.update(caller, endpointId, input));
  }

  @Performs(DELETE_ENDPOINT)
  @Mutation(() => WebhookEndpoint, {
    nullable: true,
    description: `Deletes a webhook endpoint with its deliveries, and returns the deleted record.`,
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
    description: `Gives a webhook endpoint a new secret, and shows it once. For 24 hours deliveries are signed with the secret before it, too.`,
  })
  rotateWebhookSecret(
    @Writer() caller: Caller,
    @Arg('endpointId', () => UUID, ENDPOINT_ID) endpointId: string,
  ): Promise<NewSecret> {
    return this.service.rotateSecret(caller, { endpointId });
  }
}
