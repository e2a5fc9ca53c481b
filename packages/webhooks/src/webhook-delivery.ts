import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  BANK_ID,
  BANK_ID_FORM,
  Between,
  DateTimeISO,
  EachMatches,
  Input,
  MAX_PAGE_SIZE,
  Matches,
  Node,
  NodeKey,
  Size,
  Text,
  UUID,
} from 'tillgate/noun';
import type { AttemptView, DeliveryStatus, DeliveryView } from './delivery/deliveries.js';
import { MAX_TYPES } from './webhook.errors.js';
import { EVENT_TYPE, EVENT_TYPE_FORM } from './webhook.inputs.js';

export const WebhookDeliveryStatus = { PENDING: 'PENDING', DELIVERED: 'DELIVERED', FAILED: 'FAILED' } as const;
registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'What became of a delivery.',
  valuesConfig: {
    PENDING: { description: 'Waits for its first or next attempt.' },
    DELIVERED: { description: 'The receiver answered with 200 to 299.' },
    FAILED: { description: 'All attempts failed: see `resendWebhookDelivery`.' },
  },
});

/** The most bytes of an answer that are kept. */
export const MAX_ANSWER_BYTES = 4096;

@ObjectType({ description: 'A request, and the answer to it.', simpleResolvers: true })
export class WebhookAttempt implements Omit<AttemptView, 'deliveryId'> {
  @Field(() => DateTimeISO, { description: 'When the request was sent.' })
  startedAt!: string;

  @Field(() => Int, { description: 'Until the answer, or the failure.' })
  durationMs!: number;

  @Field(() => Int, { nullable: true, description: 'Null if there was no answer.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Such as `TIMED_OUT`, `NAME_NOT_FOUND` or `TLS_FAILED`; null for an answer.',
  })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The first ${MAX_ANSWER_BYTES} bytes of its body.`,
  })
  answer!: string | null;
}

@NodeKey('deliveryId')
@ObjectType({
  description: 'An event on its way to a webhook endpoint. Kept for 30 days.',
  implements: Node,
  simpleResolvers: true,
})
export class WebhookDelivery implements DeliveryView {
  @Field(() => UUID, { description: 'It is the same for every attempt.' })
  deliveryId!: string;

  @Field(() => UUID, {
    description: 'The id that the gateway assigned.',
  })
  endpointId!: string;

  @Field(() => String, {
    description: 'The header `webhook-id` of every attempt, such as `evt_1042`.',
  })
  webhookId!: string;

  @Field(() => String, { description: 'The type of the event, such as `transaction.posted`.' })
  type!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The account of the event, such as `demo-1001`.',
  })
  accountId!: string | null;

  @Field(() => WebhookDeliveryStatus, { description: 'What became of it.' })
  status!: DeliveryStatus;

  @Field(() => DateTimeISO, { description: 'When it was first to be delivered.' })
  createdAt!: string;

  @Field(() => Int, { description: 'How many attempts so far.' })
  attemptCount!: number;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'Null if none is planned.',
  })
  nextAttemptAt!: string | null;
}

@Input('What GraphQL and REST ask of deliveries alike.')
class WebhookDeliveryConditions {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'Only events of this account, such as `demo-1001`.' })
  accountId?: string | null;

  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Size(1, MAX_TYPES)
  @Field(() => [String], {
    nullable: true,
    description: `One of 1 to ${MAX_TYPES}, such as \`transaction.posted\`.`,
  })
  types?: string[] | null;
}

@Input('A delivery must match every field.')
export class WebhookDeliveryFilter extends WebhookDeliveryConditions {
  @Size(1, 3)
  @Field(() => [WebhookDeliveryStatus], { nullable: true, description: 'Only with one of these statuses, 1 to 3.' })
  statuses?: DeliveryStatus[] | null;
}

@Input('Which deliveries, and which page of them.')
export class WebhookDeliveryQuery extends WebhookDeliveryConditions {
  @Field(() => WebhookDeliveryStatus, { nullable: true, description: 'Only with this status.' })
  status?: DeliveryStatus | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last answer: deliveries after it. From the newest one when absent.',
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of deliveries; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;
}
