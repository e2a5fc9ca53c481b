import { Field, ID } from 'type-graphql';
import {
  BANK_ID,
  BANK_ID_FORM,
  DryRun,
  ExpectedVersion,
  DateTimeISO,
  Distinct,
  EachMatches,
  Fits,
  Input,
  Matches,
  NotCleared,
  Size,
  Text,
  namesRecord,
} from 'tillgate/noun';
import { MAX_URL_LENGTH } from '../../../lib/guarded-connect/target.js';
import { WebhookEndpointStatus, WebhookSigning } from './webhook.entity.js';
import { KEPT_DAYS, MAX_ACCOUNT_IDS, MAX_TYPES } from './webhook.errors.js';

/** Letters of other alphabets are written in Punycode in a host, and percent-encoded behind it. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const MAX_DESCRIPTION = 200;

export const EVENT_TYPE = /^[a-z_]{1,32}\.[a-z_]{1,32}$/;
export const EVENT_TYPE_FORM = 'the type of an event, such as transaction.posted';

const URL_WORDS = `https, a host name with a domain or a public IP address, at most ${MAX_URL_LENGTH} characters, without user name, password and fragment`;
const URL_EXAMPLE = 'such as `https://bank.example/hooks/tillgate`';

/** The form of a URL. The service knows which hosts are allowed. */
const WebhookUrl = () =>
  Fits(
    'text',
    text => text.length <= MAX_URL_LENGTH && VISIBLE_ASCII.test(text),
    `Must be 1 to ${MAX_URL_LENGTH} visible ASCII characters.`,
    { minLength: 1, maxLength: MAX_URL_LENGTH, pattern: VISIBLE_ASCII.source },
  );

@Input('An endpoint to which events are to be delivered.')
export class WebhookEndpointInput {
  @WebhookUrl()
  @Field(() => String, { description: `The address to which events are sent, ${URL_EXAMPLE}: ${URL_WORDS}.` })
  url!: string;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `The description for operators, up to ${MAX_DESCRIPTION} characters, such as \`Core ledger\`.`,
  })
  description?: string | null;

  @Size(0, MAX_TYPES)
  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Distinct()
  @Field(() => [String], {
    nullable: true,
    description: `The types of events to deliver, up to ${MAX_TYPES}, such as \`transaction.posted\`; all when absent or empty.`,
  })
  types?: string[] | null;

  @Size(0, MAX_ACCOUNT_IDS)
  @EachMatches(BANK_ID, BANK_ID_FORM)
  @Distinct()
  @Field(() => [ID], {
    nullable: true,
    description: `The accounts whose events are delivered, up to ${MAX_ACCOUNT_IDS}, such as \`demo-1001\`; all when absent or empty.`,
  })
  accountIds?: string[] | null;

  @Field(() => WebhookSigning, { nullable: true, description: 'The signature of deliveries; V1 when absent.' })
  signing?: WebhookSigning | null;
}

@Input('The changes of an endpoint.')
export class WebhookEndpointPatch {
  @NotCleared()
  @WebhookUrl()
  @Field(() => String, {
    nullable: true,
    description: 'The address, such as `https://bank.example/hooks/tillgate`. It cannot be cleared.',
  })
  url?: string;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `The description for operators, up to ${MAX_DESCRIPTION} characters, such as \`Core ledger\`.`,
  })
  description?: string | null;

  @Size(0, MAX_TYPES)
  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Distinct()
  @Field(() => [String], {
    nullable: true,
    description: `The types of events to deliver, up to ${MAX_TYPES}, such as \`transaction.posted\`; null or none means all.`,
  })
  types?: string[] | null;

  @Size(0, MAX_ACCOUNT_IDS)
  @EachMatches(BANK_ID, BANK_ID_FORM)
  @Distinct()
  @Field(() => [ID], {
    nullable: true,
    description: `The accounts whose events are delivered, up to ${MAX_ACCOUNT_IDS}, such as \`demo-1001\`; null or none means all.`,
  })
  accountIds?: string[] | null;

  @NotCleared()
  @Field(() => WebhookEndpointStatus, {
    nullable: true,
    description: 'The status: ENABLED delivers events from then on. It cannot be cleared.',
  })
  status?: WebhookEndpointStatus;
}

@Input('The type of a test event.')
export class WebhookTestInput {
  @Matches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Field(() => String, { description: 'The type of the event, such as `transaction.posted`.' })
  type!: string;
}

@Input('The time from which deliveries are recovered.')
export class WebhookRecoveryInput {
  @Field(() => DateTimeISO, {
    description: 'The instant from which on events are delivered again, such as `2026-03-31T18:05:00.000Z`.',
  })
  since!: string;
}

export const ENDPOINT_ID = { description: 'The id that the gateway assigned.' };
export const DELIVERY_ID = { description: 'The id of the delivery, the same for every attempt.' };

const NamesEndpoint = namesRecord('WebhookEndpoint', { endpointId: { ...ENDPOINT_ID, isUuid: true } });

@Input('The endpoint that is created.')
export class CreateWebhookEndpointInput {
  @Field(() => WebhookEndpointInput, { description: 'The new endpoint.' })
  endpoint!: WebhookEndpointInput;

  @DryRun()
  dryRun?: boolean;
}

@Input('The endpoint that is changed, and its changes.')
export class UpdateWebhookEndpointInput extends NamesEndpoint {
  @Field(() => WebhookEndpointPatch, { description: 'The changes.' })
  patch!: WebhookEndpointPatch;

  @ExpectedVersion()
  expectedVersion?: number | null;

  @DryRun()
  dryRun?: boolean;
}

@Input('The endpoint that is deleted.')
export class DeleteWebhookEndpointInput extends NamesEndpoint {}

@Input('The endpoint that gets a new secret.')
export class RotateWebhookSecretInput extends NamesEndpoint {}

@Input('The endpoint to which a test is sent.')
export class SendTestEventInput extends NamesEndpoint {
  @Matches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Field(() => String, { description: 'The type of the event, such as `transaction.posted`.' })
  type!: string;
}

@Input('The endpoint whose deliveries are sent again.')
export class RecoverWebhookEndpointInput extends NamesEndpoint {
  @Field(() => DateTimeISO, {
    description: `The time from which deliveries are sent again, within the last ${KEPT_DAYS} days.`,
  })
  since!: string;
}

@Input('The delivery that is sent again.')
export class ResendWebhookDeliveryInput extends namesRecord('WebhookDelivery', {
  deliveryId: { ...DELIVERY_ID, isUuid: true },
}) {}
