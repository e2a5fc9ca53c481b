import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Input } from '../platform/input/input.js';
import { Between, EachMatches, Matches, Size, Text } from '../platform/input/rules.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { DateTimeISO, UUID } from '../platform/scalars/scalars.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { MAX_PAGE_SIZE } from '../shared/page.js';
import type { AttemptView, DeliveryStatus, DeliveryView } from './delivery/deliveries.js';
import { MAX_TYPES } from './webhook.errors.js';
import { EVENT_TYPE, EVENT_TYPE_FORM } from './webhook.inputs.js';

export const WebhookDeliveryStatus = { PENDING: 'PENDING', DELIVERED: 'DELIVERED', FAILED: 'FAILED' } as const;
registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'What became of a delivery.',
  valuesConfig: {
    PENDING: { description: 'It was not delivered yet: it waits for its turn, or for its next attempt.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    FAILED: { description: 'All attempts failed. `resendWebhookDelivery` makes another one.' },
  },
});

/** The most bytes of an answer that are kept. */
export const MAX_ANSWER_BYTES = 4096;

@ObjectType({ description: 'A request to a webhook endpoint, and the answer to it.', simpleResolvers: true })
export class WebhookAttempt implements Omit<AttemptView, 'deliveryId'> {
  @Field(() => DateTimeISO, { description: 'When the request was sent, such as `2026-03-31T18:05:00.000Z`.' })
  startedAt!: string;

  @Field(() => Int, { description: 'How long it took to get the answer, or to fail, in milliseconds.' })
  durationMs!: number;

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the answer; null if there was no answer.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The code of the failure if there was no answer, such as `TIMED_OUT`, `NAME_NOT_FOUND`, `CONNECTION_FAILED`, `TLS_FAILED` or `ADDRESS_REFUSED`; null if there was one.',
  })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    description: `The first ${MAX_ANSWER_BYTES} bytes of the body of the answer; null if it had none.`,
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
  @Field(() => UUID, { description: 'The id of the delivery, such as `019a2f4e-7c1b-7d0a-8f3e-5b2c9d1e4f60`.' })
  deliveryId!: string;

  @Field(() => UUID, {
    description: 'The id of the webhook endpoint, such as `6f3c1a52-8d17-4f0e-9a53-2b1f6a2e9d44`.',
  })
  endpointId!: string;

  @Field(() => String, {
    description:
      'The header `webhook-id` of every attempt, by which receivers know a repeated delivery: the id of the event, such as `evt_1042`, or that of a test.',
  })
  webhookId!: string;

  @Field(() => String, { description: 'The type of the event, such as `transaction.posted`.' })
  type!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The account that the event is about, such as `demo-1001`; null if it is about none, and for a test.',
  })
  accountId!: string | null;

  @Field(() => WebhookDeliveryStatus, { description: 'What became of it.' })
  status!: DeliveryStatus;

  @Field(() => DateTimeISO, { description: 'When it was first to be delivered, such as `2026-03-31T18:05:00.000Z`.' })
  createdAt!: string;

  @Field(() => Int, { description: 'The number of attempts so far.' })
  attemptCount!: number;

  @Field(() => DateTimeISO, {
    nullable: true,
    description:
      'When the next attempt is made after one that failed, such as `2026-03-31T18:10:00.000Z`; null if none is planned.',
  })
  nextAttemptAt!: string | null;
}

@Input('A filter of deliveries. A delivery must match every field that is given.')
export class WebhookDeliveryFilter {
  @Field(() => WebhookDeliveryStatus, { nullable: true, description: 'Only deliveries with this status.' })
  status?: DeliveryStatus | null;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'Only events of the account with this id, such as `demo-1001`.' })
  accountId?: string | null;

  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Size(1, MAX_TYPES)
  @Field(() => [String], {
    nullable: true,
    description: `Only events of these types, such as \`transaction.posted\`: 1 to ${MAX_TYPES}.`,
  })
  types?: string[] | null;
}

@Input('Which deliveries, and which page of them.')
export class WebhookDeliveryQuery extends WebhookDeliveryFilter {
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
