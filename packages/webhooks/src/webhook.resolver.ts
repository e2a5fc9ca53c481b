import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import {
  CursorArgs,
  Performs,
  UuidArg,
  Writer,
  atPointer,
  connectionOf,
  expecting,
  payloadOf,
  type Caller,
  type Connection,
  type Context,
  type Payload,
} from 'tillgate/noun';
import {
  CreateWebhookEndpointPayload,
  RotateWebhookSecretPayload,
  WebhookEndpoint,
  type WebhookEndpointView,
} from './webhook.entity.js';
import { MAX_ENDPOINTS } from './webhook.errors.js';
import {
  CreateWebhookEndpointInput,
  DeleteWebhookEndpointInput,
  ENDPOINT_ID,
  RotateWebhookSecretInput,
  UpdateWebhookEndpointInput,
} from './webhook.inputs.js';
import type { WebhookService } from './webhook.service.js';
import {
  CREATE_ENDPOINT,
  DELETE_ENDPOINT,
  READ_WEBHOOKS,
  ROTATE_SECRET,
  UPDATE_ENDPOINT,
} from './webhook.operations.js';

const WebhookEndpointConnection = connectionOf<WebhookEndpointView>(WebhookEndpoint);
const UpdateWebhookEndpointPayload = payloadOf<WebhookEndpointView>(
  'updateWebhookEndpoint',
  'endpoint',
  WebhookEndpoint,
);
const DeleteWebhookEndpointPayload = payloadOf<WebhookEndpointView>(
  'deleteWebhookEndpoint',
  'endpoint',
  WebhookEndpoint,
);

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
    @UuidArg('endpointId', ENDPOINT_ID) endpointId: string,
    @Ctx() { caller }: Context,
  ): Promise<WebhookEndpointView | null> {
    return this.service.find(caller, endpointId);
  }

  @Performs(CREATE_ENDPOINT)
  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description: 'Creates an endpoint, and shows its secret.',
  })
  async createWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('input', () => CreateWebhookEndpointInput) { endpoint, dryRun }: CreateWebhookEndpointInput,
  ): Promise<Payload> {
    return new CreateWebhookEndpointPayload(
      caller,
      await atPointer('/input/endpoint', this.service.create(caller, endpoint, dryRun)),
    );
  }

  @Performs(UPDATE_ENDPOINT)
  @Mutation(() => UpdateWebhookEndpointPayload, {
    nullable: true,
    description: 'Changes an endpoint.',
  })
  async updateWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('input', () => UpdateWebhookEndpointInput) { key, patch, expectedVersion, dryRun }: UpdateWebhookEndpointInput,
  ): Promise<Payload> {
    return new UpdateWebhookEndpointPayload(
      caller,
      await atPointer(
        '/input/patch',
        this.service.update(caller, key.endpointId, patch, expecting(expectedVersion), dryRun),
      ),
    );
  }

  @Performs(DELETE_ENDPOINT)
  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description: 'Deletes an endpoint with its deliveries.',
  })
  async deleteWebhookEndpoint(
    @Writer() caller: Caller,
    @Arg('input', () => DeleteWebhookEndpointInput) { key }: DeleteWebhookEndpointInput,
  ): Promise<Payload> {
    return new DeleteWebhookEndpointPayload(caller, await this.service.delete(caller, key));
  }

  @Performs(ROTATE_SECRET)
  @Mutation(() => RotateWebhookSecretPayload, {
    nullable: true,
    description: 'Shows a new secret; the one before signs for 24 hours.',
  })
  async rotateWebhookSecret(
    @Writer() caller: Caller,
    @Arg('input', () => RotateWebhookSecretInput) { key }: RotateWebhookSecretInput,
  ): Promise<Payload> {
    return new RotateWebhookSecretPayload(caller, await this.service.rotateSecret(caller, key));
  }
}
