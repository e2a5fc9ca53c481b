import {
  gatewayCaller,
  instantPlaceOf,
  sliceOf,
  windowOf,
  type Caller,
  type CursorRequest,
  type Listing,
  type Page,
  type PageRequest,
  type VersionCondition,
} from 'tillgate/noun';
import type { NamedEndpoint, NewSecret, WebhookCommands } from './webhook.commands.js';
import type { WebhookDisabledReason, WebhookEndpointView } from './webhook.entity.js';
import { WebhookEndpointNotFound } from './webhook.errors.js';
import type { WebhookEndpointInput, WebhookEndpointPatch } from './webhook.inputs.js';
import { placeOf } from './webhook.record.js';
import type { WebhookRepository } from './webhook.repository.js';
import { GIVE_UP_ENDPOINT, READ_WEBHOOKS } from './webhook.operations.js';

/** An endpoint and its program. */
export interface OwnEndpoint {
  readonly endpointId: string;
  readonly program: string;
}

export class WebhookService {
  constructor(
    private readonly repository: WebhookRepository,
    private readonly commands: WebhookCommands,
  ) {}

  /**
   * Throws `TooManyWebhookEndpoints`, `AccountNotFound`, `BadWebhookUrl`, `InvalidInput` for unknown types.
   *
   * A client that lost the answer repeats the request under its key and gets the secret again: without it the endpoint
   * would be of no use. So the secret is in the record of the key until that expires. The record is sealed under the
   * same keys as the secret on its endpoint, and is opened for the same client, subject, key and input alone.
   */
  async create(caller: Caller, input: WebhookEndpointInput, dryRun?: boolean): Promise<NewSecret> {
    return await this.commands.create(caller, input, dryRun);
  }

  /** The new secret is shown as `create` shows it. Throws `WebhookEndpointNotFound`. */
  async rotateSecret(caller: Caller, input: NamedEndpoint): Promise<NewSecret> {
    return await this.commands.rotateSecret(caller, input);
  }

  /** Throws `WebhookEndpointNotFound`. */
  async delete(caller: Caller, input: NamedEndpoint): Promise<WebhookEndpointView> {
    return await this.commands.delete(caller, input);
  }

  /** The endpoints of the caller's program, the oldest first. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest): Listing<WebhookEndpointView> {
    caller.require(READ_WEBHOOKS);
    const window = windowOf(request, (cursor, pointer) => {
      const { at: createdAt, id: endpointId } = instantPlaceOf(cursor, pointer);
      return { createdAt: new Date(createdAt), endpointId };
    });
    return {
      page: async () => sliceOf(await this.repository.between(caller.program, window), window, placeOf),
      total: () => this.repository.total(caller.program),
    };
  }

  /** Like `list`, by offset. */
  async page(caller: Caller, request: PageRequest): Promise<Page<WebhookEndpointView>> {
    caller.require(READ_WEBHOOKS);
    return this.repository.at(caller.program, request);
  }

  /** One endpoint of the caller's program, or null. */
  async find(caller: Caller, endpointId: string): Promise<WebhookEndpointView | null> {
    caller.require(READ_WEBHOOKS);
    return this.repository.find(caller.program, endpointId);
  }

  /** Throws `WebhookEndpointNotFound`. */
  async get(caller: Caller, endpointId: string): Promise<WebhookEndpointView> {
    const found = await this.find(caller, endpointId.toLowerCase());
    if (!found) throw new WebhookEndpointNotFound();
    return found;
  }

  /**
   * Merges a patch. A patch with a status enables or disables the endpoint, and its event says so. Throws
   * `WebhookEndpointNotFound`, `PreconditionFailed`, `AccountNotFound`, `BadWebhookUrl`, `InvalidInput` for unknown types.
   */
  async update(
    caller: Caller,
    endpointId: string,
    patch: WebhookEndpointPatch,
    expected: VersionCondition = {},
    dryRun = false,
  ): Promise<WebhookEndpointView> {
    const { status } = patch;
    const kind = status === undefined ? 'update' : status === 'ENABLED' ? 'enable' : 'disable';
    return await this.commands[kind](caller, { endpointId, patch, ...expected }, dryRun);
  }

  /**
   * Disables an endpoint to which nothing can be delivered, unless it is gone or disabled. That needs no approval.
   */
  async giveUp({ program, endpointId }: OwnEndpoint, reason: WebhookDisabledReason): Promise<void> {
    const caller = gatewayCaller(program, 'webhooks', { scopes: GIVE_UP_ENDPOINT.scopes });
    await this.commands.giveUp(caller, { endpointId, reason });
  }
}
