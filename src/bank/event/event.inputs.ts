import { Field, ID, Int } from 'type-graphql';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';
import { DateTimeISO, UUID } from '../../platform/scalars/scalars.js';
import { Input } from '../../platform/input/input.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { Between, EachMatches, Matches, Size, Text } from '../../platform/input/rules.js';
import { EventOutcome } from './event.entity.js';

const ACTION = /^[a-z_]{1,32}\.[a-z_]{1,32}$/;
const TYPE_FORM = 'the name of a type, such as beneficiary.added';
export const MAX_TYPES = 50;
const ACTION_FORM = 'the name of a command, such as beneficiary.add';

@Input('A filter of events, which must match every field.')
export class RecordedEventFilter {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'The account whose events are listed, such as `demo-1001`.' })
  accountId?: string | null;

  @EachMatches(ACTION, TYPE_FORM)
  @Size(1, MAX_TYPES)
  @Field(() => [String], {
    nullable: true,
    description: `The types to list, 1 to ${MAX_TYPES}, such as \`card.frozen\`. \`/events.schema.json\` has all types.`,
  })
  types?: string[] | null;
}

@Input('A filter of events, which must match every field.')
export class EventFilter extends RecordedEventFilter {
  @Field(() => UUID, {
    nullable: true,
    description: 'The customer whose own events are listed, without those of the accounts.',
  })
  customerId?: string | null;

  @EachMatches(ACTION, ACTION_FORM)
  @Size(1, 20)
  @Field(() => [String], { nullable: true, description: 'The commands to list, 1 to 20, such as `card.freeze`.' })
  actions?: string[] | null;

  @Field(() => EventOutcome, { nullable: true, description: 'The outcome to list.' })
  outcome?: EventOutcome | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The client to list: `client_id` of the access token, up to 255 characters.',
  })
  clientId?: string | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The subject to list: `sub` of the access token, up to 255 characters.',
  })
  subject?: string | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The `X-Request-Id`, such as `7f1c9a52-3d60-4b0e-8a53-0c1f6a2e9d44`.',
  })
  requestId?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The instant at or after which listed events occurred.',
  })
  occurredFrom?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The instant before which listed events occurred.',
  })
  occurredBefore?: string | null;
}

/** In place of a cursor: no event that was committed before the request. */
export const LATEST = 'latest';
/** A request for events may wait so long for the next one. */
export const MAX_WAIT_SECONDS = 30;

@Input('The events to list, and the time to wait for them.')
export class FeedQuery extends RecordedEventFilter {
  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: `The cursor of the last answer: events after it. \`${LATEST}\`: events from now on. From the first event when absent.`,
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of events; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;

  @Between(0, MAX_WAIT_SECONDS)
  @Field(() => Int, {
    nullable: true,
    description: `The time to wait for an event if there is none, in seconds: up to ${MAX_WAIT_SECONDS}; none when absent.`,
  })
  wait?: number | null;
}
