import { Field, ID } from 'type-graphql';
import { MAX_URL_LENGTH } from '../../lib/guarded-connect/target.js';
import { Input } from '../platform/input/input.js';
import { Distinct, EachMatches, Fits, Matches, NotCleared, Size, Text } from '../platform/input/rules.js';
import { DateTimeISO } from '../platform/scalars/scalars.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { WebhookEndpointStatus, WebhookSigning } from './webhook.entity.js';
import { MAX_ACCOUNT_IDS, MAX_TYPES } from './webhook.errors.js';

/** Letters of other alphabets are written in Punycode in a host, and percent-encoded behind it. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const MAX_DESCRIPTION = 200;

export const EVENT_TYPE = /^[a-z_]{1,32}\.[a-z_]{1,32}$/;
export const EVENT_TYPE_FORM = 'the type of an event, such as transaction.posted';

const URL_WORDS = `at most ${MAX_URL_LENGTH} characters, https, a host name with a domain or a public IP address, without user name, password and fragment`;
const URL_EXAMPLE = 'such as `https://bank.example/hooks/tillgate`';

/** The form of a URL. The service knows which hosts are allowed. */
const WebhookUrl = () =>
  Fits(
    'text',
    text => text.length <= MAX_URL_LENGTH && VISIBLE_ASCII.test(text),
    `Must be 1 to ${MAX_URL_LENGTH} visible ASCII characters.`,
    { minLength: 1, maxLength: MAX_URL_LENGTH, pattern: VISIBLE_ASCII.source },
  );

@Input('A new webhook endpoint: an address to which the events of the program are delivered.')
export class WebhookEndpointInput {
  @WebhookUrl()
  @Field(() => String, { description: `Where events are sent, ${URL_EXAMPLE}: ${URL_WORDS}.` })
  url!: string;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `Words for operators, such as \`Core ledger\`, up to ${MAX_DESCRIPTION} characters.`,
  })
  description?: string | null;

  @Size(0, MAX_TYPES)
  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Distinct()
  @Field(() => [String], {
    nullable: true,
    description: `The types of events to deliver, such as \`transaction.posted\`, up to ${MAX_TYPES}; all types when absent or empty. \`/events.schema.json\` lists them.`,
  })
  types?: string[] | null;

  @Size(0, MAX_ACCOUNT_IDS)
  @EachMatches(BANK_ID, BANK_ID_FORM)
  @Distinct()
  @Field(() => [ID], {
    nullable: true,
    description: `The accounts whose events to deliver, such as \`demo-1001\`, up to ${MAX_ACCOUNT_IDS}; all events of the program when absent or empty.`,
  })
  accountIds?: string[] | null;

  @Field(() => WebhookSigning, { nullable: true, description: 'How deliveries are signed; V1 when absent.' })
  signing?: WebhookSigning | null;
}

@Input(
  'Changes to a webhook endpoint (JSON merge patch, RFC 7396): an absent field stays as it is, null clears an optional field, and a list is replaced.',
)
export class WebhookEndpointPatch {
  @NotCleared()
  @WebhookUrl()
  @Field(() => String, {
    nullable: true,
    description: `Where events are sent, ${URL_EXAMPLE}: ${URL_WORDS}; cannot be cleared.`,
  })
  url?: string;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `Words for operators, such as \`Core ledger\`, up to ${MAX_DESCRIPTION} characters; null clears them.`,
  })
  description?: string | null;

  @Size(0, MAX_TYPES)
  @EachMatches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Distinct()
  @Field(() => [String], {
    nullable: true,
    description: `The types of events to deliver, such as \`transaction.posted\`, up to ${MAX_TYPES}: they replace the ones on record, and null or an empty list means all types.`,
  })
  types?: string[] | null;

  @Size(0, MAX_ACCOUNT_IDS)
  @EachMatches(BANK_ID, BANK_ID_FORM)
  @Distinct()
  @Field(() => [ID], {
    nullable: true,
    description: `The accounts whose events to deliver, such as \`demo-1001\`, up to ${MAX_ACCOUNT_IDS}: they replace the ones on record, and null or an empty list means all events of the program.`,
  })
  accountIds?: string[] | null;

  @NotCleared()
  @Field(() => WebhookEndpointStatus, {
    nullable: true,
    description:
      'DISABLED stops deliveries, ENABLED begins them again with events from then on; cannot be cleared. `recoverWebhookEndpoint` delivers what was missed.',
  })
  status?: WebhookEndpointStatus;
}

@Input('The type of a test event.')
export class WebhookTestInput {
  @Matches(EVENT_TYPE, EVENT_TYPE_FORM)
  @Field(() => String, { description: 'The type of the event, such as `transaction.posted`.' })
  type!: string;
}

@Input('From when deliveries are recovered.')
export class WebhookRecoveryInput {
  @Field(() => DateTimeISO, {
    description: 'The instant from which on events are delivered again, such as `2026-03-31T18:05:00.000Z`.',
  })
  since!: string;
}
