import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  DataClasses,
  DateTimeISO,
  Node,
  NodeKey,
  Renamed,
  Sealed,
  UUID,
  VERSION,
  fieldNamesOf,
  Payload,
  type Caller,
} from 'tillgate/noun';

export const WebhookEndpointStatus = { ENABLED: 'ENABLED', DISABLED: 'DISABLED' } as const;
export type WebhookEndpointStatus = keyof typeof WebhookEndpointStatus;
registerEnumType(WebhookEndpointStatus, {
  name: 'WebhookEndpointStatus',
  description: 'The status of a webhook endpoint, which tells if events are delivered.',
  valuesConfig: {
    ENABLED: { description: 'Events are delivered.' },
    DISABLED: { description: 'Nothing is delivered until it is enabled again.' },
  },
});

export const WebhookDisabledReason = { OPERATOR: 'OPERATOR', GONE: 'GONE', FAILING: 'FAILING' } as const;
export type WebhookDisabledReason = keyof typeof WebhookDisabledReason;
registerEnumType(WebhookDisabledReason, {
  name: 'WebhookDisabledReason',
  description: 'The reason for which nothing is delivered to a webhook endpoint.',
  valuesConfig: {
    OPERATOR: { description: 'Somebody disabled the endpoint by `updateWebhookEndpoint`.' },
    GONE: { description: 'The endpoint answered 410 Gone.' },
    FAILING: { description: 'Every delivery to the endpoint failed for 5 days.' },
  },
});

export const WebhookSigning = { V1: 'V1', V1A: 'V1A' } as const;
export type WebhookSigning = keyof typeof WebhookSigning;
registerEnumType(WebhookSigning, {
  name: 'WebhookSigning',
  description: 'The signature of deliveries (Standard Webhooks).',
  valuesConfig: {
    V1: {
      description: 'HMAC-SHA-256 with a secret, which every package verifies.',
    },
    V1A: {
      description: 'Ed25519, which `verifyWebhook` of `@tillgate/client` verifies.',
    },
  },
});

/** The description of the answer that shows a secret. */
export const SECRET =
  'What signs deliveries and verifies them: `whsec_` and the base64 of 32 bytes. It is shown only now; keep it as you keep passwords.';

/**
 * The sealed texts of an endpoint, with the prefixes of Standard Webhooks, `whsec_` for V1 and `whsk_` for V1A.
 * `previous` signs as well until `previousValidUntil`.
 */
export interface WebhookSecrets {
  readonly current: string;
  readonly previous: string | null;
}

/** An address of a program's own systems to which its events are delivered. */
@Entity({ tableName: 'webhook_endpoint' })
@DataClasses<WebhookEndpoint>({
  kept: 'until it is deleted',
  internal: [
    'program',
    'description',
    'types',
    'status',
    'disabledReason',
    'signing',
    'publicKey',
    'previousValidUntil',
    'fromPosition',
    'failingSince',
    'version',
    'createdAt',
    'updatedAt',
  ],
  identifier: ['endpointId', 'accountIds'],
  secret: {
    url: 'in the clear: operators see where events go; logs and events name its host alone',
    sealed: 'sealed',
  },
})
@Index({ properties: ['program', 'createdAt', 'endpointId'] })
@Check({ name: 'webhook_endpoint_disabled', expression: "(status = 'DISABLED') = (disabled_reason is not null)" })
@NodeKey('endpointId')
@ObjectType({
  description: 'An HTTPS address to which events are delivered, signed.',
  implements: Node,
  simpleResolvers: true,
})
export class WebhookEndpoint {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, {
    description: 'The id that the gateway assigned.',
  })
  endpointId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The address, such as `https://bank.example/hooks/tillgate`.' })
  url!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The description for operators, such as `Core ledger`.',
  })
  description!: string | null;

  @Property({ type: 'array' })
  @Field(() => [String], {
    description: 'The types of events that are delivered, such as `transaction.posted`; empty for all.',
  })
  types!: readonly string[];

  @Property({ type: 'array' })
  @Field(() => [ID], {
    description: 'The accounts whose events are delivered, such as `demo-1001`; empty for all.',
  })
  accountIds!: readonly string[];

  @Property({ type: 'text' })
  @Field(() => WebhookEndpointStatus, { description: 'The status, which tells if events are delivered.' })
  status!: WebhookEndpointStatus;

  @Property({ type: 'text', nullable: true })
  @Field(() => WebhookDisabledReason, {
    nullable: true,
    description: 'The reason for which nothing is delivered; null while the endpoint is enabled.',
  })
  disabledReason!: WebhookDisabledReason | null;

  @Property({ type: 'text' })
  @Field(() => WebhookSigning, { description: 'The signature of deliveries.' })
  signing!: WebhookSigning;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The public key for V1A: `whpk_` and the base64 of 32 bytes; null for V1.',
  })
  publicKey!: string | null;

  /** `WebhookSecrets`: with what its deliveries are signed. */
  @Sealed({ as: 'secrets' })
  @Property({ type: 'blob' })
  sealed!: Buffer;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Renamed('previousSecretExpiresAt')
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time until which the secret before the last rotation signs as well; null if none does.',
  })
  previousValidUntil!: Date | null;

  /** The position in the feed up to which events are not delivered. */
  @Property({ type: new BigIntType('number') }) fromPosition!: number;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Renamed('failingSinceAt')
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time since which every delivery failed.',
  })
  failingSince!: Date | null;

  /** One more after each change by a command. */
  @Property({ type: 'integer', default: 1 })
  @Field(() => Int, { description: VERSION })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the endpoint was created.' })
  createdAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, {
    description: 'The time at which a command last changed the record.',
  })
  updatedAt!: Date;
}

/** An endpoint as it is shown. */
export type WebhookEndpointView = Readonly<
  Omit<
    WebhookEndpoint,
    'program' | 'sealed' | 'fromPosition' | 'previousValidUntil' | 'failingSince' | 'createdAt' | 'updatedAt'
  >
> & {
  readonly previousValidUntil: string | null;
  readonly failingSince: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** An endpoint as it is read. Its secrets are opened when they are looked at. */
export type WebhookEndpointRead = WebhookEndpointView &
  Readonly<Pick<WebhookEndpoint, 'program' | 'fromPosition'>> & { readonly secrets: WebhookSecrets };

/** The fields of an endpoint as it is shown, in their order. */
export const WEBHOOK_ENDPOINT_FIELDS = fieldNamesOf(WebhookEndpoint);

/** The result of a mutation that makes a secret, which is shown this once. */
@ObjectType()
abstract class SecretPayload extends Payload {
  constructor(caller: Caller, { endpoint, secret }: Pick<SecretPayload, 'endpoint' | 'secret'>) {
    super(caller);
    this.endpoint = endpoint;
    this.secret = secret;
  }

  @Field(() => WebhookEndpoint, {
    description: 'The endpoint whose deliveries the secret signs from now on.',
  })
  readonly endpoint: WebhookEndpointView;

  @Field(() => String, {
    nullable: true,
    description: 'The secret, shown this once: `whsec_` and the base64 of 32 bytes; null for V1A.',
  })
  readonly secret: string | null;
}

@ObjectType({ description: 'The result of `createWebhookEndpoint`.', simpleResolvers: true })
export class CreateWebhookEndpointPayload extends SecretPayload {}

@ObjectType({ description: 'The result of `rotateWebhookSecret`.', simpleResolvers: true })
export class RotateWebhookSecretPayload extends SecretPayload {}
