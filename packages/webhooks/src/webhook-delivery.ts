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
  description: 'The outcome of a delivery.',
  valuesConfig: {
    PENDING: { description: 'The delivery waits for its first or next attempt.' },
    DELIVERED: { description: 'The receiver answered with 200 to 299.' },
    FAILED: { description: 'The delivery failed in all attempts: see `resendWebhookDelivery`.' },
  },
});

/** The most bytes of an answer that are kept. */
export const MAX_ANSWER_BYTES = 4096;

@ObjectType({ description: 'A request, and the answer to it.', simpleResolvers: true })
export class WebhookAttempt implements Omit<AttemptView, 'deliveryId'> {
  @Field(() => DateTimeISO, { description: 'The time at which the request was sent.' })
  startedAt!: string;

  @Field(() => Int, { description: 'The time until the answer or the failure, in milliseconds.' })
  durationMs!: number;

  @Field(() => Int, { nullable: true, description: 'The status of the answer; null if there was none.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The failure, such as `TIMED_OUT`, `NAME_NOT_FOUND` or `TLS_FAILED`; null for an answer.',
  })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The first ${MAX_ANSWER_BYTES} bytes of the body of the answer.`,
  })
  answer!: string | null;
}

@NodeKey('deliveryId')
@ObjectType({
  description: 'An event on its way to a webhook endpoint. It is kept for 30 days.',
  implements: Node,
  simpleResolvers: true,
})
export class WebhookDelivery implements DeliveryView {
  @Field(() => UUID, { description: 'The id of the delivery, the same for every attempt.' })
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

  @Field(() => WebhookDeliveryStatus, { description: 'The outcome so far.' })
  status!: DeliveryStatus;

  @Field(() => DateTimeISO, { description: 'The time at which the event was first to be delivered.' })
  createdAt!: string;

  @Field(() => Int, { description: 'The number of attempts so far.' })
  attemptCount!: number;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time of the next attempt; null if none is planned.',
  })
  nextAttemptAt!: string | null;
}

@Input('The conditions that GraphQL and REST have for deliveries alike.')
class WebhookDeliveryConditions {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'The account whose events are listed, such as `demo-1001`.' })
  accountId?: string | null;

  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Size(1, MAX_TYPES)
  @Field(() => [String], {
    nullable: true,
    description: `One of 1 to ${MAX_TYPES}, such as \`transaction.posted\`.`,
  })
  types?: string[] | null;
}

@Input('A filter of deliveries, which must match every field.')
export class WebhookDeliveryFilter extends WebhookDeliveryConditions {
  @Size(1, 3)
  @Field(() => [WebhookDeliveryStatus], { nullable: true, description: 'The statuses to list, 1 to 3.' })
  statuses?: DeliveryStatus[] | null;
}

@Input('The deliveries to list, and the page of them.')
export class WebhookDeliveryQuery extends WebhookDeliveryConditions {
  @Field(() => WebhookDeliveryStatus, { nullable: true, description: 'The status to list.' })
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
